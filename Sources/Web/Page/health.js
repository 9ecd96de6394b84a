// Storage and health: is the recorder well, how much is kept, for how long is there room, and is the archive intact.

import { address as apiAddress, ask } from "./api.js";
import { fill, h } from "./dom.js";
import { facts, nothing, problemText, waiting } from "./parts.js";
import { address } from "./router.js";
import { onLive } from "./stream.js";
import { instant, momentText, zoneName } from "./zone.js";
import { age, bytes, count, named, percent, stretch } from "./words.js";

/** Shows the screen; returns how to leave it. */
export async function showHealth(main) {
    const host = h("div", { class: "stack" });
    fill(main, h("div", { class: "heading" }, h("h1", {}, "Storage and health"),
        h("a", { class: "button", href: apiAddress("/openapi.json") }, "API"),
            h("a", { class: "button", href: "/metrics" }, "Metrics")), host);
    waiting(host, "Asking the recorder");
    const load = async () => {
        try {
            const answer = await ask("/status");
            fill(host, screen(answer));
        } catch (error) {
            fill(host, problemText(error));
        }
    };
    await load();
    const stop = onLive("status", load);
    const timer = setInterval(() => document.visibilityState === "visible" && load(), 5000);
    return () => {
        stop();
        clearInterval(timer);
    };
}

function screen(answer) {
    const health = answer;
    const storage = answer.storage ?? {};
    return [
        verdict(health),
        health?.pid ? tiles(health, storage) : null,
        health?.pid ? h("div", { class: "two" }, recorder(health), parts(health)) : null,
        h("div", { class: "two" }, archive(health, storage), storage.per_device_day ? perDay(storage) : null,
            storage.tables ? tables(storage) : null),
        answer.recorders?.length > 1 || !health.pid ? recorders(answer.recorders ?? []) : null,
        health?.device_list?.length ? troubledDevices(health.device_list) : null,
    ];
}

function verdict(health) {
    const isDown = !health || !health.pid;
    const troubles = health?.troubles ?? [];
    const words = isDown ? "No recorder runs: what you see is what was recorded before." : troubles.length
        ? "A person should look" : "All is well";
    return h("section", { class: "card", role: "status" },
        h("p", { class: `verdict${isDown || troubles.length ? " bad" : ""}` }, h("i", { "aria-hidden": "true" }),
        words),
        troubles.length ? h("ul", {}, troubles.map((one) => h("li", {}, one.sentence))) : null,
        h("p", { class: "soft" }, (health?.summary ?? []).slice(0, 3).join(" · ")));
}

function tiles(health, storage) {
    const tile = (value, words, isWarning) => h("div", { class: `card tile${isWarning ? " warn" : ""}` },
        h("b", {}, value), h("span", {}, words));
    const { devices = {}, database = {}, volume = {} } = health;
    return h("div", { class: "tiles" },
        tile(`${devices.linked ?? "–"} of ${devices.known ?? "–"}`, "devices linked", devices.linked < devices.known),
        tile((health.frames ?? 0).toLocaleString("en-US"), "frames since the recorder's start"),
        tile(String(health.frames_lost ?? "–"), "frames lost", health.frames_lost > 0),
        tile(database.lag_seconds === null || database.lag_seconds === undefined ? "–" : stretch(database.lag_seconds),
            "the database is behind", database.lag_seconds > 60),
        tile(volume.free_bytes === null || volume.free_bytes === undefined ? "–" : bytes(volume.free_bytes),
            `free on the disk${volume.free_share ? `, ${percent(volume.free_share)}` : ""}`, volume.free_share < 0.1),
        tile(forecast(storage.forecast_days ?? volume.days_until_full), "until the disk is full"));
}

const forecast = (days) => (days === null || days === undefined ? "–" : days > 3650 ? "10 years and more"
    : `${Math.floor(days).toLocaleString("en-US")} days`);

function recorder(health) {
    return h("section", { class: "card" }, h("h2", {}, "Recorder"), facts([
        [`Since, ${zoneName()}`, momentText(instant(health.started_at))], ["For", stretch(health.uptime_seconds)],
            ["Version", health.version],
        ["Memory", bytes(health.process?.resident_bytes)],
            ["Files open", health.process
            ? `${health.process.open_files} of ${health.process.open_files_limit.toLocaleString("en-US")}` : null],
        ["Threads", health.process?.threads], ["Process", String(health.pid)], ["Apps joined", health.devices?.joined],
            ["Refused", health.devices?.refused],
        ["Platform only", health.devices?.platform_only], ["Cannot be reached", health.devices?.unreachable],
        ["Id", h("span", { class: "mono" }, health.recorder_id)],
    ]));
}

