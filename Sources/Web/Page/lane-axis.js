// The axis above the lanes: marks of time, and the instant of the cursor.

import { marks } from "./axis.js";
import { colors, prepared } from "./paint.js";
import { momentText, timeText } from "./zone.js";

/** Its height, in pixels. */
export const axisHeight = 38;

/** Paints it; `left` is where the lanes begin, `state` has `scale`, `hover` and `cursor`. */
export function paintAxis(canvas, left, { scale, hover, cursor }) {
    const context = prepared(canvas, left + scale.width, axisHeight);
    const color = colors();
    context.font = `12px ${color.text}`;
    context.textBaseline = "middle";
    for (const mark of marks(scale)) {
        const x = left + Math.round(scale.x(mark.at));
        context.fillStyle = color.line;
        context.fillRect(x, axisHeight - (mark.isGreat ? 12 : 6), 1, 12);
        context.fillStyle = mark.isGreat ? color.ink : color.soft;
        context.font = `${mark.isGreat ? "600 " : ""}12px ${color.text}`;
        // A word cut in two at the edge would be read as another.
        if (x + 4 + context.measureText(mark.text).width <= left + scale.width) {
            context.fillText(mark.text, x + 4, axisHeight / 2 - 2);
        }
    }
    context.clearRect(0, 0, left, axisHeight);
    const shown = hover ?? cursor;
    if (shown !== null && shown >= scale.from && shown <= scale.to) paintInstant(context, color, left, scale, shown);
    context.fillStyle = color.line;
    context.fillRect(left - 1, 0, 1, axisHeight);
}

/** The instant that is pointed at, in a box: as exact as the zoom is. */
function paintInstant(context, color, left, scale, at) {
    const digits = scale.resolution < 20 ? 3 : scale.resolution < 200 ? 1 : 0;
    const words = scale.resolution > 60_000 ? momentText(at).slice(0, 16) : timeText(at, digits);
    context.font = `600 12px ${color.text}`;
    const wide = context.measureText(words).width + 14;
    const x = Math.max(left, Math.min(left + scale.width - wide, left + scale.x(at) - wide / 2));
    context.fillStyle = color.accent;
    context.beginPath();
    context.roundRect(x, 6, wide, 22, 5);
    context.fill();
    context.fillStyle = color.card;
    context.fillText(words, x + 7, 17.5);
}
