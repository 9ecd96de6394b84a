// Conflicts: who undid whom, why that was told, and the half minute around it.

import { Asker, ask, pathTo } from "./api.js";
import { loadDevices } from "./devices-now.js";
import { difference } from "./difference.js";
import { fill, h, setText } from "./dom.js";
import { eventList } from "./event-list.js";
import { Filters, period } from "./filters.js";
import { facts, growing, nothing, problemText, waiting, walkRows } from "./parts.js";
import { address, keep, search } from "./router.js";
import { onLive } from "./stream.js";
import { strip } from "./strip.js";
import { conflictKinds, conflictWords, count, decimal, named, percent, plain } from "./words.js";
import { instant, momentText, rfc, zoneName } from "./zone.js";

/** Shows the screen; returns how to leave it. */
export async function showConflicts(main, { name, parameters }) {
    loadDevices().catch(() => {});
    const asker = new Asker();
    const detail = h("div", { class: "pane main-pane stack" });
    const host = h("div", {});
    const tally = h("p", { class: "soft tally" });
    const foot = h("div", {});
    const filters = new Filters(["device", "kind", "group", "site"], parameters,
        { standard: "7d", kinds: Object.keys(conflictKinds) }, () => load());
    let list = null;
    const load = () => {
        keep(search(filters.inAddress));
        list?.stop();
        let after = null;
        let isOver = false;
        let shown = 0;
        const signal = asker.next();
        if (!host.firstChild) waiting(tally, "Loading conflicts");
        list = growing(host, async () => {
            if (isOver) return [];
            const page = await ask("/conflicts", search({ ...filters.question, order: "latest", after, limit: 100 }),
                { signal });
            if (!after) fill(host);
            after = page.next;
            isOver = !after;
            shown += page.items.length;
            setText(tally, count(shown, "conflict") + (isOver ? "" : " so far"));
            if (!shown) fill(foot, nothing("No conflict passes these filters."));
            return page.items.map((conflict) => line(conflict, name, search(filters.inAddress)));
        });
        fill(foot, list.end);
        list.grow();
    };
    fill(main, h("div", { class: "heading" }, h("h1", {}, "Conflicts")), filters.element, tally,
        name ? h("div", { class: "split" },
            h("section", { class: "pane card flush", "aria-label": "Conflicts" }, host, foot), detail)
            : h("div", { class: "card flush" }, host, foot));
    walkRows(host, ".conflict-item");
    load();
    if (name) showOne(detail, name, asker);
    const stop = onLive("conflict", () => scrollY < 60 && !host.contains(document.activeElement) && load());
    return () => {
        stop();
        asker.stop();
        list?.stop();
    };
}

function line(conflict, current, parameters) {
    const from = instant(conflict.from);
    return h("a", { class: "conflict-item", href: address("conflicts", conflict.conflict_id, parameters),
        "aria-current": conflict.conflict_id === current ? "true" : null },
    h("span", { class: "head" }, h("b", {}, named(conflict)), h("span", { class: "number" }, momentText(from)),
        h("span", { class: "tag warn" }, conflictWords(conflict.kind)),
        h("span", { class: "number", title: "How sure it is" }, decimal(conflict.score))),
    h("span", {}, conflict.sentence));
}

async function showOne(host, name) {
    waiting(host, "Loading the conflict");
    try {
        const conflict = await ask(pathTo("conflicts", name));
        const [from, to] = [instant(conflict.from), instant(conflict.to)];
        const margin = Math.max(5000, (30_000 - (to - from)) / 2);
        const events = await around(conflict, from - margin, to + margin);
        const evidence = new Set(conflict.evidence);
        fill(host,
            h("section", { class: "card stack" },
                h("div", {}, h("h1", { class: "moment-title" }, conflict.sentence),
                    h("p", { class: "moment-when" },
                        h("a", { href: address("devices", conflict.device_id) }, named(conflict)),
                        ` · ${momentText(from)} ${zoneName()}`)),
                strip({ device: conflict.device_id, from: from - margin, to: to + margin,
                    dots: events.filter((one) => evidence.has(`${one.position}/${one.ordinal}`) || one.is_evidence)
                    .map((one) => instant(one.observed_at)) }),
                facts([["Kind", conflictWords(conflict.kind)], ["How sure", decimal(conflict.score)],
                    ["Undoings", String(conflict.undoings ?? "–")],
                    ["Certainly another sender", String(conflict.certain_undoings ?? "–")],
                        ["Evidence", count(conflict.evidence_count ?? conflict.evidence.length, "event")]],
                        { class: "fact-list narrow" }),
                h("div", { class: "actors" }, (conflict.actors ?? []).map(actor))),
            conflict.before || conflict.after
                ? h("section", { class: "table-box" }, difference(conflict.before, conflict.after)) : null,
            h("section", { class: "card" }, h("h2", {}, "Why it is told"),
                h("ul", { class: "reasons" }, (conflict.explanation ?? conflict.reasons ?? [])
                    .map((one) => h("li", {}, one)))),
            h("section", { class: "card flush" }, h("h2", { class: "inset" }, "What happened around it"),
                events.length ? eventList(events, { evidence, parameters: { device: conflict.device_id } })
                    : nothing("No event of that time is in the database.")));
    } catch (error) {
        fill(host, problemText(error));
    }
}

/** The events around it: those that the answer has, else those that the API tells. */
async function around(conflict, from, to) {
    if (conflict.events?.[0]?.observed_at) return conflict.events;
    const { items } = await ask("/events",
        search({ device: conflict.device_id, from: rfc(from), to: rfc(to), limit: 200, order: "earliest" }));
    return items.sort((one, other) => instant(one.observed_at) - instant(other.observed_at)
        || one.position - other.position || one.ordinal - other.ordinal);
}

/** A small value in words: "level 50%", "playing". */
function shortly(value, key = "") {
    if (value === null || value === undefined) return null;
    if (typeof value === "number") return /level|volume/.test(key) ? percent(value) : decimal(value);
    if (Array.isArray(value)) return value.map((one) => shortly(one)).join(", ") || "none";
    if (typeof value !== "object") return String(value);
    return Object.entries(value).map(([name, one]) => `${plain(name)} ${shortly(one, name) ?? "null"}`).join(", ");
}

function actor(one) {
    const who = one.who === "device" ? "The device itself" : one.sender_series ? `Sender ${one.sender_series}`
        : "A sender without a number";
    const requests = one.first_request_id === null || one.first_request_id === undefined ? null
        : `requests ${one.first_request_id} to ${one.last_request_id}`;
    return h("div", { class: "actor" }, h("b", {}, who), requests ? h("div", { class: "soft" }, requests) : null,
        h("div", {}, `${count(one.moves, "move")}, ${count(one.undoings, "undoing")}`),
        one.last_value === null || one.last_value === undefined ? null
            : h("div", { class: "soft" },
            `last ${shortly(one.last_value)}`));
}

/** Conflicts of a device in the last days, for its own screen. */
export async function conflictsOf(device) {
    const { items } = await ask("/conflicts", search({ device, ...period("7d"), order: "latest", limit: 10 }));
    return items.map((conflict) => line(conflict, null, search({ device })));
}

/** The keys of this screen. */
export const conflictKeys = [
    ["j k", "walk over the list", () => document.querySelector(".conflict-item")?.focus()], ["Enter", "explain it"],
    ["/", "choose a device", () => document.getElementById("finder")?.focus()],
];
