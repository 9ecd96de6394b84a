// Devices: what each is, how it is reached, how well it was observed.

import { askAll, now } from "./api.js";
import { identityWords, roundTrip, stateCell } from "./device-cells.js";
import { devices, loadDevices } from "./devices-now.js";
import { fill, h, setText, throttled } from "./dom.js";
import { showDevice } from "./device.js";
import { growing, nothing, problemText, waiting, walkRows } from "./parts.js";
import { address, go, keep, search } from "./router.js";
import { age, attachModes, share } from "./words.js";
import { instant, momentText } from "./zone.js";

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const text = (value) => value ?? "";

/** The columns: words, the value that sorts, and what is shown. */
const columns = [
    { name: "name", words: "Device", value: (one) => text(one.name ?? one.device_id),
        cell: (one) => h("a", { href: address("devices", one.device_id) }, one.name ?? one.device_id) },
    { name: "state", words: "State", value: (one) => one.state, cell: stateCell },
    { name: "model", words: "Model", value: (one) => text(one.model), cell: (one) => text(one.model) },
    { name: "site", words: "Site", value: (one) => text(one.site), cell: (one) => text(one.site) },
    { name: "address", words: "Address", value: (one) => text(one.address),
        cell: (one) => h("span", { class: "mono" }, text(one.address)) },
    { name: "identity", words: "Identity", value: (one) => text(identityWords(one)),
        cell: (one) => h("span", { class: identityWords(one) === "failed" ? "tag warn" : "" },
        text(identityWords(one))) },
    { name: "heard", words: "Heard", isNumber: true, value: (one) => -(instant(one.last_heard_at) ?? 0),
        cell: (one) => (one.last_heard_at
        ? h("span", { title: momentText(instant(one.last_heard_at)) },
            `${age(Math.max(0, now() - instant(one.last_heard_at)) / 1000)} ago`) : "never") },
    { name: "round_trip", words: "Round trip", isNumber: true, value: (one) => one.round_trip_seconds ?? -1,
        cell: (one) => roundTrip(one.round_trip_seconds) },
    { name: "conflicts", words: "Conflicts", isNumber: true, value: (one) => one.conflicts ?? -1,
        cell: (one) =>
        (one.conflicts ? h("a", { href: address("conflicts", null, { device: one.device_id }) }, String(one.conflicts))
        : "") },
    { name: "joins", words: "Apps are", value: (one) => text(one.attach_mode),
        cell: (one) => text(one.attach_mode && attachModes[one.attach_mode]) },
    { name: "reconnects", words: "Reconnects", isNumber: true, value: (one) => one.reconnects ?? -1,
        cell: (one) => text(one.reconnects) },
    { name: "storms", words: "Storms", isNumber: true, value: (one) => countOf(one.storms) ?? -1,
        cell: (one) => text(countOf(one.storms)) },
    { name: "coverage", words: "Observed, 24 h", isNumber: true, value: (one) => one.coverage ?? -1,
        cell: (one) => shareCell(one.coverage) },
];

const countOf = (storms) => (Array.isArray(storms) ? storms.length : storms);

/** A share with a small bar. */
function shareCell(part) {
    if (part === null || part === undefined) return "";
    return [h("span", { class: `meter${part < 0.95 ? " low" : ""}`, "aria-hidden": "true" },
        h("i", { vars: { width: `${Math.max(0, Math.min(1, part)) * 100}%` } })), share(part)];
}

/** Shows the screen; returns how to leave it. */
export async function showDevices(main, { name, parameters }) {
    if (name) return showDevice(main, name);
    const state = { text: parameters.get("q") ?? "", sort: parameters.get("sort") ?? "name" };
    waiting(fill(main), "Loading devices");
    let all;
    try {
        const [listed] = await Promise.all([askAll("/devices", {}), loadDevices()]);
        // Site, share and the like are told with what a device does now.
        all = listed.map((one) => ({ ...devices.get(one.device_id), ...one }));
    } catch (error) {
        return void fill(main, problemText(error));
    }
    const finder = h("input", { type: "search", id: "finder", placeholder: "Find a device",
        "aria-label": "Find a device", value: state.text });
    const tally = h("p", { class: "soft tally", "aria-live": "polite" });
    const head = h("thead", {});
    const body = h("tbody", {});
    const foot = h("div", {});
    // What no device tells has no column.
    const shown = columns.filter((column) => ["name", "state"].includes(column.name)
        || all.some((one) => ![null, undefined, "", -1].includes(column.value(one))));
    let list = null;
    const draw = () => {
        keep(search({ q: state.text, sort: state.sort === "name" ? null : state.sort }));
        const isDown = state.sort.startsWith("-");
        const column = shown.find((one) => one.name === state.sort.replace("-", "")) ?? shown[0];
        const part = state.text.trim().toLowerCase();
        const rows = all.filter((one) => !part || [one.name, one.model, one.site, one.address, one.device_id,
            one.state].some((any) => String(any ?? "").toLowerCase().includes(part)));
        const compare = (one, other) => (typeof one === "number" && typeof other === "number" ? one - other
            : collator.compare(String(one ?? ""), String(other ?? "")));
        rows.sort((one, other) => compare(column.value(one), column.value(other)) * (isDown ? -1 : 1)
            || collator.compare(text(one.name), text(other.name)));
        setText(tally, rows.length === all.length ? `${all.length.toLocaleString("en-US")} devices`
            : `${rows.length} of ${all.length.toLocaleString("en-US")} devices`);
        fill(head,
            h("tr", {},
            shown.map((one) =>
            h("th", { scope: "col", class: one.isNumber ? "number" : null, "aria-sort": one === column ? isDown
            ? "descending" : "ascending" : null },
            h("button", { type: "button", on: { click: () => {
                state.sort = one === column && !isDown ? `-${one.name}` : one.name;
                draw();
            } } }, one.words, one === column ? isDown ? " ↓" : " ↑" : "")))));
        let next = 0;
        list?.stop();
        fill(body);
        list = growing(body, () => {
            const part100 = rows.slice(next, next + 100);
            next += 100;
            return part100.map((one) =>
                h("tr", { tabIndex: 0, data: { device: one.device_id }, on: { keydown: (event) =>
                event.key === "Enter" && event.target === event.currentTarget && go("devices", one.device_id) } },
            shown.map((column) => h("td", { class: column.name === "name" ? "lead" : column.isNumber ? "number" : null,
                data: { label: column.words } }, column.cell(one)))));
        });
        fill(foot, rows.length ? list.end : nothing("No device has that in its name."));
        list.grow();
    };
    finder.addEventListener("input", throttled(80, () => {
        state.text = finder.value;
        draw();
    }));
    fill(main, h("div", { class: "heading" }, h("h1", {}, "Devices"), finder), tally,
        h("div", { class: "table-box" }, h("table", { class: "stacked" }, h("caption", { class: "hidden" }, "Devices"),
            head, body)),
            foot);
    walkRows(body, "tr");
    draw();
    return () => list?.stop();
}

/** The keys of this screen. */
export const deviceKeys = [
    ["/", "find a device", () => document.getElementById("finder")?.focus()],
    ["j k", "the next row, the one before", () => document.querySelector("tbody tr")?.focus()],
        ["Enter", "open the device"],
];