function parts(health) {
    const row = (name, isWell, words) => h("tr", {}, h("th", { scope: "row" }, name),
        h("td", {}, h("span", { class: `tag ${isWell ? "good" : "warn"}` }, isWell ? "well" : "trouble")),
        h("td", {}, words));
    const { archive = {}, database = {}, discovery = {}, settings = {} } = health;
    return h("section", { class: "card" }, h("h2", {}, "Its parts"), h("table", { class: "dense" }, h("tbody", {},
        row("Archive", !(archive.stalled_seconds > 5),
            `last on disk ${age(archive.durable_seconds_ago)} ago, ${bytes(archive.waiting_bytes)} waiting`),
        row("Database", !database.trouble, database.trouble
            ?? `${count(database.lag_records ?? 0, "record")} behind, ${count(database.events ?? 0, "event")}`),
        row("Discovery", !discovery.trouble, discovery.trouble ?? "listens"),
            row("Settings", !settings.trouble, settings.trouble ?? "read"),
        Object.entries(health.silent_seconds ?? {})
            .map(([thread, seconds]) => row(`Thread ${thread}`, seconds < 10, `gave a sign ${age(seconds)} ago`)))));
}

function archive(health, storage) {
    const check = storage.last_verify;
    return h("section", { class: "card" }, h("h2", {}, "Archive"), facts([
        ["Size", Number.isFinite(storage.archive_bytes) ? bytes(storage.archive_bytes) : null],
            ["Records", (health?.archive?.records ?? storage.records)?.toLocaleString("en-US")],
        ["Last position", (health?.archive?.durable_position ?? storage.durable_position)?.toLocaleString("en-US")],
        ["Last check", check
            ? `${check.intact === false ? "damaged" : "intact"}, ${momentText(instant(check.at ?? check.verified_at))}`
            : "not known: castledger archive verify"],
        ["Keeps", storage.retention ?? null],
    ]));
}

/** The tables of the database, the greatest first. */
function tables(storage) {
    const rows = [...storage.tables].sort((one, other) => other.bytes - one.bytes).slice(0, 12);
    return h("section", { class: "card" }, h("h2", {}, "Database"),
        h("p", { class: "soft" }, bytes(storage.database_bytes)), h("table", { class: "dense" },
        h("thead", {},
            h("tr", {}, h("th", { scope: "col" }, "Table"), h("th", { scope: "col", class: "number" }, "Rows, about"),
            h("th", { scope: "col", class: "number" }, "Size"))),
        h("tbody", {},
            rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.name),
            h("td", { class: "number" }, Math.max(0, row.rows).toLocaleString("en-US")),
            h("td", { class: "number" }, bytes(row.bytes)))))));
}

/** All recorders that write into this database. */
function recorders(rows) {
    return h("section", { class: "table-box" },
        h("table", { class: "dense" },
        h("thead", {},
        h("tr", {},
        ["Recorder", "Site", "Last record", "Events", ""].map((words) => h("th", { scope: "col" }, words)))),
        h("tbody", {},
            rows.map((one) => h("tr", {}, h("th", { scope: "row", class: "mono" }, one.recorder_id),
            h("td", {}, one.site ?? ""), h("td", { class: "time" }, one.at ? momentText(instant(one.at)) : "none"),
            h("td", { class: "number" }, one.events.toLocaleString("en-US")),
                h("td", {}, one.is_down ? h("span", { class: "tag warn" }, "does not run") : ""))))));
}

/** Bytes by device and day: the greatest first. */
function perDay(storage) {
    const rows = storage.per_device_day;
    if (!rows.length) return h("section", { class: "card" }, h("h2", {}, "By device and day"),
        nothing("The program does not say."));
    const days = [...new Set(rows.map((row) => row.day))].sort().slice(-7);
    const sums = new Map();
    for (const row of rows) {
        const one = sums.get(row.device_id) ?? { ...row, byDay: new Map(), all: 0 };
        one.byDay.set(row.day, row.bytes);
        one.all += row.bytes;
        sums.set(row.device_id, one);
    }
    const sorted = [...sums.values()].sort((one, other) => other.all - one.all).slice(0, 20);
    return h("section", { class: "card" }, h("h2", {}, "By device and day"),
        h("div", { class: "scroll" }, h("table", { class: "dense" },
        h("thead", {},
            h("tr", {}, h("th", { scope: "col" }, "Device"),
            days.map((day) => h("th", { scope: "col", class: "number" }, day.slice(5))),
            h("th", { scope: "col", class: "number" }, "All"))),
        h("tbody", {},
            sorted.map((one) =>
            h("tr", {}, h("th", { scope: "row" }, h("a", { href: address("devices", one.device_id) }, named(one))),
            days.map((day) => h("td", { class: "number" }, one.byDay.has(day) ? bytes(one.byDay.get(day)) : "")),
                h("td", { class: "number" }, bytes(one.all))))))));
}

function troubledDevices(list) {
    const rows = list.filter((one) => one.reach !== "linked" || one.not_recorded || one.failures);
    if (!rows.length) return null;
    return h("section", { class: "table-box" },
        h("table", { class: "dense" },
        h("thead", {},
        h("tr", {}, ["Device", "Reach", "Failures", "Why"].map((words) => h("th", { scope: "col" }, words)))),
        h("tbody", {}, rows.slice(0, 100)
            .map((one) =>
            h("tr", {}, h("th", { scope: "row" }, h("a", { href: address("devices", one.device_id) }, named(one))),
            h("td", {}, one.reach),
            h("td", { class: "number" }, String(one.failures)),
                h("td", {}, one.last_failure ?? one.not_recorded ?? ""))))));
}
