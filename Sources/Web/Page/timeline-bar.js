// The bar above the timeline: how long, from when, which devices, and as what.

import { rangeWords } from "./axis.js";
import { h, setText, throttled } from "./dom.js";
import { icon } from "./icons.js";
import { zoneName } from "./zone.js";

const presets = [["1 h", 3600], ["6 h", 21_600], ["24 h", 86_400], ["7 d", 604_800], ["30 d", 2_592_000],
    ["1 y", 31_557_600]];
const orders = [["group", "groups with members"], ["site", "by site"]];

/**
 * Makes the bar. `deeds`: `follow(seconds or null)`, `stopFollowing()`, `shift(part of the length)`, `find(text)`,
 * `arrange(order)`, `toggleTable()`. Gives its `element`, `show()`, and `showRange()`, which is all that moves by itself.
 */
export function timelineBar(state, deeds) {
    const range = h("span", { class: "range-words", "aria-live": "off" });
    const buttons = presets.map(([words, seconds]) => h("button", { type: "button", data: { seconds },
        on: { click: () => deeds.follow(seconds) } }, words));
    const live = h("button", { class: "plain", type: "button",
        on: { click: () => (state.follow ? deeds.stopFollowing() : deeds.follow(null)) } }, "Follow");
    const table = h("button", { class: "plain", type: "button", on: { click: () => deeds.toggleTable() } },
        "As a table");
    const finder = h("input", { type: "search", id: "finder", placeholder: "Find a device",
        "aria-label": "Find a device", value: state.text,
        on: { input: throttled(80, () => deeds.find(finder.value)) } });
    const order = h("select", { "aria-label": "Arrange", on: { change: () => deeds.arrange(order.value) } },
        orders.map(([value, words]) => h("option", { value, selected: state.order === value }, words)));
    const step = (part, drawing, words) => h("button", { class: "icon step", type: "button", "aria-label": words,
        title: words, on: { click: () => deeds.shift(part) } }, icon(drawing));
    const element = h("div", { class: "bar-top" },
        h("div", { class: "row" }, h("div", { class: "presets", role: "group", "aria-label": "Length" }, buttons),
            step(-0.5, "left", "Earlier"), step(0.5, "right", "Later"), live, range),
        h("div", { class: "row" }, finder, order, table));

    const showRange = () => setText(range, `${rangeWords(state.scale.from, state.scale.to)} ${zoneName()}`);
    const show = () => {
        showRange();
        const seconds = Math.round((state.scale.to - state.scale.from) / 1000);
        for (const button of buttons) {
            const isIt = state.follow && Math.abs(Number(button.dataset.seconds) / seconds - 1) < 0.01;
            button.setAttribute("aria-pressed", String(isIt));
        }
        live.setAttribute("aria-pressed", String(state.follow));
        table.setAttribute("aria-pressed", String(state.isTable));
    };
    return { element, show, showRange };
}
