// Keys. Each screen says which it knows; the same list is the help that "?" shows, so the help cannot be wrong.

import { fill, h, isTyping } from "./dom.js";

let common = [];
let ofScreen = [];

/** The keys of every screen: `[keys, words, action]`, keys separated by blanks. */
export function setCommonKeys(list) {
    common = list;
}

/** The keys of the screen that is shown; those without action are handled by what has the focus. */
export function setScreenKeys(list) {
    ofScreen = list;
}

let prefix = null;

/** Makes keys work. */
export function startKeyboard() {
    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
        if (document.querySelector("dialog[open]") && event.key !== "?") return;
        const typed = prefix ? `${prefix}+${event.key}` : event.key;
        prefix = null;
        for (const [keys, , action] of [...ofScreen, ...common]) {
            if (!action || !keys.split(" ").includes(typed)) continue;
            event.preventDefault();
            action(event);
            return;
        }
        if (typed === "g") {
            prefix = "g";
            setTimeout(() => (prefix = null), 2500);
        }
    });
    document.getElementById("keys").addEventListener("click", showKeys);
}

const shown = {
    ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", " ": "Space", Enter: "Enter",
};

/** Opens the list of keys, or closes it. */
export function showKeys() {
    const dialog = document.getElementById("keys-dialog");
    if (dialog.open) return dialog.close();
    fill(dialog,
        h("form", { method: "dialog" }, h("h2", { id: "keys-title" }, "Keyboard"),
            section("On this screen", ofScreen), section("Everywhere", common),
            h("p", { class: "row end" }, h("button", { class: "plain" }, "Close"))));
    dialog.showModal();
}

function section(title, list) {
    if (!list.length) return null;
    return [
        h("h3", {}, title),
        h("dl", { class: "keys" }, list.map(([keys, words]) => h("div", {},
            h("dt", {}, keys.split(" ").map((one) => one.split("+").map((part) =>
                h("kbd", {}, part.length ? shown[part] ?? part : "+")))),
            h("dd", {}, words)))),
    ];
}
