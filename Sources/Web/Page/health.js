// Storage and health: is the recorder well, how much is kept, for how long is there room, and is the archive intact.

import { address as apiAddress, ask } from "./api.js";
import { fill, h } from "./dom.js";
import { facts, problemText, waiting } from "./parts.js";
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
        h("div", { class: "two" }, archive(health, storage), storage.archive_days?.length ? perDay(storage) : null,
            storage.tables ? tables(storage) : null, storage.devices?.length ? perDevice(storage) : null),
        answer.recorders?.length > 1 || !health.pid ? recorders(answer.recorders ?? []) : null,
        health?.troubled_devices?.length ? troubledDevices(health.troubled_devices) : null,
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
        tile(forecast(volume.days_until_full ?? storage.archive_days_until_full), "until the disk is full",
            (volume.days_until_full ?? Infinity) < 14));
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
    const { archive: written = {} } = health;
    const days = storage.archive_days_until_full;
    return h("section", { class: "card" }, h("h2", {}, "Archive"), facts([
        ["Size", Number.isFinite(storage.archive_bytes) ? bytes(storage.archive_bytes) : null],
        ["A day", Number.isFinite(storage.archive_bytes_per_day) ? bytes(storage.archive_bytes_per_day) : null,
            "the mean of the last seven days that are over"],
        ["Room", Number.isFinite(days) ? `for ${forecast(days)} of it` : null],
        ["Last position", written.durable_position?.toLocaleString("en-US")],
        ["Records", written.records?.toLocaleString("en-US"), "since the recorder's start"],
        ["Written", Number.isFinite(written.written_bytes) ? bytes(written.written_bytes) : null,
            "since the recorder's start"],
        ["A sync took", written.syncs ? stretch(written.sync_seconds / written.syncs) : null,
            "the mean since the recorder's start"],
        ["Last check", check ? checkWords(check) : "not known: castledger archive verify"],
    ]));
}

function checkWords(check) {
    const verdict = check.intact ? "intact" : `damaged in ${count(check.damage_count, "place")}`;
    return [h("span", { class: `tag ${check.intact ? "good" : "warn"}` }, verdict),
        ` ${momentText(instant(check.at))}, ${count(check.records, "record")}`];
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

/** What the archive takes of each of the last days, the latest first. */
function perDay(storage) {
    const days = storage.archive_days.slice(-14).reverse();
    const most = Math.max(1, ...days.map((one) => one.bytes));
    return h("section", { class: "card" }, h("h2", {}, "By day"), h("table", { class: "dense" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Day, UTC"),
            h("th", { scope: "col", class: "number" }, "On disk"))),
        h("tbody", {}, days.map((one) => h("tr", {}, h("th", { scope: "row" }, one.day),
            h("td", { class: "number" }, h("span", { class: "meter", "aria-hidden": "true" },
                h("i", { vars: { width: `${one.bytes / most * 100}%` } })), bytes(one.bytes)))))));
}

/** What devices sent since the recorder's start, the most first: the archive holds it compressed. */
function perDevice(storage) {
    return h("section", { class: "card" }, h("h2", {}, "By device"),
        h("p", { class: "soft" }, "What they sent since the recorder's start, before it is compressed"),
        h("div", { class: "scroll" }, h("table", { class: "dense" },
            h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Device"),
                h("th", { scope: "col", class: "number" }, "Frames"),
                h("th", { scope: "col", class: "number" }, "Size"))),
            h("tbody", {}, storage.devices.slice(0, 20).map((one) => h("tr", {},
                h("th", { scope: "row" }, h("a", { href: address("devices", one.device_id) }, named(one))),
                h("td", { class: "number" }, one.frames_received.toLocaleString("en-US")),
                h("td", { class: "number" }, bytes(one.bytes_received))))))));
}

function troubledDevices(list) {
    return h("section", { class: "table-box" },
        h("table", { class: "dense" },
        h("thead", {},
        h("tr", {}, ["Device", "Reach", "Failures", "Why"].map((words) => h("th", { scope: "col" }, words)))),
        h("tbody", {}, list
            .map((one) =>
            h("tr", {}, h("th", { scope: "row" }, h("a", { href: address("devices", one.device_id) }, named(one))),
            h("td", {}, one.reach),
            h("td", { class: "number" }, String(one.failures)),
                h("td", {}, one.last_failure ?? one.not_recorded ?? ""))))));
}
