// A short piece of one lane, beside what happened in it: where one is, at a glance, and one click from the timeline.

import { ask } from "./api.js";
import { Scale, marks, rangeWords } from "./axis.js";
import { h } from "./dom.js";
import { colors, paintConflict, paintLane, prepared } from "./paint.js";
import { address, search } from "./router.js";
import { onTheme } from "./theme.js";
import { instant, rfc } from "./zone.js";

/** A strip of a device; `dots` are instants to mark, `at` the one it is about. Returns the element,
    and paints it when it knows. */
export function strip({ device, from, to, at = null, dots = [] }) {
    const canvas = h("canvas", { "aria-hidden": "true" });
    const link = h("a", { href: address("timeline", null, { device, from: rfc(from), to: rfc(to) }),
        class: "strip-link" },
        `${rangeWords(from, to)} in the timeline`);
    const element = h("div", { class: "strip" }, canvas, link);
    let answer = null;
    const paint = () => {
        const width = element.clientWidth;
        if (!width) return;
        const scale = new Scale(from, to, width);
        const context = prepared(canvas, width, 52);
        const color = colors();
        context.font = `11px ${color.text}`;
        context.textBaseline = "middle";
        for (const mark of marks(scale)) {
            context.fillStyle = color.grid;
            context.fillRect(Math.round(scale.x(mark.at)), 14, 1, 38);
            context.fillStyle = color.soft;
            if (scale.x(mark.at) + 3 + context.measureText(mark.text).width < width) {
                context.fillText(mark.text, Math.round(scale.x(mark.at)) + 3, 6);
            }
        }
        paintLane(context, answer?.spans ?? [], scale, 22, 20);
        for (const conflict of answer?.conflicts ?? []) paintConflict(context, scale.x(conflict.from), 16);
        context.fillStyle = color.ink;
        for (const dot of dots) context.fillRect(Math.round(scale.x(dot)) - 1, 44, 2, 8);
        if (at !== null) {
            context.fillStyle = color.conflict;
            context.fillRect(Math.round(scale.x(at)) - 1, 14, 2, 38);
        }
    };
    new ResizeObserver(paint).observe(element);
    onTheme(() => element.isConnected && paint());
    ask("/timeline",
        search({ device, from: rfc(from), to: rfc(to), resolution: ((to - from) / 1000 / 1000).toPrecision(4) }))
        .then((found) => {
        const spans = found.lanes.find((lane) => lane.device_id === device)?.spans ?? [];
        const times = (one) => ({ ...one, from: instant(one.from), to: instant(one.to) });
        answer = { spans: spans.map(times), conflicts: (found.conflicts ?? []).map(times) };
        paint();
    }, () => {});
    return element;
}
