// How things are called and numbers written: the words of the command line, so that both say the same.

/** What a device does, as lanes spell it: words, color (a custom property) and how much of a lane's height it takes. */
export const activities = {
    playing: { words: "playing", color: "--playing", height: 1 },
    advertisement: { words: "ads", color: "--ads", height: 1, pattern: "dots" },
    paused: { words: "paused", color: "--paused", height: 0.5 },
    buffering: { words: "buffering", color: "--waiting", height: 0.7 },
    loading: { words: "loading", color: "--waiting", height: 0.7 },
    unknown: { words: "plays, how is not told", color: "--playing", height: 1, pattern: "light" },
    app_only: { words: "app without media", color: "--app", height: 0.35 },
    idle: { words: "nothing on", color: "--idle", height: 0.12 },
    standby: { words: "standby", color: "--off", height: 0.12 },
    other_input: { words: "other input", color: "--off", height: 0.12 },
    unobserved: { words: "not observed", color: "--hatch", height: 1, pattern: "hatch" },
};

/** An activity's words; what we do not know is told as it came. */
export const activityWords = (activity) => activities[activity]?.words ?? plain(activity ?? "not known");

/** Why something was not observed. */
const reasons = {
    recorder_down: "the recorder did not run", link_lost: "the link broke", device_unreachable: "cannot be reached",
    not_joined: "app not joined", attach_refused: "app refuses us", device_excluded: "left out by rules",
    clock_jump: "the clock was set", frames_lost: "frames were lost", archive_damaged: "archive damaged",
    not_told: "not told yet",
};
export const reasonWords = (reason) => reasons[reason] ?? plain(reason ?? "");

/** The kinds of conflicts. */
export const conflictKinds = {
    takeover: "takeover", volume_fight: "volume", play_pause_fight: "play and pause", seek_fight: "position",
    track_fight: "tracks", style_fight: "caption style",
};
export const conflictWords = (kind) => conflictKinds[kind] ?? plain(kind ?? "");

/** Who caused a change. */
export const attributions = {
    sender_request: "a sender asked for it", receiver: "the device itself",
    snapshot: "a look at how things were, no change", unknown: "not told",
};

/** How apps are joined. */
export const attachModes = {
    invisible: "joined, invisible to the app", weak: "joined, weak", strong: "joined", platform: "apps are not joined",
    none: "no app to join",
};

/** "app_closed" as words. */
export const plain = (name) => String(name).replaceAll("_", " ");

/** A stretch of time: "0.4 s", "3 min 5 s", "2 h 10 min", "3 d 4 h". */
export function stretch(seconds) {
    if (!Number.isFinite(seconds) || seconds < 0) return "? s";
    if (seconds < 0.0995) return `${Math.round(seconds * 1000)} ms`;
    const tenths = Math.round(seconds * 10);
    if (tenths < 600) return `${Math.floor(tenths / 10)}.${tenths % 10} s`;
    const whole = Math.floor(tenths / 10);
    if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
    if (whole < 86_400) return `${Math.floor(whole / 3600)} h ${Math.floor(whole / 60) % 60} min`;
    return `${Math.floor(whole / 86_400)} d ${Math.floor(whole / 3600) % 24} h`;
}

/** The same in one unit: "3 min", for ages. */
export function age(seconds) {
    if (!Number.isFinite(seconds) || seconds < 0) return "?";
    if (seconds < 9.95) return `${Math.floor(seconds * 10) / 10} s`;
    if (seconds < 90) return `${Math.floor(seconds)} s`;
    if (seconds < 5400) return `${Math.floor(seconds / 60)} min`;
    if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h`;
    return `${Math.floor(seconds / 86_400)} d`;
}

/** A position in media: "12:34", "1:02:03"; whole seconds, rounded down. */
export function position(seconds) {
    if (!Number.isFinite(seconds)) return "?";
    if (seconds < 0) return "-" + position(-Math.floor(seconds));
    const whole = Math.floor(seconds);
    const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    const two = (number) => String(number).padStart(2, "0");
    return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A share as "99.6%", rounded down, so that 100% is all of it; null as "–". */
export function share(part) {
    if (part === null || part === undefined || !Number.isFinite(part)) return "–";
    const tenths = Math.floor(part * 1000 + 1e-9);
    return tenths >= 1000 ? "100%" : `${Math.floor(tenths / 10)}.${tenths % 10}%`;
}

/** A level from 0 to 1 as "40%". */
export const percent = (level) => (Number.isFinite(level) ? `${decimal(level * 100, 1)}%` : "–");

/** At most `digits` decimals, without zeros behind them. */
export const decimal = (number, digits = 3) => (Number.isFinite(number) ? String(Number(number.toFixed(digits))) : "?");

/** Bytes as "512 B", "1.5 KiB", "64 MiB". */
export function bytes(count) {
    if (!Number.isFinite(count)) return "–";
    let amount = count;
    for (const unit of ["B", "KiB", "MiB", "GiB"]) {
        if (Math.abs(amount) < 1024) return `${decimal(amount, 1)} ${unit}`;
        amount /= 1024;
    }
    return `${decimal(amount, 1)} TiB`;
}

/** "1 play", "2 plays", "1,240 plays". */
export function count(number, one, many = one + "s") {
    return `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;
}

/** The name of a device, or its id. */
export const named = (row) => row?.device ?? row?.name ?? row?.device_id ?? "–";
