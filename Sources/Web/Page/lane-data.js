// The spans of lanes, as coarse as the view needs them, asked for in small portions: those in view, and a bit beyond.

import { ask, now } from "./api.js";
import { search } from "./router.js";
import { instant, rfc } from "./zone.js";

/** So many devices are asked for at once: the first lanes come soon, and one answer stays small. */
const portion = 20;

/** The longest stretch that the API tells at once, in milliseconds. */
const longest = 400 * 86_400_000;

/** What is kept of lanes out of view, at most. */
const mostKept = 600;

export class LaneData {
    #lanes = new Map();
    #conflicts = new Map();
    #asking = new Map();
    #stale = new Set();
    #changed;

    /** `changed` is called when there is more to paint; `failed` with a problem. */
    constructor(changed, failed) {
        this.#changed = changed;
        this.failed = failed;
    }

    /** What is known of a lane: `spans`, `coverage`, from when to when; undefined while nothing is. */
    lane(id) {
        return this.#lanes.get(id);
    }

    /** The conflicts of a device that are loaded, in the order of time. */
    conflicts(id) {
        return this.#conflicts.get(id) ?? [];
    }

    /** Something happened there: what is loaded no longer reaches far enough. */
    outdate(id) {
        this.#stale.add(id);
    }

    /** Whether some lane that was wanted is not there yet. */
    get isWaiting() {
        return this.#asking.size > 0;
    }

    /** Sees to it that the lanes of these devices are there for a view. */
    want(ids, scale) {
        const missing = ids.filter((id) => !this.#asking.has(id) && !this.#fits(id, scale));
        for (let start = 0; start < missing.length; start += portion) this.#load(missing.slice(start, start + portion),
            scale);
    }

    /** Whether a lane covers the view, is fine enough for it, and not much too fine. */
    #fits(id, scale) {
        const lane = this.#lanes.get(id);
        if (!lane || this.#stale.has(id)) return false;
        const end = Math.min(scale.to, lane.askedAt);
        return lane.from <= scale.from && lane.to >= end && lane.resolution <= scale.resolution * 1.01
            && lane.resolution >= scale.resolution / 16;
    }

    async #load(ids, scale) {
        const length = scale.to - scale.from;
        // Rounded, so that the same question is asked again and again while one moves a little.
        const grain = 2 ** Math.floor(Math.log2(length / 64));
        const margin = Math.min(length / 3, (longest - length) / 2);
        const from = Math.floor((scale.from - margin) / grain) * grain;
        const to = Math.min(Math.ceil((scale.to + margin) / grain) * grain, from + longest);
        const resolution = 2 ** Math.floor(Math.log2(scale.resolution));
        const controller = new AbortController();
        for (const id of ids) {
            this.#asking.set(id, controller);
            this.#stale.delete(id);
        }
        const askedAt = now();
        try {
            const answer = await ask("/timeline", search({
                from: rfc(from), to: rfc(to), device: ids, resolution: Number((resolution / 1000).toPrecision(6)),
            }), { signal: controller.signal });
            const known = new Set(ids);
            for (const id of ids) this.#conflicts.set(id, []);
            for (const lane of answer.lanes) this.#keep(lane, { from, to, resolution, askedAt });
            for (const lane of answer.lanes) known.delete(lane.device_id);
            // Whoever is not told of was not known then.
            for (const id of known) this.#keep({ device_id: id, spans: [], totals: {}, coverage: null },
                { from, to, resolution, askedAt });
            for (const conflict of answer.conflicts ?? []) {
                conflict.from = instant(conflict.from);
                conflict.to = instant(conflict.to);
                this.#conflicts.get(conflict.device_id)?.push(conflict);
            }
            for (const id of ids) this.#conflicts.get(id).sort((one, other) => one.from - other.from);
        } catch (error) {
            if (error.name !== "AbortError") this.failed(error);
        } finally {
            for (const id of ids) this.#asking.delete(id);
            this.#changed();
        }
    }

    #keep(lane, loaded) {
        for (const span of lane.spans) {
            span.from = instant(span.from);
            span.to = instant(span.to);
        }
        this.#lanes.delete(lane.device_id);
        this.#lanes.set(lane.device_id,
            { ...loaded, spans: lane.spans, totals: lane.totals ?? {}, coverage: lane.coverage });
        while (this.#lanes.size > mostKept) this.#lanes.delete(this.#lanes.keys().next().value);
    }

    /** Ends all questions. */
    stop() {
        for (const controller of this.#asking.values()) controller.abort();
    }
}

/** The span at an instant, or null. */
export function spanAt(spans, at, slack = 0) {
    let best = null;
    for (const span of spans) {
        if (span.from > at + slack) break;
        if (span.to < at - slack) continue;
        if (at >= span.from && at < span.to && (!best || span.to - span.from < best.to - best.from)) best = span;
        else if (!best && slack) best = span;
        // Something short beside the pointer is what is meant.
        else if (slack && span.to - span.from < slack) best = span;
    }
    return best;
}

/** The boundaries of spans, for walking along a lane. */
export function stepFrom(spans, at, direction) {
    if (direction > 0) return spans.find((span) => span.from > at + 0.5) ?? null;
    return spans.findLast((span) => span.from < at - 0.5) ?? null;
}

/** The first conflict of any row after an instant, with the row's place; null where none is loaded. */
export function conflictAfter(rows, data, after) {
    let best = null;
    rows.forEach((row, index) => {
        for (const one of row.device ? data.conflicts(row.device) : []) {
            if (one.from > after && (!best || one.from < best.one.from)) best = { one, index };
        }
    });
    return best;
}
