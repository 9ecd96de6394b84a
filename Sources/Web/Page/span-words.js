// A span or conflict of a lane in words: beside the pointer, below the picture, and for screen readers.

import { h } from "./dom.js";
import { momentText, nearText, timeText } from "./zone.js";
import { activityWords, conflictWords, count, reasonWords, stretch } from "./words.js";

/** What a span is: "playing “A Quiet Harbour” (YouTube)". */
export function spanTitle(span) {
    const what = [span.title, span.app && span.app !== span.title ? `(${span.app})` : null].filter(Boolean).join(" ");
    const reason = span.reason ? `: ${reasonWords(span.reason)}` : "";
    return activityWords(span.activity) + reason
        + (what ? ` ${span.title ? "“" + span.title + "”" + (span.app ? ` (${span.app})` : "") : what}` : "");
}

/** From when to when, and for how long. */
export function spanTimes(span) {
    const seconds = (span.to - span.from) / 1000;
    const digits = seconds < 10 ? 3 : 0;
    return `${momentText(span.from, digits)} to ${nearDigits(span, digits)}, ${stretch(seconds)}`;
}

function nearDigits(span, digits) {
    return digits ? timeText(span.to, digits) : nearText(span.to, span.from);
}

/** How many states were too short for the picture. */
export const mergedWords = (span) =>
    (span.merged > 1 ? `${count(span.merged, "state")}, too short to be told apart at this zoom` : null);

/** The box beside the pointer. */
export function tipContent(name, span, conflicts, at) {
    return [
        h("b", {}, name),
        span ? [h("div", {}, spanTitle(span)), h("div", { class: "soft" }, spanTimes(span)),
            mergedWords(span) ? h("div", { class: "soft" }, mergedWords(span)) : null]
            : h("div", { class: "soft" }, at === null ? "" : "not known"),
        conflicts.map((conflict) => h("div", { class: "conflict-line" },
            `${conflictWords(conflict.kind)}: ${conflict.sentence}`)),
    ];
}

/** Everything in one sentence. */
export function spokenSpan(name, chosen) {
    if (!chosen) return `${name}: not known here`;
    if (chosen.sentence) return `${name}, conflict: ${chosen.sentence}, ${momentText(chosen.from)}`;
    return [name, spanTitle(chosen), spanTimes(chosen), mergedWords(chosen)].filter(Boolean).join(", ");
}
