// The filters of lists: fields that stand in the address, and go to the API, to exports and to reports as they are.
//
// One list of names for all, so that a table, its file and its report can never have been filtered differently.

import { fill, h, throttled } from "./dom.js";
import { devices } from "./devices-now.js";
import { icon } from "./icons.js";
import { dayStart, dayText, instant, instantOf, momentText, rfc, shortDay, zoneName } from "./zone.js";
import { now } from "./api.js";
import { named, plain } from "./words.js";

const endReasons = ["finished", "stopped", "replaced", "failed", "app_closed", "app_replaced", "device_lost",
    "recording_stopped", "transferred", "unknown"];
const startCauses = ["sender_request", "receiver", "cloud", "already_playing", "transfer", "unknown"];
const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** Every filter: its words, and what its field is. */
const fields = {
    device: { words: "Device", kind: "device" },
    group: { words: "Group", kind: "device" },
    site: { words: "Site", kind: "text" },
    app: { words: "App", kind: "text" },
    title: { words: "Title", kind: "search" },
    kind: { words: "Kind", kind: "kind" },
    end_reason: { words: "Ended because", kind: "choice", values: endReasons },
    start_cause: { words: "Started by", kind: "choice", values: startCauses },
    min: { words: "At least", kind: "short", hint: "30s, 5m" },
    between: { words: "Time of day", kind: "short", hint: "18:00-23:00" },
    weekday: { words: "Weekday", kind: "choice", values: weekdays },
};

const periods = [["today", "today"], ["yesterday", "yesterday"], ["24h", "last 24 hours"], ["7d", "last 7 days"],
    ["30d", "last 30 days"],
    ["365d", "last year"], ["", "all"]];

/** From when to when a period is: an object of `from` and `to`, as the API takes them. */
export function period(name, present = now()) {
    if (name === "today") return { from: rfc(dayStart(present)) };
    if (name === "yesterday") return { from: rfc(dayStart(present, -1)), to: rfc(dayStart(present)) };
    const [, number, unit] = /^(\d+)([hd])$/.exec(name ?? "") ?? [];
    if (!number) return {};
    // To the minute: the same address gives the same answer for as long.
    return { from: rfc(Math.floor(present / 60_000) * 60_000 - number * (unit === "h" ? 3_600_000 : 86_400_000)) };
}

export class Filters {
    /** `names`: which filters there are; `standard`: the period where none is named; `changed`: what to do then. */
    constructor(names, parameters, { standard = "7d", kinds = [] }, changed) {
        this.names = names;
        this.standard = standard;
        this.kinds = kinds;
        this.changed = changed;
        this.values = {};
        for (const name of names) this.values[name] = parameters.getAll(name);
        this.period = parameters.get("period");
        this.from = parameters.get("from");
        this.to = parameters.get("to");
        this.element = h("div", { class: "filter-box" });
        this.draw();
    }

    /** What stands in the address. */
    get inAddress() {
        return { ...this.values, period: this.period, from: this.from, to: this.to };
    }

    /** What the API is asked. */
    get question() {
        const range = this.from || this.to ? { from: this.from, to: this.to } : period(this.period ?? this.standard);
        const { weekday } = this.values;
        return { ...this.values, ...(weekday?.length ? { weekday: weekday.join(",") } : {}), ...range,
            zone: zoneName() === "UTC" ? null : zoneName() };
    }

    set(name, list) {
        this.values[name] = list;
        this.draw();
        this.changed();
    }

