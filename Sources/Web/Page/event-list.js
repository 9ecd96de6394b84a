// A list of change events: when, what, whose; each leads to its moment.

import { fill, h } from "./dom.js";
import { address } from "./router.js";
import { dayText, instant, shortDay, timeText } from "./zone.js";
import { named, plain } from "./words.js";

/** The name of a change event, as the command line prints it. */
export const eventName = (event) => event.event_id ?? event.event ?? `${event.position}/${event.ordinal}`;

/** What happened: the ledger's sentence, or the kind where there is none. */
export const eventWords = (event) => event.sentence ?? plain(event.kind);

/** One line of a list. `options`: `current` (a name), `evidence` (a set of names), `withDevice`,
    `parameters` for links. */
function eventLine(event, { current = null, evidence = null, withDevice = false, parameters = {} } = {}) {
    const name = eventName(event);
    const isEvidence = evidence?.has(name) ?? false;
    return h("li", {}, h("a", {
        href: address("moment", name, parameters), "aria-current": name === current ? "true" : null,
        class: `${isEvidence ? "evidence" : ""}${event.effective === false ? " same" : ""}`, data: { event: name },
    },
    h("span", { class: "when" }, timeText(instant(event.observed_at), 3)),
    h("span", {}, isEvidence ? h("span", { class: "hidden" }, "evidence: ") : null, eventWords(event)),
    withDevice ? h("span", { class: "whose" }, named(event)) : null));
}

/** Lines with a heading for each day; `last` is the day of the line above, and is returned with the lines. */
export function eventLines(events, options = {}, last = null) {
    const lines = [];
    for (const event of events) {
        const day = dayText(instant(event.observed_at));
        if (day !== last) lines.push(h("li", { class: "day" },
            `${shortDay(instant(event.observed_at))} ${day.slice(0, 4)}`));
        last = day;
        lines.push(eventLine(event, options));
    }
    return { lines, last };
}

/** A whole list. */
export function eventList(events, options = {}) {
    return fill(h("ol", { class: "event-list" }), eventLines(events, options).lines);
}
