// From time to pixels, and where the marks of an axis stand: at what clocks of the zone call round.

import { clock, dayStart, instantOf, minuteText, monthText, offset, shortDay, timeText, dayText } from "./zone.js";

const second = 1000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;

/** The closest and the farthest one can look, in milliseconds over the whole width. */
export const closest = second / 2, farthest = 390 * day;

/** Distances of marks: a length, or days, or months. */
const steps = [
    ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((length) => ({ length })),
    ...[1, 2, 5, 10, 15, 30].map((count) => ({ length: count * second })),
    ...[1, 2, 5, 10, 15, 30].map((count) => ({ length: count * minute })),
    ...[1, 2, 3, 6, 12].map((count) => ({ length: count * hour, hours: count })),
    ...[1, 2, 7, 14].map((count) => ({ length: count * day, days: count })),
    ...[1, 3, 6, 12].map((count) => ({ length: count * 30.4 * day, months: count })),
];

/** A stretch of time over so many pixels. */
export class Scale {
    constructor(from, to, width) {
        this.from = from;
        this.to = to;
        this.width = Math.max(1, width);
    }

    /** Milliseconds of one pixel. */
    get resolution() {
        return (this.to - this.from) / this.width;
    }

    /** Where an instant stands. */
    x(at) {
        return (at - this.from) / (this.to - this.from) * this.width;
    }

    /** What stands at a pixel. */
    at(x) {
        return this.from + x / this.width * (this.to - this.from);
    }

    /** Moved so far. */
    moved(milliseconds) {
        return new Scale(this.from + milliseconds, this.to + milliseconds, this.width);
    }

    /** So many times as long, with an instant that stays where it is. */
    zoomed(factor, around) {
        const length = this.to - this.from;
        const wanted = Math.max(closest, Math.min(farthest, length * factor));
        const part = (around - this.from) / length;
        const from = around - wanted * part;
        return new Scale(from, from + wanted, this.width);
    }
}

/** The marks of an axis: `at`, `text`, and whether a day or more begins there. */
export function marks(scale, room = 84) {
    const least = scale.resolution * room;
    const step = steps.find((one) => one.length >= least) ?? steps.at(-1);
    const found = [];
    for (const at of instants(scale, step)) {
        if (at > scale.to || found.length > 200) break;
        if (at >= scale.from) found.push({ at, ...words(at, step) });
    }
    return found;
}

function* instants(scale, step) {
    if (step.months) {
        let { year, month } = clock(scale.from);
        month -= (month - 1) % step.months;
        for (let number = 0; number < 400; number++) yield instantOf(year, month + number * step.months, 1);
    } else if (step.days) {
        // Weeks begin on Mondays, whatever the view begins with.
        const start = dayStart(scale.from);
        const number = Math.round((start + offset(start)) / day);
        const back = step.days === 1 ? 0 : step.days === 2 ? ((number % 2) + 2) % 2
            : (((number - 4) % step.days) + step.days) % step.days;
        for (let index = 0; index < 900; index++) yield dayStart(start + hour, index * step.days - back);
    } else if (step.hours) {
        // Hour by hour, since a day may have 23 or 25.
        const first = Math.floor((scale.from + offset(scale.from)) / hour) * hour - offset(scale.from);
        for (let at = first; at <= scale.to; at += hour) {
            const round = at - (clock(at).minute ? clock(at).minute * minute : 0);
            if (clock(round).hour % step.hours === 0) yield round;
        }
    } else {
        const ahead = offset(scale.from);
        const first = Math.floor((scale.from + ahead) / step.length) * step.length - ahead;
        for (let at = first; at <= scale.to; at += step.length) yield at;
    }
}

function words(at, step) {
    const { hour: hours, minute: minutes, second: seconds, day: days, month } = clock(at);
    const isMidnight = !hours && !minutes && !seconds && at % second === 0;
    if (step.months) return { text: monthText(at), isGreat: month === 1 };
    if (step.days) return { text: step.days >= 7 || days === 1 ? shortDay(at).slice(4) : shortDay(at),
        isGreat: days === 1 };
    if (isMidnight) return { text: shortDay(at), isGreat: true };
    if (step.length >= minute) return { text: minuteText(at), isGreat: false };
    if (step.length >= second) return { text: timeText(at), isGreat: minutes === 0 && seconds === 0 };
    return { text: timeText(at, step.length >= 100 ? 1 : step.length >= 10 ? 2 : 3).slice(3), isGreat: false };
}

/** What the whole stretch is called: "2026-03-01", "2026-03-01 20:00 to 21:00". */
export function rangeWords(from, to) {
    const isDays = dayStart(from) === from && dayStart(to) === to;
    if (isDays) return dayStart(from, 1) === to ? dayText(from) : `${dayText(from)} to ${dayText(dayStart(to, -1))}`;
    const write = to - from < 10 * minute ? timeText : minuteText;
    return dayText(from) === dayText(to) ? `${dayText(from)} ${write(from)} to ${write(to)}`
        : `${dayText(from)} ${write(from)} to ${dayText(to)} ${write(to)}`;
}
