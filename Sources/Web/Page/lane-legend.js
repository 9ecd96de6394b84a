// What the bars of lanes mean.

import { append, fill, h } from "./dom.js";
import { swatch } from "./paint.js";
import { activityWords } from "./words.js";

/** One of each that looks different. */
const explained = ["playing", "paused", "buffering", "advertisement", "unknown", "app_only", "idle", "standby",
    "unobserved"];

/** Where two look the same. */
const shared = { buffering: "loading, buffering", standby: "standby, other input" };

/** A sample of each bar with its words. */
export function laneLegend() {
    const list = h("ul", { class: "legend", "aria-label": "What the bars mean" });
    const samples = explained.map((name) => [name, shared[name] ?? activityWords(name)]);
    return fill(list, [...samples, ["conflict", "conflict"]].map(([name, words]) =>
        append(h("li", {}, h("span", { class: "swatch" }, swatch(name))), words)));
}
