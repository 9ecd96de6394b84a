// One device: now, the last day as a strip, how well it was observed day by day, its facts, conflicts and plays.

import { ask, now, pathTo } from "./api.js";
import { conflictsOf } from "./conflicts.js";
import { makeCard, moveCard, showCard } from "./card.js";
import { identityWords, roundTrip, stateCell } from "./device-cells.js";
import { devices, loadDevices, onDevices } from "./devices-now.js";
import { fill, h } from "./dom.js";
import { facts, nothing, problemText, waiting } from "./parts.js";
import { address, search } from "./router.js";
import { strip } from "./strip.js";
import { activityWords, attachModes, named, plain, reasonWords, share, stretch } from "./words.js";
import { dayStart, dayText, instant, momentText, nearText, rfc, zoneName } from "./zone.js";

/** Shows a device by its id or name; returns how to leave it. */
export async function showDevice(main, name) {
    waiting(fill(main), "Loading the device");
    let device;
    try {
        const loaded = loadDevices();
        const answer = await ask(pathTo("devices", name));
        await loaded;
        device = { ...devices.get(answer.device_id), ...answer };
    } catch (error) {
        return void fill(main, problemText(error));
    }
    const id = device.device_id;
    const card = makeCard();
    card.classList.add("alone");
    const follow = () => devices.has(id) && showCard(card, devices.get(id));
    follow();
    const part = (title, load) => {
        const host = h("div", {});
        waiting(host, "Loading");
        load(host).catch((error) => fill(host, problemText(error)));
        return h("section", { class: "card" }, h("div", { class: "section-title" }, h("h2", {}, title)), host);
    };
    const present = now();
    fill(main,
        h("div", { class: "heading" }, h("h1", {}, device.name ?? id),
            h("a", { class: "button", href: address("timeline", null, { device: id }) }, "Timeline"),
            h("a", { class: "button", href: address("history", null, { device: id }) }, "History"),
            h("a", { class: "button", href: address("moment", null, { device: id }) }, "Events")),
        h("div", { class: "stack" },
            h("div", { class: "two" }, devices.has(id) ? card : null,
                h("section", { class: "card" }, whatItIs(device))),
            h("section", { class: "card" }, strip({ device: id, from: present - 86_400_000, to: present })),
            h("div", { class: "two" }, part("Observed, the last 14 days", (host) => coverage(host, id)),
                part("Conflicts, the last 7 days", (host) => conflicts(host, id))),
            part("Last plays", (host) => plays(host, id))));
    const stop = onDevices((ids) => (ids === null || ids.has(id)) && follow());
    const tick = setInterval(() => devices.has(id) && moveCard(card, devices.get(id)), 500);
    return () => {
        stop();
        clearInterval(tick);
    };
}

function whatItIs(device) {
    const firmware = Object.entries(device.firmware ?? {})
        .filter(([, value]) => value !== null && typeof value !== "object");
    return facts([
        ["State", h("span", {}, stateCell(device))], ["Model", device.model], ["Site", device.site],
        ["Addresses", [...new Set([device.address, ...(device.addresses ?? [])])].filter(Boolean)
            .map((one) => h("div", { class: "mono" }, typeof one === "string" ? one : one.address
            ?? JSON.stringify(one)))],
        ["Apps are", attachModes[device.attach_mode] ?? device.attach_mode], ["Identity", identityWords(device)],
        ["Round trip", roundTrip(device.round_trip_seconds)], ["Reconnects", device.reconnects],
            ["Storms", Array.isArray(device.storms) ? device.storms.length : device.storms],
        ["First seen", device.first_seen_at ? momentText(instant(device.first_seen_at)) : null],
            ["Last heard", device.last_heard_at ? momentText(instant(device.last_heard_at)) : "never"],
        ["Members", (device.group_members ?? device.members ?? []).map((one) => one.deviceId ?? one)
            .map((one) =>
            h("div", {}, h("a", { href: address("devices", one) }, named(devices.get(one) ?? { device_id: one }))))],
        ...firmware.map(([key, value]) => [plain(key), String(value)]),
        ["Id", h("span", { class: "mono" }, device.device_id)],
    ]);
}

async function coverage(host, id) {
    const to = dayStart(now(), 1);
    const { items } = await ask("/coverage",
        search({ device: id, from: rfc(dayStart(now(), -13)), to: rfc(to), zone: zoneName() }));
    const days = items.filter((row) => row.row === "day");
    if (!days.length) return void fill(host, nothing("Nothing is known yet."));
    const known = days.reduce((sum, row) => sum + row.known_seconds, 0);
    const observed = days.reduce((sum, row) => sum + row.observed_seconds, 0);
    const words = (row) => {
        const gaps = (row.gaps ?? []).map((gap) => `, ${reasonWords(gap.reason)} ${stretch(gap.seconds)}`);
        return `${row.day}: ${share(row.observed)}${gaps.join("")}`;
    };
    const byDay = new Map(days.map((row) => [row.day, row]));
    const names = Array.from({ length: 14 }, (_, index) => dayText(dayStart(now(), index - 13)));
    const column = (name) => {
        const row = byDay.get(name);
        if (!row?.known_seconds) return h("span", { title: `${name}: not known` });
        return h("span", { title: words(row), class: row.observed < 0.95 ? "low" : "" },
            h("i", { vars: { height: `${(row.observed ?? 0) * 100}%` } }));
    };
    fill(host, h("p", {}, h("b", {}, share(known ? observed / known : null)), ` of ${stretch(known)} known`),
        h("div", { class: "days", role: "img", "aria-label": days.map(words).join("; ") }, names.map(column)),
        h("p", { class: "soft row" }, h("span", { class: "grow" }, names[0]), names.at(-1)));
}

async function conflicts(host, id) {
    const lines = await conflictsOf(id);
    fill(host, lines.length ? lines : nothing("None."));
}

async function plays(host, id) {
    const { items } = await ask("/plays", search({ device: id, sort: "-started_at", limit: 10 }));
    if (!items.length) return void fill(host, nothing("None yet."));
    fill(host,
        h("table", { class: "dense" },
        h("thead", {},
        h("tr", {}, ["Started", "App", "Title", "Played", "End"].map((words) => h("th", { scope: "col" }, words)))),
        h("tbody", {},
            items.map((play) =>
            h("tr", {},
            h("td", { class: "time" },
            h("a", { href: address("history", play.play_id) }, nearText(instant(play.started_at), now()))),
            h("td", {}, play.app_name ?? ""), h("td", {}, play.title ?? play.content_id ?? "–"),
                h("td", { class: "number" }, stretch(play.played_seconds)),
            h("td", {}, play.ended_at ? plain(play.end_reason ?? "unknown") : `now ${activityWords(play.phase)}`))))));
}
