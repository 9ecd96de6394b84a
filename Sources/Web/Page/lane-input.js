// Hands on the timeline: pointer, wheel, fingers and keys, as deeds of the screen.

import { isTyping } from "./dom.js";

/**
 * Listens on a lane view. `deeds`: `move(scale)`, `hover(instant, row, event)`, `choose(instant, row)`, `open()`,
 * `step(direction)`, `rows(difference)`, `select(from, to)`, `edge(direction)`.
 */
export function listenTo(view, deeds) {
    const fingers = new Map();
    let drag = null;
    let pinch = null;
    const scaleNow = () => view.state.scale;

    view.canvas.addEventListener("pointerdown", (event) => {
        if (event.button > 0) return;
        fingers.set(event.pointerId, event.clientX);
        view.canvas.setPointerCapture(event.pointerId);
        if (fingers.size === 2) {
            const [one, other] = [...fingers.values()];
            pinch = { distance: Math.abs(one - other), scale: scaleNow(), around: view.instantAt((one + other) / 2) };
            drag = null;
        } else {
            drag = { x: event.clientX, y: event.clientY, scale: scaleNow(), isSelection: event.shiftKey,
                hasMoved: false };
        }
    });
    view.canvas.addEventListener("pointermove", (event) => {
        if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event.clientX);
        if (pinch && fingers.size === 2) {
            const [one, other] = [...fingers.values()];
            deeds.move(pinch.scale.zoomed(pinch.distance / Math.max(10, Math.abs(one - other)), pinch.around));
        } else if (drag && (drag.hasMoved || Math.abs(event.clientX - drag.x) > 3)) {
            drag.hasMoved = true;
            if (drag.isSelection) deeds.select(view.instantAt(drag.x), view.instantAt(event.clientX), false);
            else deeds.move(drag.scale.moved((drag.x - event.clientX) * drag.scale.resolution));
        }
        if (event.pointerType === "mouse") deeds.hover(view.instantAt(event.clientX), view.rowAt(event.clientY), event);
    });
    const lift = (event) => {
        if (drag?.isSelection && drag.hasMoved) deeds.select(view.instantAt(drag.x), view.instantAt(event.clientX),
            true);
        else if (drag && !drag.hasMoved && event.type === "pointerup") deeds.choose(view.instantAt(event.clientX),
            view.rowAt(event.clientY));
        fingers.delete(event.pointerId);
        drag = null;
        pinch = null;
    };
    view.canvas.addEventListener("pointerup", lift);
    view.canvas.addEventListener("pointercancel", lift);
    view.canvas.addEventListener("pointerleave", () => deeds.hover(null, null, null));
    view.canvas.addEventListener("dblclick",
        (event) => deeds.move(scaleNow().zoomed(0.35, view.instantAt(event.clientX))));

    // On the axis, dragging marks what to look at.
    let mark = null;
    view.axis.addEventListener("pointerdown", (event) => {
        mark = event.clientX;
        view.axis.setPointerCapture(event.pointerId);
    });
    view.axis.addEventListener("pointermove", (event) => {
        if (mark !== null) deeds.select(view.instantAt(mark), view.instantAt(event.clientX), false);
        else deeds.hover(view.instantAt(event.clientX), null, event);
    });
    view.axis.addEventListener("pointerup", (event) => {
        if (mark !== null && Math.abs(event.clientX - mark) > 4) deeds.select(view.instantAt(mark),
            view.instantAt(event.clientX), true);
        mark = null;
    });
    view.axis.addEventListener("pointerleave", () => deeds.hover(null, null, null));

    const wheel = (event) => {
        const lines = event.deltaMode === 1 ? 16 : 1;
        const canScroll = view.lanes.scrollHeight > view.lanes.clientHeight + 1 && view.lanes.contains(event.target);
        if (event.ctrlKey || event.altKey
            || (!event.shiftKey && !canScroll && Math.abs(event.deltaY) > Math.abs(event.deltaX))) {
            event.preventDefault();
            deeds.move(scaleNow().zoomed(Math.exp(event.deltaY * lines * 0.0022), view.instantAt(event.clientX)));
        } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
            event.preventDefault();
            deeds.move(scaleNow().moved((event.deltaX || event.deltaY) * lines * scaleNow().resolution));
        }
    };
    view.lanes.addEventListener("wheel", wheel, { passive: false });
    view.axis.addEventListener("wheel", wheel, { passive: false });

    view.lanes.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || event.target !== view.lanes) return;
        const length = scaleNow().to - scaleNow().from;
        const around = view.state.cursor ?? (scaleNow().from + scaleNow().to) / 2;
        const pan = (part) => deeds.move(scaleNow().moved(length * part));
        const zoom = (factor) => deeds.move(scaleNow().zoomed(factor, around));
        const deed = {
            ArrowLeft: () => (event.shiftKey ? pan(-0.1) : deeds.step(-1)),
                ArrowRight: () => (event.shiftKey ? pan(0.1) : deeds.step(1)),
            ArrowUp: () => deeds.rows(-1), ArrowDown: () => deeds.rows(1), PageUp: () => deeds.rows(-10),
                PageDown: () => deeds.rows(10),
            "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), w: () => zoom(0.6), s: () => zoom(1 / 0.6),
            a: () => pan(-0.2), d: () => pan(0.2), Home: () => deeds.edge(-1), End: () => deeds.edge(1),
                Enter: () => deeds.open(),
        }[event.key];
        if (!deed) return;
        event.preventDefault();
        event.stopPropagation();
        deed();
    });
}
