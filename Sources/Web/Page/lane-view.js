// The picture of lanes: names at the left, bars beside them, an axis above, and one cursor across all. Only rows in view
// exist, so a thousand devices cost as much as thirty.

import { h, setAttribute, setText } from "./dom.js";
import { devices } from "./devices-now.js";
import { icon } from "./icons.js";
import { Scale, marks } from "./axis.js";
import { now } from "./api.js";
import { colors, paintConflict, paintLane, prepared } from "./paint.js";
import { address } from "./router.js";
import { axisHeight, paintAxis } from "./lane-axis.js";
import { count, share } from "./words.js";

/** Heights of a row, in pixels: where there are few, titles have room. */
const lowRow = 30, tallRow = 46, fewRows = 10;

export class LaneView {
    #names = [];
    #frame = null;

    /** `state` has `scale`, `rows`, `row`, `cursor`, `hover`, `selection`, `chosen`; `data` the lanes. */
    constructor(state, data, { fold }) {
        Object.assign(this, { state, data, fold });
        this.axis = h("div", { class: "axis" }, (this.axisCanvas = h("canvas", { "aria-hidden": "true" })));
        this.names = h("div", { class: "lane-names" });
        this.canvas = h("canvas", { "aria-hidden": "true" });
        this.view = h("div", { class: "lanes-view" }, this.names, this.canvas);
        this.spacer = h("div", {});
        this.lanes = h("div", { class: "lanes", tabIndex: 0, role: "group", "aria-roledescription": "timeline",
            "aria-describedby": "lanes-help" }, this.view, this.spacer);
        this.element = h("div", { class: "timeline" }, this.axis, this.lanes,
            h("p", { id: "lanes-help", class: "hidden" },
                "Up and down change the device, left and right walk from one state to "
                + "the next, plus and minus zoom, Enter opens what is there. The table says the same in text."));
        this.lanes.addEventListener("scroll", () => this.later(), { passive: true });
        this.observer = new ResizeObserver(() => this.resized());
        this.observer.observe(this.element);
    }

    /** The width of the bars, in pixels. */
    get width() {
        return Math.max(60, this.lanes.clientWidth - this.nameWidth);
    }

    get rowHeight() {
        return this.state.rows.length <= fewRows ? tallRow : lowRow;
    }

    get nameWidth() {
        return parseFloat(getComputedStyle(this.element).getPropertyValue("--names")) || 200;
    }

    resized() {
        const { scale } = this.state;
        this.state.scale = new Scale(scale.from, scale.to, this.width);
        this.draw();
    }

    /** Paints before the next frame. */
    later() {
        this.#frame ??= requestAnimationFrame(() => this.draw());
    }

    /** Paints now. */
    draw() {
        if (this.#frame !== null) cancelAnimationFrame(this.#frame);
        this.#frame = null;
        if (!this.lanes.isConnected || !this.lanes.clientHeight) return;
        const { rows } = this.state;
        const { rowHeight } = this;
        this.element.style.setProperty("--row", `${rowHeight}px`);
        this.element.style.maxHeight = `${axisHeight + rows.length * rowHeight + 2}px`;
        const height = this.lanes.clientHeight;
        this.view.style.height = `${height}px`;
        this.spacer.style.height = `${Math.max(0, rows.length * rowHeight - height)}px`;
        const scroll = Math.min(this.lanes.scrollTop, Math.max(0, rows.length * rowHeight - height));
        this.first = Math.max(0, Math.floor(scroll / rowHeight));
        this.last = Math.min(rows.length, Math.ceil((scroll + height) / rowHeight));
        this.top = scroll;
        this.#drawNames();
        this.#drawLanes(height);
        paintAxis(this.axisCanvas, this.nameWidth, this.state);
        const beyond = 4;
        const wanted = rows.slice(Math.max(0, this.first - beyond), this.last + beyond).map((row) => row.device)
            .filter(Boolean);
        this.data.want(wanted, this.state.scale);
        setAttribute(this.element, "aria-busy", this.data.isWaiting ? "true" : null);
    }

    #drawNames() {
        const need = this.last - this.first;
        while (this.#names.length < need) {
            const part = { fold: h("button", { class: "fold", type: "button" }, icon("down")),
                label: h("a", { class: "lane-label" }),
                share: h("span", { class: "lane-share" }) };
            const element = h("div", { class: "lane-name" }, part.fold, part.label, part.share);
            part.fold.addEventListener("click", () => this.fold(element.row.fold));
            element.parts = part;
            this.#names.push(element);
            this.names.append(element);
        }
        for (let index = 0; index < this.#names.length; index++) {
            const element = this.#names[index];
            const place = this.first + index;
            element.hidden = index >= need;
            if (index >= need) continue;
            const row = this.state.rows[place];
            element.row = row;
            element.style.transform = `translateY(${place * this.rowHeight - this.top}px)`;
            element.className = "lane-name" + (row.device ? "" : " heading-row") + (row.depth ? " member" : "")
                + (place === this.state.row ? " chosen" : "");
            const { fold, label, share: part } = element.parts;
            fold.hidden = !row.fold;
            if (row.fold) {
                setAttribute(fold, "aria-expanded", String(row.isOpen));
                setAttribute(fold, "aria-label", `${row.name}, ${count(row.count, "member")}`);
            }
            setText(label, row.name);
            setAttribute(label, "title", row.name);
            setAttribute(label, "href", row.device ? address("devices", row.device) : null);
            const lane = row.device ? this.data.lane(row.device) : null;
            setText(part, row.device ? (lane && lane.coverage !== null ? share(lane.coverage) : "")
                : String(row.count));
            part.classList.toggle("low", lane?.coverage < 0.95);
        }
    }

