// Small parts that every screen has: waiting, problems, chips, facts, tables that grow.

import { fill, h } from "./dom.js";
import { icon } from "./icons.js";

/** Says in words that something is on its way. */
export function waiting(host, text) {
    return fill(host, h("span", { class: "wait" }, h("i", { class: "spinner", "aria-hidden": "true" }), text));
}

/** What went wrong, to be read by people. */
export function problemText(error) {
    if (error.name === "AbortError") return null;
    if (!error.title) console.error(error);
    return h("p", { class: "problem", role: "alert" }, h("b", {}, error.title ?? "The page made a mistake"),
        error.title ? error.detail || null : String(error.message));
}

/** Nothing to show, and why. */
export const nothing = (text) => h("p", { class: "nothing-here soft" }, text);

/** A list of names and values; a value of null is left out. */
export function facts(list, attributes = {}) {
    return h("dl", { class: "fact-list", ...attributes },
        list.filter((one) => one && ![null, undefined, ""].includes(one[1]) && one[1]?.length !== 0)
        .map(([name, value, title]) => h("div", { title }, h("dt", {}, name), h("dd", {}, value))));
}

/** A button that copies a text. */
export function copier(text, words = "Copy") {
    const button = h("button", { type: "button", class: "plain small" }, icon("copy"), words);
    button.addEventListener("click", async () => {
        try {
            await navigator.clipboard.writeText(typeof text === "function" ? text() : text);
            button.lastChild.textContent = "Copied";
        } catch {
            button.lastChild.textContent = "Select the text and copy it";
        }
        setTimeout(() => (button.lastChild.textContent = words), 1500);
    });
    return button;
}

/** A list that grows as one scrolls to its end: `more()` gives the next elements, or none at the end. */
export function growing(host, more) {
    const end = h("div", { class: "growing-end", "aria-hidden": "true" });
    let isBusy = false;
    let isOver = false;
    const grow = async () => {
        if (isBusy || isOver) return;
        isBusy = true;
        try {
            const next = await more();
            if (!next || !next.length) isOver = true;
            else host.append(...next);
        } catch (error) {
            isOver = true;
            if (error.name !== "AbortError") end.replaceWith(problemText(error) ?? "");
        } finally {
            isBusy = false;
        }
        if (isOver) return observer.disconnect();
        // Where the screen is not full yet, nobody scrolls.
        if (end.isConnected && end.getBoundingClientRect().top < innerHeight + 600) grow();
    };
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && grow(),
        { rootMargin: "600px" });
    observer.observe(end);
    return { end, grow, stop: () => observer.disconnect() };
}

/** Up and down walk over the rows of a list whose rows can have the focus. */
export function walkRows(host, selector) {
    host.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
        const row = event.target.closest(selector);
        if (!step || !row || event.ctrlKey || event.altKey || event.metaKey
            || event.target.matches("input, select")) return;
        const rows = [...host.querySelectorAll(selector)];
        const next = rows[rows.indexOf(row) + step];
        event.preventDefault();
        event.stopPropagation();
        if (!next) return;
        next.focus();
        next.scrollIntoView({ block: "nearest" });
    });
}