    draw() {
        const present = this.from || this.to ? "range" : this.period ?? this.standard;
        const chooser = h("select", { "aria-label": "Period", on: { change: () => this.#choosePeriod(chooser.value) } },
            periods.map(([value, words]) => h("option", { value, selected: value === present }, words)),
            h("option", { value: "range", selected: present === "range" }, "from … to …"));
        const common = this.names.slice(0, 3);
        const rare = this.names.slice(3);
        const hasRare = rare.some((name) => this.values[name].length);
        fill(this.element,
            h("div", { class: "filters" }, h("label", {}, "Period", chooser), present === "range" ? this.#rangeFields()
                : null,
                common.map((name) => this.#field(name)),
                rare.length ? h("details", { open: hasRare }, h("summary", { class: "soft" }, "More filters"),
                    h("div", { class: "filters rare" }, rare.map((name) => this.#field(name)))) : null),
            this.#activeOnes());
    }

    #choosePeriod(value) {
        if (value === "range") {
            const { from, to } = period(this.period ?? this.standard);
            this.from = from ?? rfc(dayStart(now(), -7));
            this.to = to ?? rfc(dayStart(now(), 1));
        } else {
            this.period = value === this.standard ? null : value;
            this.from = this.to = null;
        }
        this.draw();
        this.changed();
    }

    #rangeFields() {
        const field = (name, words) => {
            const input = h("input", { type: "text", value: this[name] ? momentText(instant(this[name]))
                .replace(" 00:00:00", "") : "",
                placeholder: "2026-03-01 20:00", "aria-label": words, on: { change: () => {
                    const at = readMoment(input.value);
                    if (at === null && input.value.trim()) return input.setCustomValidity(
                        "a day or a time: 2026-03-01 20:00"), void input.reportValidity();
                    input.setCustomValidity("");
                    this[name] = at === null ? null : rfc(at);
                    this.changed();
                } } });
            return h("label", {}, words, input);
        };
        return [field("from", "From"), field("to", "To")];
    }

    #field(name) {
        const { words, kind, values, hint } = fields[name];
        const current = this.values[name];
        if (kind === "choice" || kind === "kind") {
            const list = kind === "kind" ? this.kinds : values;
            const select = h("select",
                { "aria-label": words,
                on: { change: () => select.value && this.set(name, [...new Set([...current, select.value])]) } },
                h("option", { value: "" }, current.length ? "add" : "any"), list.filter((one) => !current.includes(one))
                    .map((one) =>
                    h("option", { value: one }, plain(one))));
            return h("label", {}, words, select);
        }
        const isMany = kind === "device";
        const list = isMany ? "devices-known" : null;
        const take = () => {
            const text = input.value.trim();
            if (isMany && !text) return;
            const list = name === "device" ? [...new Set([...current, idOf(text)])] : text
                ? [isMany ? idOf(text) : text] : [];
            this.set(name, list);
        };
        const input = h("input", { type: kind === "search" ? "search" : "text", class: kind === "short" ? "short" : "",
            list, placeholder: hint ?? "",
            value: isMany ? "" : current[0] ?? "", "aria-label": words, id: name === "title" || name === "device"
                && !this.names.includes("title") ? "finder" : null,
            on: { change: take, focus: () => isMany && knownDevices() } });
        if (kind === "search") input.addEventListener("input", throttled(250, () => {
            this.values[name] = input.value.trim() ? [input.value.trim()] : [];
            this.changed();
        }));
        return h("label", {}, words, input);
    }

    #activeOnes() {
        const shown = (name, value) => {
            if (fields[name].kind !== "device") return plain(value);
            return devices.has(value) ? named(devices.get(value)) : value;
        };
        const chips = this.names.flatMap((name) => this.values[name].map((value) => h("button", {
            type: "button", "aria-label": `Remove the filter ${fields[name].words} ${value}`,
            on: { click: () => this.set(name, this.values[name].filter((one) => one !== value)) },
        }, `${fields[name].words}: ${shown(name, value)}`, icon("close"))));
        if (this.from && this.to) {
            const [from, to] = [instant(this.from), instant(this.to)];
            chips.push(h("span", { class: "soft" },
                `${shortDay(from)} to ${shortDay(to)}, ${dayText(to).slice(0, 4)}`));
        }
        return chips.length ? h("div", { class: "active-filters" }, chips) : null;
    }
}

/** A day or a time as people type it, on the clocks of the zone. */
function readMoment(text) {
    const clean = text.trim().replace(" ", "T");
    if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(clean)) return instant(clean);
    const match = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(clean);
    if (!match) return null;
    const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
    const guess = Date.UTC(year, month - 1, day, hour, minute, second);
    return Number.isFinite(guess) ? instantOf(year, month, day, hour, minute, second) : null;
}

const idOf = (text) => [...devices.values()].find((item) => item.device === text)?.device_id ?? text;

/** The names offered while one types; one list for the page. */
function knownDevices() {
    let list = document.getElementById("devices-known");
    if (!list) document.body.append(list = h("datalist", { id: "devices-known" }));
    if (list.children.length !== devices.size) fill(list,
        [...devices.values()].map((item) => h("option", { value: named(item) })));
}
