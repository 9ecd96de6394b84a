// Now: a card per device, those that matter first.

import { announce, fill, h, setAttribute, setText, throttled } from "./dom.js";
import { cardHeight, makeCard, moveCard, showCard, whatIsOn } from "./card.js";
import { devices, loadDevices, onDevices } from "./devices-now.js";
import { activityIcon, icon } from "./icons.js";
import { go, keep, search } from "./router.js";
import { problemText, waiting } from "./parts.js";
import { activities, activityWords, count, named } from "./words.js";
import { VirtualGrid } from "./virtual.js";

/** What the chips at the top gather. */
const gathered = {
    playing: ["playing", "unknown", "advertisement"], paused: ["paused"], waiting: ["buffering", "loading"],
    app_only: ["app_only"], idle: ["idle"], off: ["standby", "other_input"], unobserved: ["unobserved"],
};
const gatheredWords = {
    playing: "playing", paused: "paused", waiting: "waiting for data", app_only: "app without media",
        idle: "nothing on",
    off: "standby, other input", unobserved: "not observed",
};
const ranks = Object.fromEntries(Object.keys(gathered)
    .flatMap((name, rank) => gathered[name].map((one) => [one, rank])));
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

const sorts = {
    name: { words: "by name", compare: (one, other) => collator.compare(named(one), named(other)) },
    activity: {
        words: "what plays first",
        compare: (one, other) => (ranks[one.activity] ?? 9) - (ranks[other.activity] ?? 9)
            || collator.compare(named(one), named(other)),
    },
    conflicts: {
        words: "conflicts first",
        compare: (one, other) => (other.conflicts ?? 0) - (one.conflicts ?? 0)
            || collator.compare(named(one), named(other)),
    },
    coverage: {
        words: "least observed first",
        compare: (one, other) => (one.coverage ?? -1) - (other.coverage ?? -1)
            || collator.compare(named(one), named(other)),
    },
};

/** Shows the screen; returns how to leave it. */
export async function showNow(main, { parameters }) {
    const wanted = {
        text: parameters.get("q") ?? "", activity: parameters.get("activity"), sort: parameters.get("sort") ?? "name",
    };
    let rows = [];
    const chips = h("div", { class: "chips", role: "group", "aria-label": "Show only" });
    const finder = h("input", { type: "search", id: "finder", placeholder: "Find a device, app or title",
        "aria-label": "Find a device, app or title", value: wanted.text });
    const sorter = h("select", { "aria-label": "Order" }, Object.entries(sorts).map(([name, { words }]) =>
        h("option", { value: name, selected: name === wanted.sort }, words)));
    const tally = h("p", { class: "soft tally", "aria-live": "polite" });
    const host = h("div", { class: "cards", role: "list", "aria-label": "Devices" });
    fill(main, h("h1", { class: "hidden" }, "Now"),
        h("div", { class: "bar-top" }, chips, h("div", { class: "row" }, finder, sorter)), tally, host);
    waiting(tally, "Loading devices");
    try {
        await loadDevices();
    } catch (error) {
        return void fill(tally, problemText(error));
    }

    const grid = new VirtualGrid(host, {
        height: cardHeight, minimum: 292, gap: 12, count: () => rows.length,
        make: () => {
            const card = makeCard();
            card.setAttribute("role", "listitem");
            card.addEventListener("focus", () => announce(cardWords(devices.get(card.dataset.device))));
            return card;
        },
        show: (card, index) => {
            setAttribute(card, "tabindex", index === grid.at ? 0 : -1);
            setAttribute(card, "aria-setsize", rows.length);
            setAttribute(card, "aria-posinset", index + 1);
            card.index = index;
            showCard(card, rows[index]);
        },
    });
    grid.at = 0;

    const choose = () => {
        const text = wanted.text.trim().toLowerCase();
        const activity = gathered[wanted.activity];
        rows = [...devices.values()].filter((item) => (!activity || activity.includes(item.activity))
            && (!text || [item.device, item.model, item.site, item.app, item.title, item.subtitle, item.device_id,
                item.address]
                .some((one) => one?.toLowerCase().includes(text))));
        rows.sort((sorts[wanted.sort] ?? sorts.name).compare);
        showChips(chips, wanted, change);
        setText(tally, rows.length === devices.size ? count(rows.length, "device")
            : `${rows.length} of ${count(devices.size, "device")}`);
        grid.draw();
    };
    const change = () => {
        keep(search({ q: wanted.text, activity: wanted.activity, sort: wanted.sort === "name" ? "" : wanted.sort }));
        choose();
    };
    finder.addEventListener("input", throttled(80, () => {
        wanted.text = finder.value;
        change();
    }));
    sorter.addEventListener("change", () => {
        wanted.sort = sorter.value;
        change();
    });
    host.addEventListener("keydown", (event) => walk(event, grid, rows));
    host.addEventListener("focusin", (event) => {
        const index = event.target.closest(".now-card")?.index;
        if (index !== undefined) grid.at = index;
    });
    choose();
    const stop = onDevices(choose);
    const tick = setInterval(() => {
        for (const [index, card] of grid.boxes()) if (rows[index]) moveCard(card, rows[index]);
    }, 500);
    return () => {
        stop();
        clearInterval(tick);
        grid.close();
    };
}

