// Times on the clocks of a zone. An instant is milliseconds since 1970 UTC, with microseconds behind the point.
//
// The browser knows the rules of every zone; its answer is asked once per quarter of an hour and kept, since a timeline
// asks thousands of times. Days have 23 or 25 hours where clocks are set.

const key = "castledger.zone";
const offsets = new Map();
const listeners = new Set();
let name = "UTC";
let asker = null;

/** The zone's name. */
export const zoneName = () => name;

/** Takes a zone; false where the browser does not know it. */
export function setZone(wanted) {
    try {
        asker = new Intl.DateTimeFormat("en-US", { timeZone: wanted, timeZoneName: "longOffset" });
    } catch {
        return false;
    }
    const changed = wanted !== name;
    name = wanted;
    offsets.clear();
    try {
        localStorage.setItem(key, wanted);
    } catch { /* A page without storage forgets it. */ }
    if (changed) for (const listener of listeners) listener(wanted);
    return true;
}

/** The zone of the last visit. */
export function keptZone() {
    try {
        return localStorage.getItem(key) ?? "UTC";
    } catch {
        return "UTC";
    }
}

/** Calls whenever the zone changes. */
export const onZone = (listener) => listeners.add(listener);

/** All zones, this machine's and UTC first. */
export function zones() {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return [...new Set(["UTC", own, ...Intl.supportedValuesOf("timeZone")])];
}

/** An instant out of RFC 3339, to the microsecond; null for null. */
export function instant(text) {
    if (text === null || text === undefined) return null;
    const milliseconds = Date.parse(text);
    const fraction = /\.\d{3}(\d{1,3})/.exec(text);
    return fraction ? milliseconds + Number(fraction[1].padEnd(3, "0")) / 1000 : milliseconds;
}

/** RFC 3339 in UTC, to the millisecond. */
export const rfc = (at) => new Date(Math.round(at)).toISOString();

/** How far the zone's clocks are ahead of UTC at an instant, in milliseconds. */
export function offset(at) {
    if (name === "UTC") return 0;
    const quarter = Math.floor(at / 900_000);
    let found = offsets.get(quarter);
    if (found === undefined) {
        if (offsets.size > 50_000) offsets.clear();
        const text = asker.formatToParts(quarter * 900_000).find((part) => part.type === "timeZoneName").value;
        const [, sign, hours, minutes, seconds] = /([+-])(\d+):?(\d+)?:?(\d+)?/.exec(text) ?? [null, "+", 0, 0, 0];
        found = (sign === "-" ? -1000 : 1000) * (hours * 3600 + (minutes ?? 0) * 60 + Number(seconds ?? 0));
        offsets.set(quarter, found);
    }
    return found;
}

/** What clocks show: year, month (from 1), day, hour, minute, second, weekday (0 is Sunday). */
export function clock(at) {
    const shown = new Date(Math.floor(at + offset(at)));
    return {
        year: shown.getUTCFullYear(), month: shown.getUTCMonth() + 1, day: shown.getUTCDate(),
        hour: shown.getUTCHours(), minute: shown.getUTCMinutes(), second: shown.getUTCSeconds(),
        weekday: shown.getUTCDay(),
    };
}

/** The instant at which clocks show a time; where they skip it, the first one after it, where twice, the first. */
export function instantOf(year, month, day, hour = 0, minute = 0, second = 0) {
    const shown = Date.UTC(year, month - 1, day, hour, minute, second);
    const tries = [offset(shown - 86_400_000), offset(shown + 86_400_000)].map((ahead) => shown - ahead);
    const fitting = tries.filter((at) => at + offset(at) === shown);
    if (fitting.length) return Math.min(...fitting);
    // Skipped: the clocks were set between the two tries.
    let [low, high] = [Math.min(...tries), Math.max(...tries)];
    while (high - low > 1000) {
        const middle = Math.floor((low + high) / 2);
        if (offset(middle) === offset(low)) low = middle; else high = middle;
    }
    return Math.round(high / 1000) * 1000;
}

/** The first moment of the day of an instant, or of one so many days away. */
export function dayStart(at, days = 0) {
    const { year, month, day } = clock(at);
    return instantOf(year, month, day + days);
}

const two = (number) => String(number).padStart(2, "0");

/** "2026-03-01". */
export function dayText(at) {
    const { year, month, day } = clock(at);
    return `${year}-${two(month)}-${two(day)}`;
}

/** "20:15:04", with `digits` decimals; 0 through 6. */
export function timeText(at, digits = 0) {
    const { hour, minute, second } = clock(at);
    const text = `${two(hour)}:${two(minute)}:${two(second)}`;
    if (!digits) return text;
    const part = Math.floor(((at % 1000) + 1000) % 1000 * 1000 + 0.01);
    return `${text}.${String(part).padStart(6, "0").slice(0, digits)}`;
}

/** "20:15". */
export const minuteText = (at) => timeText(at).slice(0, 5);

/** "2026-03-01 20:15:04". */
export const momentText = (at, digits = 0) => `${dayText(at)} ${timeText(at, digits)}`;

/** "+01:00". */
export function offsetText(at) {
    const minutes = Math.round(offset(at) / 60_000);
    return `${minutes < 0 ? "−" : "+"}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** "Sun 1 Mar". */
export function shortDay(at) {
    const { month, day, weekday } = clock(at);
    return `${weekdayNames[weekday]} ${day} ${monthNames[month - 1]}`;
}

/** "Mar", or "2026" where a year begins. */
export function monthText(at) {
    const { year, month } = clock(at);
    return month === 1 ? String(year) : monthNames[month - 1];
}

/** The time today, else with the day: as short as it can be said. */
export function nearText(at, reference) {
    return dayText(at) === dayText(reference) ? timeText(at) : `${shortDay(at)}, ${minuteText(at)}`;
}
