// JSON for people: indented, with keys, texts and figures set apart. Every piece is text, whatever it contains.

import { h } from "./dom.js";

/** The pieces of a value, as elements and texts. */
function jsonPieces(value, indent = "") {
    if (value === null) return [h("span", { class: "word" }, "null")];
    if (typeof value === "boolean") return [h("span", { class: "word" }, String(value))];
    if (typeof value === "number") return [h("span", { class: "figure" }, String(value))];
    if (typeof value === "string") return [h("span", { class: "text" }, JSON.stringify(value))];
    const inner = indent + "  ";
    const isList = Array.isArray(value);
    const entries = isList ? value.map((one) => [null, one]) : Object.entries(value);
    if (!entries.length) return [isList ? "[]" : "{}"];
    // Short lists of plain values stay on one line.
    if (isList && value.length <= 8 && value.every((one) => one === null || typeof one !== "object")) {
        return ["[", ...value.flatMap((one, index) => [index ? ", " : "", ...jsonPieces(one)]), "]"];
    }
    return [isList ? "[\n" : "{\n", ...entries.flatMap(([key, one], index) => [
        inner, key === null ? "" : h("span", { class: "key" }, JSON.stringify(key)), key === null ? "" : ": ",
        ...jsonPieces(one, inner), index < entries.length - 1 ? ",\n" : "\n"]), indent, isList ? "]" : "}"];
}

/** A box with JSON in it; a text that is JSON is shown as what it contains. */
export function jsonBox(value) {
    let shown = value;
    if (typeof value === "string") {
        try {
            shown = JSON.parse(value);
        } catch {
            return h("pre", { class: "frame", tabIndex: 0 }, value);
        }
    }
    return h("pre", { class: "frame", tabIndex: 0 }, jsonPieces(shown));
}