/** Arrows walk over the cards, Enter opens the device. */
function walk(event, grid, rows) {
    const card = event.target.closest(".now-card");
    if (!card || event.ctrlKey || event.altKey || event.metaKey) return;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: grid.columns, ArrowUp: -grid.columns,
        Home: -rows.length, End: rows.length }[event.key];
    if (step !== undefined) {
        event.preventDefault();
        grid.at = Math.max(0, Math.min(rows.length - 1, card.index + step));
        grid.focus(grid.at);
    } else if (event.key === "Enter" && event.target === card) {
        go("devices", card.dataset.device);
    } else if (event.key === "t" && event.target === card) {
        go("timeline", null, { device: card.dataset.device });
    } else return;
    event.preventDefault();
    event.stopPropagation();
}

function showChips(host, wanted, change) {
    const counts = {};
    for (const item of devices.values()) {
        const name = Object.keys(gathered).find((one) => gathered[one].includes(item.activity)) ?? "idle";
        counts[name] = (counts[name] ?? 0) + 1;
    }
    const names = Object.keys(gathered).filter((name) => counts[name] || wanted.activity === name);
    const signature = names.map((name) => `${name}${counts[name]}${wanted.activity === name}`).join();
    if (host.dataset.signature === signature) return;
    host.dataset.signature = signature;
    const focused = host.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    fill(host, names.map((name) => h("button", {
        type: "button", class: "chip", "aria-pressed": String(wanted.activity === name), data: { name },
        vars: { "--activity": `var(${activities[gathered[name][0]].color})` },
        on: { click: () => {
            wanted.activity = wanted.activity === name ? null : name;
            change();
        } },
    }, h("i", {}, icon(activityIcon(gathered[name][0]))), h("b", {}, String(counts[name] ?? 0)),
        h("span", {}, gatheredWords[name]))));
    if (focused) host.querySelector(`[data-name="${focused}"]`)?.focus();
}

function cardWords(item) {
    if (!item) return "";
    const words = whatIsOn(item);
    return [named(item), activityWords(item.activity), words.title, words.subtitle].filter(Boolean).join(", ");
}

/** The keys of this screen. */
export const nowKeys = [
    ["/", "find", () => document.getElementById("finder")?.focus()],
    ["ArrowLeft ArrowRight ArrowUp ArrowDown", "walk over the cards",
        () => document.querySelector(".now-card[tabindex='0']")?.focus()],
    ["Enter", "open the device"], ["t", "its timeline"],
];
