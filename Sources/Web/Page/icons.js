// Small drawings beside words: 24 by 24, one stroke, in the color of the text. They never stand alone for a meaning.

import { svg } from "./dom.js";

const drawings = {
    play: "M8 5.5v13l10.5-6.5z",
    pause: "M8 5.5v13M16 5.5v13",
    loading: "M12 4a8 8 0 1 0 8 8",
    ads: "M5 10v4h3l8 4V6l-8 4zM19 9.5v5",
    app: "M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h5v5h-5z",
    idle: "M4 6h16v10H4zM9 20h6",
    standby: "M12 4v8M7 7a7.5 7.5 0 1 0 10 0",
    input: "M4 6h16v10H4zM9 20h6M9 11h6M12.500 8.500l2.500 2.500-2.500 2.500",
    gap: "M4 4l16 16M10 6h10v10M4 8v8h8M9 20h6",
    volume: "M5 10v4h3l4 4V6L8 10zM15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11",
    mute: "M5 10v4h3l4 4V6L8 10zM16 10l5 5M21 10l-5 5",
    captions: "M4 6h16v12H4zM10.500 10.800a2 2 0 1 0 0 2.500M17 10.800a2 2 0 1 0 0 2.500",
    senders: "M8 4h8v16H8zM11 17h2",
    link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
    clock: "M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M12 8v4.500l3 1.500",
    eye: "M3 12s3.500-6 9-6s9 6 9 6s-3.500 6-9 6s-9-6-9-6M12 9.500a2.500 2.500 0 1 0 0 5a2.500 2.500 0 1 0 0-5",
    conflict: "M5 5l14 14M19 5L5 19M4 15l5 5M20 15l-5 5",
    storm: "M13 3L6 13h5l-1 8l8-11h-5z",
    group: "M4 9h9v10H4zM8 9V5h12v10h-7",
    search: "M11 5a6 6 0 1 0 0 12a6 6 0 1 0 0-12M15.500 15.500L20 20",
    download: "M12 4v11M7.500 11l4.500 4.500 4.500-4.500M5 20h14",
    left: "M14.500 6L9 12l5.500 6", right: "M9.500 6L15 12l-5.500 6", down: "M6 9.500l6 5.500 6-5.500",
    sun: "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2v2.500M12 19.500V22M2 12h2.500M19.500 12H22M5 5l1.800 1.800M17.200 17.200L19 19M19 5l-1.800 1.800M6.800 17.200L5 19",
    moon: "M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10",
    auto: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
    close: "M6 6l12 12M18 6L6 18",
    copy: "M9 9h10v11H9zM5 15V4h10",
    rows: "M4 6h16M4 12h16M4 18h16",
    cards: "M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z",
};

const filled = new Set(["play", "storm"]);

/** The drawing of that name; screen readers pass over it. */
export function icon(name) {
    return svg("svg", { viewBox: "0 0 24 24", class: filled.has(name) ? "glyph full" : "glyph", "aria-hidden": "true" },
        svg("path", { d: drawings[name] ?? drawings.app }));
}

/** The drawing for what a device does. */
export const activityIcon = (activity) => ({
    playing: "play", unknown: "play", paused: "pause", buffering: "loading", loading: "loading", advertisement: "ads",
    app_only: "app", idle: "idle", standby: "standby", other_input: "input", unobserved: "gap",
})[activity] ?? "idle";
