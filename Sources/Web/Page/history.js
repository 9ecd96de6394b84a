// History: plays as a table. Filters, order and columns in view; files and reports of exactly what is shown.

import { address as apiAddress, ask, Asker } from "./api.js";
import { chosenColumns, columns, keepColumns } from "./columns.js";
import { loadDevices } from "./devices-now.js";
import { fill, h, setText } from "./dom.js";
import { Filters } from "./filters.js";
import { menu } from "./menu.js";
import { growing, nothing, waiting, walkRows } from "./parts.js";
import { showPlay } from "./play.js";
import { go, keep, search } from "./router.js";
import { onLive } from "./stream.js";
import { count } from "./words.js";

const names = ["title", "device", "app", "group", "site", "end_reason", "start_cause", "min", "between", "weekday"];
const files = [["csv", "CSV, for spreadsheets"], ["jsonl", "JSON Lines"], ["ics", "Calendar"],
    ["otio", "Editing timeline"], ["perfetto", "Trace for Perfetto"],
    ["xmltv", "XMLTV"], ["html", "Page to print"]];
const reports = [["as-run", "As run"], ["uptime", "Uptime"], ["audit", "Audit"], ["totals", "Totals"]];

/** Shows the screen; returns how to leave it. */
export async function showHistory(main, { name, parameters }) {
    if (name) return showPlay(main, name);
    loadDevices().catch(() => {});
    const state = { sort: parameters.get("sort") ?? "-started_at", columns: chosenColumns() };
    const asker = new Asker();
    const body = h("tbody", {});
    const head = h("thead", {});
    const tally = h("p", { class: "soft tally", "aria-live": "polite" });
    const box = h("div", { class: "table-box" },
        h("table", { class: "stacked" }, h("caption", { class: "hidden" }, "Plays"), head,
        body));
    const foot = h("div", {});
    const fresh = h("button", { type: "button", class: "plain small", hidden: true, on: { click: () => load() } },
        "There are newer plays: show them");
    const filters = new Filters(names, parameters, { standard: "7d" }, () => load());
    const tools = h("div", { class: "row" });
    let list = null;
    let shown = 0;
    let isOver = false;

    function load() {
        keep(search({ ...filters.inAddress, sort: state.sort === "-started_at" ? null : state.sort }));
        drawTools();
        drawHead();
        list?.stop();
        fresh.hidden = true;
        shown = 0;
        isOver = false;
        let after = null;
        const signal = asker.next();
        body.setAttribute("aria-busy", "true");
        if (!body.firstChild) waiting(tally, "Loading plays");
        list = growing(body, async () => {
            if (isOver) return [];
            const page = await ask("/plays", search({ ...filters.question, sort: state.sort, after, limit: 100 }),
                { signal }).catch((error) => {
                setText(tally, "");
                throw error;
            });
            if (!after) fill(body);
            body.removeAttribute("aria-busy");
            after = page.next;
            isOver = !after;
            shown += page.items.length;
            setText(tally, shown ? count(shown, "play") + (isOver ? "" : " so far; more as you scroll") : "");
            if (!shown) fill(foot, nothing("No play passes these filters."));
            return page.items.map(row);
        });
        fill(foot, list.end);
        list.grow();
    }

    function row(play) {
        const line = h("tr", { tabIndex: 0, data: { play: play.play_id }, on: { keydown: (event) => {
            if (event.key === "Enter" && event.target === line) go("history", play.play_id);
        } } });
        return fill(line, state.columns.map((one) => {
            const column = columns.find((any) => any.name === one);
            return h("td", { class: column.name === "title" ? "lead" : column.isNumber ? "number" : column.isTime
                ? "time" : null,
                data: { label: column.words } }, column.cell(play));
        }));
    }

    function drawHead() {
        fill(head, h("tr", {}, state.columns.map((one) => {
            const { words, sort, isNumber } = columns.find((any) => any.name === one);
            const isSorted = state.sort.replace("-", "") === sort;
            const isDown = state.sort.startsWith("-");
            return h("th", { scope: "col", class: isNumber ? "number" : null, "aria-sort": isSorted ? isDown
                ? "descending" : "ascending" : null },
                sort ? h("button", { type: "button", on: { click: () => {
                    state.sort = isSorted && isDown ? sort : `-${sort}`;
                    load();
                } } }, words, isSorted ? isDown ? " ↓" : " ↑" : "") : words);
        })));
    }

    function drawTools() {
        const question = search(filters.question);
        const report = (format) => new URLSearchParams([...question, ["format", format]]);
        fill(tools,
            menu("Columns", "rows", columns.map(({ name: one, words }) => {
                const box = h("input", { type: "checkbox", checked: state.columns.includes(one), on: { change: () => {
                    state.columns = columns.map((any) => any.name)
                        .filter((any) => (any === one ? box.checked : state.columns.includes(any)));
                    keepColumns(state.columns);
                    load();
                } } });
                return h("label", {}, box, words);
            })),
            menu("Save", "download", [h("h3", {}, "These plays as a file"), files.map(([format, words]) =>
                h("a", { href: apiAddress(`/exports/${format}`, question), download: "" }, words))]),
            menu("Report", "copy", [h("h3", {}, "These days as a report"), reports.map(([kind, words]) =>
                h("a", { href: apiAddress(`/reports/${kind}`, report("html")), target: "_blank", rel: "noopener" },
                    words)),
            h("h3", {}, "as a spreadsheet"),
                reports.map(([kind, words]) =>
                h("a", { href: apiAddress(`/reports/${kind}`, report("csv")), download: "" }, words))]));
    }

    fill(main, h("div", { class: "heading" }, h("h1", {}, "History"), tools), filters.element,
        h("div", { class: "row" }, tally, h("span", { class: "grow" }), fresh), box, foot);
    walkRows(body, "tr");
    load();
    const stop = onLive("play", () => {
        if (state.sort === "-started_at" && scrollY < 100 && !box.contains(document.activeElement)) later();
        else fresh.hidden = false;
    });
    let timer = null;
    const later = () => (timer ??= setTimeout(() => {
        timer = null;
        load();
    }, 400));
    return () => {
        stop();
        clearTimeout(timer);
        asker.stop();
        list?.stop();
    };
}

/** The keys of this screen. */
export const historyKeys = [
    ["/", "find a title", () => document.getElementById("finder")?.focus()],
    ["j k", "the next row, the one before", () => document.querySelector("tbody tr")?.focus()],
        ["Enter", "open the play"],
];
