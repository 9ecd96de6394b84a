// The difference that an event is: field by field, what was so before and what is so after it.
//
// Not said, null and a value are three things, and stay three on the page.

import { h } from "./dom.js";
import { nothing } from "./parts.js";

const unsaid = Symbol("not said");

/** Every field of a value by its path: "media.metadata.title". */
function flattened(value, path, into) {
    if (value === undefined || value === unsaid) return into;
    if (value === null || typeof value !== "object") into.set(path, value);
    else if (Array.isArray(value)) {
        // Small things in a list, such as tracks, are read one by one.
        if (value.every(isSmall)) into.set(path, value);
        else value.forEach((one, index) => flattened(one, `${path}[${index}]`, into));
    } else {
        const entries = Object.entries(value);
        if (!entries.length) into.set(path, value);
        for (const [key, one] of entries) flattened(one, path ? `${path}.${key}` : key, into);
    }
    return into;
}

const isPlain = (one) => one === null || typeof one !== "object";
const isSmall = (one) => isPlain(one) || (!Array.isArray(one) && Object.keys(one).length <= 8 && Object.values(one)
    .every(isPlain));

/** A table of the fields: those that differ first. */
export function difference(before, after) {
    const was = flattened(before ?? undefined, "", new Map());
    const is = flattened(after ?? undefined, "", new Map());
    const paths = [...new Set([...was.keys(), ...is.keys()])];
    if (!paths.length) return nothing("This event has no fields before or after it.");
    const rows = paths.map((path) => {
        const [one, other] = [was.has(path) ? was.get(path) : unsaid, is.has(path) ? is.get(path) : unsaid];
        return { path, one, other, differs: write(one) !== write(other) };
    });
    rows.sort((first, second) => Number(second.differs) - Number(first.differs));
    const both = before && after;
    return h("table", { class: "difference" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Field"), before ? h("th", { scope: "col" }, "Before")
            : null, after ? h("th", { scope: "col" }, "After") : null)),
        h("tbody", {}, rows.map(({ path, one, other, differs }) => h("tr", {}, h("td", {}, path || "(the value)"),
            before ? h("td", {}, cell(one, both && differs ? "was" : "")) : null, after
                ? h("td", {}, cell(other, both && differs ? "is" : "")) : null))));
}

const write = (value) => (value === unsaid ? "unsaid" : JSON.stringify(value));

function cell(value, kind) {
    if (value === unsaid) return h("span", { class: "unsaid" }, "not said");
    if (Array.isArray(value) && value.length && !value.every(isPlain)) {
        return value.map((one) => h("div", { class: kind }, Object.entries(one).map(([key, any]) => `${key} ${any}`)
            .join(", ")));
    }
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return h("span", { class: `${kind}${value === null ? " unsaid" : ""}` }, text);
}
