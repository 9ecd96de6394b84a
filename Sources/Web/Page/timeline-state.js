// What the timeline shows, and how that stands in the page's address.

import { now } from "./api.js";
import { Scale } from "./axis.js";
import { keep, search } from "./router.js";
import { instant, rfc } from "./zone.js";

/** The longest period that is drawn, in milliseconds: as long as the API tells. */
const longest = 400 * 86_400_000;

/** The state that an address asks for: the last day, where it asks for none. */
export function readState(parameters) {
    const asked = Number(parameters.get("last"));
    const last = asked > 0 ? Math.min(asked, longest / 1000) : null;
    const from = instant(parameters.get("from"));
    const to = instant(parameters.get("to"));
    const isRange = Number.isFinite(from) && Number.isFinite(to) && from !== null && to > from && to - from <= longest;
    const length = (last ?? 86_400) * 1000;
    const end = now() + length * 0.02;
    return {
        scale: isRange ? new Scale(from, to, 1000) : new Scale(end - length, end, 1000), follow: !isRange,
        cursor: null, hover: null, selection: null, chosen: null, row: 0, rows: [],
        text: parameters.get("q") ?? "", order: parameters.get("order") ?? "group",
        wanted: parameters.getAll("device"), folded: new Set(parameters.getAll("folded")),
        isTable: parameters.get("view") === "table",
    };
}

/** Puts a state into the address. */
export function keepState(state) {
    const { scale, follow } = state;
    keep(search({
        last: follow ? Math.round((scale.to - scale.from) / 1000) : null,
        from: follow ? null : rfc(scale.from), to: follow ? null : rfc(scale.to),
        device: state.wanted, q: state.text, order: state.order === "group" ? null : state.order,
        folded: [...state.folded], view: state.isTable ? "table" : null,
    }));
}
