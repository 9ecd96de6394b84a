// Timeline: a lane per device, from a year to a second, and from each state to the moment that began it.

import { announce, fill, h, throttled } from "./dom.js";
import { now } from "./api.js";
import { Scale, closest, farthest, rangeWords } from "./axis.js";
import { chosenWords, momentOf } from "./chosen-span.js";
import { loadDevices, onDevices } from "./devices-now.js";
import { LaneData, conflictAfter, spanAt, stepFrom } from "./lane-data.js";
import { listenTo } from "./lane-input.js";
import { laneLegend } from "./lane-legend.js";
import { laneRows } from "./lane-rows.js";
import { laneTable } from "./lane-table.js";
import { LaneView } from "./lane-view.js";
import { problemText, waiting } from "./parts.js";
import { go } from "./router.js";
import { spokenSpan, tipContent } from "./span-words.js";
import { onLive } from "./stream.js";
import { onTheme } from "./theme.js";
import { timelineBar } from "./timeline-bar.js";
import { keepState, readState } from "./timeline-state.js";
import { rfc } from "./zone.js";

let current = null;

/** Shows the screen; returns how to leave it. */
export async function showTimeline(main, { parameters }) {
    const state = readState(parameters);
    const problem = h("div", {});
    const tip = h("div", { class: "tip", hidden: true });
    waiting(fill(main), "Loading devices");
    try {
        await loadDevices();
    } catch (error) {
        return void fill(main, problemText(error));
    }
    let view = null;
    const data = new LaneData(() => view?.later(), (error) => fill(problem, problemText(error)));
    view = new LaneView(state, data, { fold: (name) => {
        if (!state.folded.delete(name)) state.folded.add(name);
        choose();
    } });
    const chosenBox = h("div", { class: "chosen-span", id: "chosen-span" });
    const table = h("div", { class: "table-box lanes-table", hidden: true });
    const bar = timelineBar(state, {
        follow, stopFollowing, toggleTable,
        shift: (part) => move(state.scale.moved((state.scale.to - state.scale.from) * part)),
        find: (text) => {
            state.text = text;
            choose();
        },
        arrange: (order) => {
            state.order = order;
            choose();
        },
    });
    fill(main, h("h1", { class: "hidden" }, "Timeline"), bar.element, problem, view.element, table, chosenBox,
        laneLegend(), tip);

    const write = throttled(300, () => keepState(state));

    function choose() {
        state.rows = laneRows({ order: state.order, folded: state.folded, wanted: state.wanted, text: state.text });
        state.row = Math.max(0, Math.min(state.rows.length - 1, state.row));
        view.lanes.setAttribute("aria-label",
            `${state.rows.filter((row) => row.device).length} lanes, ${rangeWords(state.scale.from, state.scale.to)}`);
        show();
    }

    function show() {
        bar.show();
        view.element.hidden = state.isTable;
        table.hidden = !state.isTable;
        if (state.isTable) laneTable(table, state, data);
        else view.later();
        write();
    }

    function move(scale) {
        const length = Math.max(closest, Math.min(farthest, scale.to - scale.from));
        // There is nothing to see far beyond now.
        const to = Math.min(scale.from + length, now() + length * 0.5);
        state.scale = new Scale(to - length, to, view.width);
        // Zooming while one follows goes on following; going back in time ends it.
        state.follow = state.follow && to > now() && state.scale.from < now();
        show();
    }

    function follow(seconds) {
        const length = seconds === null ? state.scale.to - state.scale.from : seconds * 1000;
        const to = now() + length * 0.02;
        state.scale = new Scale(to - length, to, view.width);
        state.follow = true;
        show();
    }

    function stopFollowing() {
        state.follow = false;
        show();
    }

    function toggleTable() {
        state.isTable = !state.isTable;
        show();
    }

    const rowNow = () => state.rows[state.row];
    const laneNow = () => (rowNow()?.device ? data.lane(rowNow().device) : null);

    function setChosen(chosen, row = state.row) {
        state.chosen = chosen;
        state.row = row;
        const name = state.rows[row]?.name ?? "";
        fill(chosenBox, chosenWords(state, name, zoomTo, open));
        announce(spokenSpan(name, chosen));
        view.later();
    }

    function zoomTo() {
        const { chosen } = state;
        const length = Math.max(1000, chosen.to - chosen.from);
        state.follow = false;
        move(new Scale(chosen.from - length * 0.3, chosen.to + length * 0.3, view.width));
    }

    async function open() {
        const device = rowNow()?.device;
        if (!device) return;
        const { chosen } = state;
        if (chosen?.sentence) return go("conflicts", chosen.id);
        try {
            const found = await momentOf(device, chosen, state.cursor ?? state.scale.to);
            if (found) go("moment", found, { device });
            else go("moment", null, { device, to: rfc((state.cursor ?? state.scale.to) + 60_000) });
        } catch (error) {
            fill(problem, problemText(error));
        }
    }

    listenTo(view, {
        move,
        hover(at, row, event) {
            state.hover = at;
            const line = row === null ? null : state.rows[row];
            tip.hidden = at === null || !line?.device || state.isTable;
            if (!tip.hidden) {
                const slack = state.scale.resolution * 3;
                const conflicts = data.conflicts(line.device).filter((one) => Math.abs(one.from - at) < slack * 2);
                fill(tip, tipContent(line.name, spanAt(data.lane(line.device)?.spans ?? [], at, slack), conflicts, at));
                tip.style.left = `${Math.min(innerWidth - tip.offsetWidth - 12, event.clientX + 16)}px`;
                tip.style.top = `${Math.min(innerHeight - tip.offsetHeight - 12, event.clientY + 18)}px`;
            }
            view.later();
        },
        choose(at, row) {
            if (row === null || !state.rows[row].device) return;
            state.cursor = at;
            const slack = state.scale.resolution * 3;
            const { device } = state.rows[row];
            const conflict = data.conflicts(device).find((one) => Math.abs(one.from - at) < slack * 2);
            setChosen(conflict ?? spanAt(data.lane(device)?.spans ?? [], at, slack), row);
            view.lanes.focus({ preventScroll: true });
        },
        step(direction) {
            const spans = laneNow()?.spans ?? [];
            const from = state.cursor ?? (direction > 0 ? state.scale.from - 1 : Math.min(state.scale.to, now()));
            const next = stepFrom(spans, from, direction);
            if (!next) return announce(direction > 0 ? "Nothing later is loaded" : "Nothing earlier is loaded");
            state.cursor = next.from;
            const { scale } = state;
            if (next.from < scale.from
                || next.from > scale.to) move(scale.moved(next.from - (scale.from + scale.to) / 2));
            setChosen(next);
        },
        rows(difference) {
            const row = Math.max(0, Math.min(state.rows.length - 1, state.row + difference));
            view.reveal(row);
            const { device } = state.rows[row] ?? {};
            setChosen(device && state.cursor !== null ? spanAt(data.lane(device)?.spans ?? [], state.cursor) : null,
                row);
        },
        edge(direction) {
            state.cursor = direction < 0 ? state.scale.from : Math.min(now(), state.scale.to);
            setChosen(spanAt(laneNow()?.spans ?? [], state.cursor - (direction > 0 ? 1 : 0)));
        },
        select(from, to, isDone) {
            [from, to] = from < to ? [from, to] : [to, from];
            state.selection = isDone ? null : { from, to };
            if (isDone && to - from > state.scale.resolution * 4) {
                state.follow = false;
                move(new Scale(from, to, view.width));
            } else view.later();
        },
        open,
    });

    current = { follow, move, state, toggleTable, view,
        nextConflict: () => nextConflict(state, data, setChosen, move) };
    choose();
    state.scale = new Scale(state.scale.from, state.scale.to, view.width);
    if (state.follow) follow(null);
    const endings = [
        onDevices((ids) => ids === null && choose()),
        onLive("change", (event) => {
            data.outdate(event.device_id);
            if (state.scale.to >= now() - 5000) view.later();
        }),
    ];
    onTheme(() => view.later());
    const tick = setInterval(() => {
        if (!state.follow || document.visibilityState !== "visible") return;
        const length = state.scale.to - state.scale.from;
        const to = now() + length * 0.02;
        if (to - state.scale.to < state.scale.resolution * 0.5) return;
        state.scale = new Scale(to - length, to, view.width);
        bar.showRange();
        view.later();
    }, 500);
    return () => {
        endings.forEach((end) => end());
        clearInterval(tick);
        data.stop();
        view.close();
        current = null;
    };
}

function nextConflict(state, data, setChosen, move) {
    const after = state.chosen?.sentence ? state.chosen.from : state.scale.from;
    const best = conflictAfter(state.rows, data, after);
    if (!best) return announce("No later conflict is loaded");
    state.cursor = best.one.from;
    if (best.one.from > state.scale.to) move(state.scale.moved(best.one.from - (state.scale.from
        + state.scale.to) / 2));
    setChosen(best.one, best.index);
}

/** The keys of this screen. */
export const timelineKeys = () => [
    ["ArrowUp ArrowDown", "another device", () => current?.view.lanes.focus()],
        ["ArrowLeft ArrowRight", "the state before, the next", () => current?.view.lanes.focus()],
    ["Shift+ArrowLeft Shift+ArrowRight", "earlier, later"], ["+ -", "zoom"], ["w s a d", "zoom and move"],
    ["Home End", "to the left, the right edge"], ["Enter", "open the moment"],
        ["c", "next conflict", () => current?.nextConflict()],
    ["l", "follow what happens now", () => current?.follow(null)],
        ["0", "the last 24 hours", () => current?.follow(86_400)],
    ["v", "picture or table", () => current?.toggleTable()],
        ["/", "find a device", () => document.getElementById("finder")?.focus()],
];
