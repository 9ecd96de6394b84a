// The timeline as a table: the same lanes and states in text, for screen readers and for whoever prefers to read.

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { nothing, problemText, waiting } from "./parts.js";
import { address, search } from "./router.js";
import { instant, momentText, rfc, zoneName } from "./zone.js";
import { activityWords, reasonWords, stretch } from "./words.js";

const mostDevices = 20;
const mostRows = 2000;
let turn = 0;

/** Puts the states of the first lanes, within the view, into `host`. */
export async function laneTable(host, state) {
    const mine = ++turn;
    const { from, to } = state.scale;
    const rows = state.rows.filter((row) => row.device);
    const names = new Map(rows.map((row) => [row.device, row.name]));
    const ids = rows.slice(0, mostDevices).map((row) => row.device);
    if (!ids.length) return void fill(host, nothing("No device"));
    if (!host.firstChild) waiting(host, "Loading states");
    try {
        const answer = await ask("/timeline",
            search({ from: rfc(from), to: rfc(to), device: ids, resolution: Math.max(0, (to - from) / 1000 / 400)
            .toFixed(3) }));
        if (mine !== turn) return;
        const spans = answer.lanes.flatMap((lane) =>
            lane.spans.map((span) => ({ ...span, device_id: lane.device_id })));
        fill(host, h("table", { class: "dense" },
            h("caption", { class: "hidden" }, "States of devices"),
            h("thead", {},
                h("tr", {}, ["Device", `From, ${zoneName()}`, "For", "State", "What", "Why not observed"].map((words) =>
                h("th", { scope: "col" }, words)))),
            h("tbody", {}, spans.slice(0, mostRows).map((span) => {
                const start = instant(span.from);
                return h("tr", {},
                    h("th", { scope: "row" },
                        h("a", { href: address("devices", span.device_id) }, names.get(span.device_id))),
                    h("td", { class: "time" }, momentText(start)),
                        h("td", { class: "number" }, stretch((instant(span.to) - start) / 1000)),
                    h("td", {}, activityWords(span.activity)),
                    h("td", {}, span.play_id ? h("a", { href: address("history", span.play_id) }, span.title ?? span.app
                        ?? "play") : span.title ?? span.app ?? ""),
                    h("td", {}, span.reason ? reasonWords(span.reason) : ""));
            }))),
        spans.length > mostRows || rows.length > mostDevices
            ? nothing(`The first ${mostDevices} devices and ${mostRows} states; find a device or zoom in for others.`)
                : null);
    } catch (error) {
        if (mine === turn) fill(host, problemText(error));
    }
}
