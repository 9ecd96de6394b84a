// Dark, light, or as the machine has it.

import { fill, setAttribute } from "./dom.js";
import { icon } from "./icons.js";

const key = "castledger.theme";
const next = { auto: "dark", dark: "light", light: "auto" };
const words = { auto: "as the system", dark: "dark", light: "light" };
const drawing = { auto: "auto", dark: "moon", light: "sun" };
const listeners = new Set();

/** Calls whenever colors have changed. */
export const onTheme = (listener) => listeners.add(listener);

/** The next of the three. */
export function switchTheme() {
    const theme = next[document.documentElement.dataset.theme] ?? "auto";
    document.documentElement.dataset.theme = theme;
    try {
        localStorage.setItem(key, theme);
    } catch { /* A page without storage forgets it. */ }
    show();
    for (const listener of listeners) listener();
    return words[theme];
}

function show() {
    const theme = document.documentElement.dataset.theme;
    const button = document.getElementById("theme");
    fill(button, icon(drawing[theme] ?? "auto"));
    setAttribute(button, "aria-label", `Colors: ${words[theme]}`);
    setAttribute(button, "title", `Colors: ${words[theme]} (d)`);
}

/** Makes the button work. */
export function startTheme() {
    show();
    document.getElementById("theme").addEventListener("click", switchTheme);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        for (const listener of listeners) listener();
    });
}
