// What was chosen in the timeline: in words below the picture, and as the moment that began it.

import { ask } from "./api.js";
import { h } from "./dom.js";
import { address, search } from "./router.js";
import { mergedWords, spanTimes, spanTitle } from "./span-words.js";
import { instant, momentText, rfc } from "./zone.js";
import { conflictWords } from "./words.js";

/** The event that began a span: that of its play, else the nearest one of the device. */
export async function momentOf(device, span, at) {
    const target = span ? span.from : at;
    if (span?.play_id && span.activity !== "unobserved" && span.merged <= 1) {
        const near = await nearest(device, target, 1500);
        return near ?? span.play_id;
    }
    return await nearest(device, target, 5000) ?? await nearest(device, target, 600_000);
}

async function nearest(device, at, slack) {
    const { items } = await ask("/events", search({ device, from: rfc(at - slack), to: rfc(at + slack), limit: 100 }));
    let best = null;
    for (const item of items) {
        const distance = Math.abs(instant(item.observed_at) - at);
        if (!best || distance < best.distance) best = { distance, name: `${item.position}/${item.ordinal}` };
    }
    return best?.name ?? null;
}

/** A line about it, with what one can do. */
export function chosenWords(state, name, zoomTo, open) {
    const { chosen, cursor } = state;
    if (!chosen) return h("span", { class: "soft" },
        `${name}: ${cursor === null ? "choose a moment" : `not known at ${momentText(cursor)}`}`);
    const button = (words, action) => h("button", { type: "button", class: "plain small", on: { click: action } },
        words);
    if (chosen.sentence) {
        return [h("b", {}, name), h("span", {}, `${conflictWords(chosen.kind)}: ${chosen.sentence}`),
            h("span", { class: "soft" }, momentText(chosen.from)),
            button("Zoom to it", zoomTo), h("a", { href: address("conflicts", chosen.id) }, "Explain")];
    }
    return [h("b", {}, name), h("span", {}, spanTitle(chosen)), h("span", { class: "soft number" }, spanTimes(chosen)),
        mergedWords(chosen) ? h("span", { class: "soft" }, mergedWords(chosen)) : null, button("Zoom to it", zoomTo),
            button("Open the moment", open),
        chosen.play_id ? h("a", { href: address("history", chosen.play_id) }, "The play") : null];
}
