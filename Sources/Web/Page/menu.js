// A button that opens a box of links or choices below it. Escape, a click elsewhere, or leaving it with Tab closes it.

import { h } from "./dom.js";
import { icon } from "./icons.js";

/** A menu with these entries. */
export function menu(words, drawing, entries) {
    const box = h("div", { class: "menu-box", hidden: true }, entries);
    const button = h("button", { type: "button", class: "plain", "aria-expanded": "false" }, icon(drawing), words);
    const element = h("div", { class: "menu" }, button, box);
    const set = (isOpen) => {
        box.hidden = !isOpen;
        button.setAttribute("aria-expanded", String(isOpen));
        if (isOpen) document.addEventListener("pointerdown", elsewhere);
        else document.removeEventListener("pointerdown", elsewhere);
    };
    const elsewhere = (event) => element.contains(event.target) || set(false);
    button.addEventListener("click", () => set(box.hidden));
    element.addEventListener("keydown", (event) => {
        const entriesNow = [...box.querySelectorAll("a, input")];
        if (event.key === "Escape" && !box.hidden) {
            set(false);
            button.focus();
        } else if (["ArrowDown", "ArrowUp"].includes(event.key) && !box.hidden) {
            const index = entriesNow.indexOf(document.activeElement);
            entriesNow[(index + (event.key === "ArrowDown" ? 1 : -1) + entriesNow.length) % entriesNow.length]?.focus();
        } else return;
        event.preventDefault();
        event.stopPropagation();
    });
    element.addEventListener("focusout", (event) => event.relatedTarget && !element.contains(event.relatedTarget)
        && set(false));
    return element;
}
