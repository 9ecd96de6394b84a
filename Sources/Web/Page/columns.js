// The columns of the table of plays: what each shows, by which name it is sorted, and which ones a visitor has chosen.

import { h } from "./dom.js";
import { devices } from "./devices-now.js";
import { address } from "./router.js";
import { instant, momentText, nearText } from "./zone.js";
import { activityWords, decimal, named, plain, position, share, stretch } from "./words.js";

const key = "castledger.columns";
const number = (value, write) => (value === null || value === undefined ? "" : write(value));

/** All columns: `name`, `words`, `cell(play)`, and `sort`, what the API calls it when it sorts. */
export const columns = [
    { name: "started", words: "Started", sort: "started_at", isTime: true,
        cell: (play) => h("a", { href: address("history", play.play_id) }, momentText(instant(play.started_at))) },
    { name: "ended", words: "Ended", sort: "ended_at", isTime: true, cell: ended },
    { name: "device", words: "Device", sort: "device",
        cell: (play) => h("a", { href: address("devices", play.device_id) }, named(play)) },
    { name: "members", words: "Members", sort: "members", cell: (play) => (play.members ?? [])
        .map((id) => named(devices.get(id) ?? { device_id: id })).join(", ") },
    { name: "app", words: "App", sort: "app_name", cell: (play) => play.app_name ?? play.app_id ?? "" },
    { name: "title", words: "Title", sort: "title", cell: titleCell },
    { name: "played", words: "Played", sort: "played_seconds", isNumber: true,
        cell: (play) => number(play.played_seconds, stretch) },
    { name: "paused", words: "Paused", sort: "paused_seconds", isNumber: true,
        cell: (play) => number(play.paused_seconds || null, stretch) },
    { name: "ads", words: "Ads", sort: "ad_seconds", isNumber: true,
        cell: (play) => number(play.ad_seconds || null, stretch) },
    { name: "buffering", words: "Buffering", sort: "buffering_seconds", isNumber: true,
        cell: (play) => number(play.buffering_seconds || null, stretch) },
    { name: "length", words: "Length", sort: "duration_seconds", isNumber: true,
        cell: (play) => number(play.duration_seconds, position) },
    { name: "progress", words: "Of it", sort: "progress", isNumber: true,
        cell: (play) => number(play.progress, share) },
    { name: "seeks", words: "Jumps", sort: "seeks", isNumber: true,
        cell: (play) => number(play.seeks || null, decimal) },
    { name: "captions", words: "Captions", sort: "captions",
        cell: (play) =>
        [...new Set((play.tracks ?? []).filter((one) => one.captions)
        .flatMap((one) => one.languages.length ? one.languages : ["on"]))].join(", ") },
    { name: "end", words: "End", sort: "end_reason",
        cell: (play) => (play.ended_at
        ? plain(play.end_reason ?? "unknown") + (play.end_is_uncertain ? ", in a gap" : "")
        : h("span", { class: "tag accent" },
            `now ${activityWords(play.phase === "advertisement" ? "advertisement" : play.phase)}`)) },
    { name: "cause", words: "Started by", sort: "start_cause", cell: (play) => plain(play.start_cause ?? "") },
    { name: "coverage", words: "Observed", sort: "coverage", isNumber: true,
        cell: (play) => h("span", { class: play.coverage < 0.95 ? "tag warn" : "" }, share(play.coverage)) },
    { name: "content", words: "Content id", sort: "content_id",
        cell: (play) => h("span", { class: "mono" }, play.content_id ?? play.entity ?? "") },
];

const standard = ["started", "ended", "device", "app", "title", "played", "paused", "captions", "end", "cause",
    "coverage"];
const narrow = ["started", "device", "title", "played", "end"];

function ended(play) {
    if (!play.ended_at) return "";
    return h("span", { title: momentText(instant(play.ended_at), 3) },
        nearText(instant(play.ended_at), instant(play.started_at)));
}

function titleCell(play) {
    const name = play.title ?? play.content_id ?? play.entity ?? play.content_url ?? "–";
    const by = play.artist ?? play.series;
    return [name, by && by !== name ? h("span", { class: "soft" }, ` ${by}`) : null];
}

/** The names that the visitor has chosen; on phones fewer, unless chosen. */
export function chosenColumns() {
    try {
        const kept = JSON.parse(localStorage.getItem(key));
        if (Array.isArray(kept)) return kept.filter((name) => columns.some((one) => one.name === name));
    } catch { /* The standard then. */ }
    return matchMedia("(max-width: 860px)").matches ? narrow : standard;
}

/** Keeps a choice for the next visit. */
export function keepColumns(names) {
    try {
        localStorage.setItem(key, JSON.stringify(names));
    } catch { /* A page without storage forgets it. */ }
}
