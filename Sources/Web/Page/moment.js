// Events, and one of them as a moment: what changed, who caused it, what senders were told, the frame, what came before
// and after. The list stays beside it, so that one walks from moment to moment.

import { Asker, ask, now, pathTo } from "./api.js";
import { difference } from "./difference.js";
import { loadDevices } from "./devices-now.js";
import { announce, fill, h } from "./dom.js";
import { eventLines, eventList, eventName, eventWords } from "./event-list.js";
import { Filters } from "./filters.js";
import { icon } from "./icons.js";
import { jsonBox } from "./json-view.js";
import { eventKinds } from "./kinds.js";
import { copier, facts, growing, nothing, problemText, waiting, walkRows } from "./parts.js";
import { address, go, keep, search } from "./router.js";
import { strip } from "./strip.js";
import { onLive } from "./stream.js";
import { attributions, named, plain, position } from "./words.js";
import { instant, momentText, offsetText, zoneName } from "./zone.js";

let walk = null;

/** Shows the screen; returns how to leave it. */
export async function showMoment(main, { name, parameters }) {
    return name ? showOne(main, name, parameters) : showList(main, parameters);
}

function showList(main, parameters) {
    loadDevices().catch(() => {});
    const asker = new Asker();
    const host = h("ol", { class: "event-list with-device" });
    const foot = h("div", {});
    const filters = new Filters(["device", "kind", "group", "site", "between", "weekday"], parameters,
        { standard: "24h", kinds: eventKinds }, () => load());
    let list = null;
    const load = () => {
        keep(search(filters.inAddress));
        list?.stop();
        let after = null;
        let isOver = false;
        let isFirst = true;
        let day = null;
        const signal = asker.next();
        list = growing(host, async () => {
            if (isOver) return [];
            const page = await ask("/events", search({ ...filters.question, order: "latest", after, limit: 100 }),
                { signal });
            if (isFirst) fill(host);
            if (isFirst && !page.items.length) fill(foot, nothing("No event passes these filters."));
            isFirst = false;
            after = page.next;
            isOver = !after;
            const { lines, last } = eventLines(page.items, { withDevice: true, parameters: search(filters.inAddress) },
                day);
            day = last;
            return lines;
        });
        fill(foot, list.end);
        waiting(fill(host, []), "Loading events");
        list.grow();
    };
    fill(main, h("div", { class: "heading" }, h("h1", {}, "Events")), filters.element,
        h("div", { class: "card flush" }, host), foot);
    walkRows(host, "a");
    load();
    let timer = null;
    const stop = onLive("change", () => {
        if (filters.to || scrollY > 60 || host.contains(document.activeElement)) return;
        timer ??= setTimeout(() => {
            timer = null;
            load();
        }, 700);
    });
    walk = null;
    return () => {
        stop();
        clearTimeout(timer);
        asker.stop();
        list?.stop();
    };
}