    #drawLanes(height) {
        const { scale, rows, row: chosen } = this.state;
        const { rowHeight } = this;
        const context = prepared(this.canvas, scale.width, height);
        const color = colors();
        context.fillStyle = color.grid;
        for (const mark of marks(scale)) context.fillRect(Math.round(scale.x(mark.at)), 0, 1, height);
        const present = now();
        for (let index = this.first; index < this.last; index++) {
            const row = rows[index];
            const top = index * rowHeight - this.top;
            if (index === chosen) {
                context.fillStyle = color.accent;
                context.globalAlpha = 0.07;
                context.fillRect(0, top, scale.width, rowHeight);
                context.globalAlpha = 1;
            }
            context.fillStyle = color.grid;
            context.fillRect(0, top + rowHeight - 1, scale.width, 1);
            if (!row.device) continue;
            const lane = this.data.lane(row.device);
            if (!lane) continue;
            paintLane(context, lane.spans, scale, top + 6, rowHeight - 12);
            this.#drawTail(context, lane, row.device, present, top + 6);
            // Marks that would cover each other are one.
            let last = -Infinity;
            for (const conflict of this.data.conflicts(row.device)) {
                const x = scale.x(conflict.from);
                const isChosen = conflict === this.state.chosen;
                if (x < -6 || x > scale.width + 6 || x < last + 7 && !isChosen) continue;
                paintConflict(context, x, top + 1, isChosen);
                last = x;
            }
        }
        if (present > scale.from && present < scale.to) {
            context.fillStyle = color.conflict;
            context.globalAlpha = 0.7;
            context.fillRect(Math.round(scale.x(present)), 0, 1, height);
            context.globalAlpha = 1;
        }
        this.#drawChosen(context, color);
        this.#drawCursors(context, color, height);
    }

    /** What lasts was told up to the last record; that it still does so is known from the device's present state. */
    #drawTail(context, lane, id, present, top) {
        const last = lane.spans.at(-1);
        const item = devices.get(id);
        if (!last || !item || item.activity !== last.activity || last.to >= present || lane.to < last.to) return;
        context.globalAlpha = 0.45;
        paintLane(context, [{ ...last, from: last.to, to: present, title: null, app: null }], this.state.scale, top,
            this.rowHeight - 12);
        context.globalAlpha = 1;
    }

    #drawChosen(context, color) {
        const { chosen, scale, row } = this.state;
        if (!chosen || chosen.kind || row < this.first || row >= this.last) return;
        const left = Math.max(0.5, scale.x(chosen.from));
        const right = Math.min(scale.width - 0.5, Math.max(left + 2, scale.x(chosen.to)));
        if (right < 0 || left > scale.width) return;
        context.strokeStyle = color.ink;
        context.lineWidth = 1.5;
        context.strokeRect(left, row * this.rowHeight - this.top + 4.5, right - left, this.rowHeight - 9);
    }

    #drawCursors(context, color, height) {
        const { hover, cursor, selection, scale } = this.state;
        if (selection) {
            context.fillStyle = color.accent;
            context.globalAlpha = 0.15;
            context.fillRect(scale.x(selection.from), 0, scale.x(selection.to) - scale.x(selection.from), height);
            context.globalAlpha = 1;
        }
        for (const [at, width] of [[hover, 1], [cursor, 1.5]]) {
            if (at === null || at < scale.from || at > scale.to) continue;
            context.fillStyle = at === cursor ? color.accent : color.soft;
            context.fillRect(Math.round(scale.x(at)), 0, width, height);
        }
    }

    /** The row at a height of the window, or null. */
    rowAt(clientY) {
        const index = Math.floor((clientY - this.lanes.getBoundingClientRect().top + this.top) / this.rowHeight);
        return index >= 0 && index < this.state.rows.length ? index : null;
    }

    /** The instant at a place of the window. */
    instantAt(clientX) {
        return this.state.scale.at(clientX - this.lanes.getBoundingClientRect().left - this.nameWidth);
    }

    /** Brings a row into view. */
    reveal(index) {
        const { rowHeight } = this;
        const top = index * rowHeight;
        if (top < this.lanes.scrollTop) this.lanes.scrollTop = top;
        else if (top + rowHeight > this.lanes.scrollTop + this.lanes.clientHeight) {
            this.lanes.scrollTop = top + rowHeight - this.lanes.clientHeight;
        }
    }

    close() {
        this.observer.disconnect();
        if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    }
}
