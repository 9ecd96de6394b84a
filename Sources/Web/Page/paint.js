// Paints lanes: what a device did, as bars whose color, height and pattern all say the same.

import { onTheme } from "./theme.js";
import { activities } from "./words.js";

let palette = null;
onTheme(() => (palette = null));

/** The colors of the page's style, and the patterns made of them. */
export function colors() {
    if (palette) return palette;
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue(name).trim();
    palette = { ink: read("--ink"), soft: read("--soft"), line: read("--line"), grid: read("--grid"),
        card: read("--card"),
        accent: read("--accent"), conflict: read("--conflict"), onPlaying: read("--on-playing"), text: read("--text"),
            page: read("--page") };
    for (const [name, { color, pattern }] of Object.entries(activities)) {
        const plain = read(color);
        palette[name] = pattern === "hatch" ? hatched(plain, palette.card) : pattern === "dots"
            ? dotted(plain, palette.card)
            : pattern === "light" ? hatched(palette.card, plain, 1.2) : plain;
    }
    return palette;
}

function tile(size, draw) {
    const ratio = devicePixelRatio || 1;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size * ratio;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    draw(context, size);
    const pattern = context.createPattern(canvas, "repeat");
    pattern.setTransform(new DOMMatrix().scale(1 / ratio));
    return pattern;
}

const hatched = (line, ground, width = 1.5) => tile(6, (context, size) => {
    context.fillStyle = ground;
    context.fillRect(0, 0, size, size);
    context.strokeStyle = line;
    context.lineWidth = width;
    context.beginPath();
    for (const shift of [-size, 0, size]) {
        context.moveTo(shift - 1, size + 1);
        context.lineTo(shift + size + 1, -1);
    }
    context.stroke();
});

const dotted = (ground, dot) => tile(6, (context, size) => {
    context.fillStyle = ground;
    context.fillRect(0, 0, size, size);
    context.fillStyle = dot;
    context.beginPath();
    context.arc(size / 2, size / 2, 1.1, 0, 7);
    context.fill();
});

/** Makes a canvas as sharp as the screen is; its drawing is in CSS pixels. */
export function prepared(canvas, width, height) {
    const ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        canvas.style.width = `${width}px`;
        canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
}

/** Paints the spans of a lane between `top` and `top + height`. What is shorter than a pixel takes one. */
export function paintLane(context, spans, scale, top, height) {
    const color = colors();
    // Short ones last: a second of something is not hidden by the hour beside it.
    const short = [];
    for (const span of spans) {
        if (span.to < scale.from || span.from > scale.to) continue;
        const left = scale.x(span.from);
        const width = scale.x(span.to) - left;
        if (width < 1.5) short.push(span);
        else bar(context, color, span, Math.max(-2, left), Math.min(scale.width + 2, left + width) - Math.max(-2, left),
            top, height);
    }
    for (const span of short) bar(context, color, span, Math.round(scale.x(span.from)), 1, top, height);
    titles(context, color, spans, scale, top, height);
}

function bar(context, color, span, left, width, top, height) {
    const share = (activities[span.activity] ?? activities.idle).height;
    const tall = Math.max(2, Math.round(height * share));
    context.fillStyle = color[span.activity] ?? color.idle;
    context.fillRect(left, top + Math.round((height - tall) / 2), width, tall);
    // A hairline keeps plays apart that adjoin.
    if (width > 4 && share > 0.3) {
        context.fillStyle = color.card;
        context.fillRect(left + width - 0.5, top, 0.5, height);
    }
}

/** The title in a bar, where there is room; once for the spans of one play that adjoin. */
function titles(context, color, spans, scale, top, height) {
    if (height < 13) return;
    context.font = `11.5px ${color.text}`;
    context.textBaseline = "middle";
    for (const span of spans) {
        if (!["playing", "unknown"].includes(span.activity) || span.to < scale.from || span.from > scale.to) continue;
        const words = span.title ?? span.app;
        const left = Math.max(0, scale.x(span.from)) + 6;
        const room = Math.min(scale.width, scale.x(span.to)) - left - 6;
        if (!words || room < 34 || span.merged > 1) continue;
        context.fillStyle = span.activity === "unknown" ? color.ink : color.onPlaying;
        context.fillText(shortened(context, words, room), left, top + height / 2 + 0.5);
    }
}

const lengths = new Map();

function shortened(context, words, room) {
    let wide = lengths.get(words);
    if (wide === undefined) {
        if (lengths.size > 4000) lengths.clear();
        wide = context.measureText(words).width;
        lengths.set(words, wide);
    }
    if (wide <= room) return words;
    const fit = Math.max(1, Math.floor(words.length * room / wide) - 1);
    return words.slice(0, fit).trimEnd() + "…";
}

/** A triangle above a lane: a conflict. */
export function paintConflict(context, x, top, isChosen) {
    const color = colors();
    context.beginPath();
    context.moveTo(x, top + 10);
    context.lineTo(x - 6, top);
    context.lineTo(x + 6, top);
    context.closePath();
    context.fillStyle = color.conflict;
    context.fill();
    context.lineWidth = isChosen ? 2 : 1;
    context.strokeStyle = isChosen ? color.ink : color.card;
    context.stroke();
}

/** A sample for a legend. */
export function swatch(activity) {
    const canvas = document.createElement("canvas");
    const context = prepared(canvas, 24, 14);
    if (activity === "conflict") paintConflict(context, 12, 2);
    else bar(context, colors(), { activity }, 0, 24, 0, 14);
    return canvas;
}