async function showOne(main, name, parameters) {
    walk = null;
    waiting(fill(main), "Loading the moment");
    let answer;
    try {
        answer = await ask(pathTo("events", name));
    } catch (error) {
        return void fill(main, problemText(error));
    }
    if (!main.isConnected) return;
    const event = answer.event?.kind ? answer.event : answer;
    event.sentence ??= answer.sentence ?? answer.words;
    const before = answer.before_events ?? (Array.isArray(answer.before) ? answer.before : []);
    const after = answer.after_events ?? (Array.isArray(answer.after) ? answer.after : []);
    const at = instant(event.observed_at);
    const previous = before.at(-1);
    const next = after[0];
    walk = (step) => {
        const target = step < 0 ? previous : next;
        if (target) {
            // The next step is taken from there.
            walk = null;
            go("moment", eventName(target), parameters);
        } else announce(step < 0 ? "There is no earlier event" : "There is no later event");
    };
    const step = (target, drawing, words, direction) =>
        h("button", { type: "button", class: "plain", disabled: !target, on: { click: () => walk?.(direction) } },
        icon(drawing), words);
    const neighbors = [...before, event, ...after];
    fill(main,
        h("div", { class: "heading" },
            h("p", { class: "grow" }, h("a", { href: address("moment", null, parameters) }, "Events")),
            step(previous, "left", "Before", -1), step(next, "right", "After", 1)),
        h("div", { class: "split" },
            h("section", { class: "pane card flush neighbors", "aria-label": "Neighbors" },
                eventList(neighbors, { current: eventName(event), parameters })),
            h("div", { class: "pane main-pane stack" },
                h("section", { class: "card" },
                    h("h1", { class: "moment-title" }, eventWords(event)),
                    h("p", { class: "moment-when" },
                        h("a", { href: address("devices", event.device_id) }, named(event)),
                        ` · ${momentText(at, 6)} ${zoneName()} `,
                        h("span", { class: "soft" }, `(${offsetText(at)})`)),
                    strip({ device: event.device_id, from: at - 60_000, to: at + 60_000, at,
                        dots: neighbors.map((one) => instant(one.observed_at)) })),
                h("section", { class: "card" }, whatItIs(event)),
                h("section", { class: "table-box" }, difference(event.before, event.after)),
                rawFrame(answer.raw_frame))));
    const current = main.querySelector(".event-list [aria-current]");
    const list = current.closest(".pane");
    list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
    announce(`${eventWords(event)}, ${momentText(at)}`);
}

function whatItIs(event) {
    const callbacks = event.callbacks ?? [];
    return facts([
        ["Event", h("span", { class: "mono" }, eventName(event))], ["Kind", h("span", { class: "mono" }, event.kind)],
        ["Caused by", `${plain(event.attribution)}: ${attributions[event.attribution] ?? ""}`.replace(/: $/, "")],
        ["Request", event.request_id === null ? null : String(event.request_id)],
        ["Which sender", event.sender_series === null ? "not known" : `probably sender ${event.sender_series}`,
            "Inferred from the order of request numbers"],
        ["Changed something", event.effective ? "yes" : h("span", { class: "tag warn" }, "no: it was so already")],
        ["Position", event.position_seconds === null ? null : position(event.position_seconds)],
        ["App session", event.app_session_id ? h("span", { class: "mono" }, event.app_session_id) : null],
            ["Media session", event.media_session_id],
        ["What senders are told", callbacks.length ? callbacks.map((one) => h("span", { class: "tag" }, one))
            : "nothing", "The listener callbacks that every connected sender gets"],
    ]);
}

/** The archived record, with its payload as what it contains. */
function rawFrame(record) {
    if (!record) return h("section", { class: "card" },
        h("p", { class: "soft" }, "No frame: this event was our own observation, or the archive is not here."));
    const records = Array.isArray(record) ? record : [record];
    return h("section", { class: "card" },
        h("div", { class: "section-title" }, h("h2", { class: "grow" }, "The frame behind it"),
        copier(() => records.map((one) => JSON.stringify(one)).join("\n"), "Copy as JSON")),
    records.map((one) => {
        const { payload, ...rest } = one;
        return [facts([["Position in the archive", String(rest.position)], ["Kind", rest.kind], ["From", rest.source],
            ["To", rest.destination],
            ["Namespace", rest.namespace ? h("span", { class: "mono" }, rest.namespace) : null], ["Link", rest.link],
                ["Direction", rest.direction]]),
        payload === undefined ? jsonBox(rest) : jsonBox(payload)];
    }));
}

/** The keys of this screen. */
export const momentKeys = [
    ["ArrowLeft h", "the event before", () => walk?.(-1)], ["ArrowRight", "the event after", () => walk?.(1)],
    ["j k", "walk over the list",
        () => (document.querySelector(".event-list [aria-current]") ?? document.querySelector(".event-list a"))?.focus(
        )],
    ["Enter", "open the event"], ["/", "choose a device", () => document.getElementById("finder")?.focus()],
    ["n", "events up to now", () => go("moment", null, { to: new Date(now()).toISOString() })],
];
