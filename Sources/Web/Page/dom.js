// Builds elements. A value becomes text or an attribute, never markup: there is no other way to put one on the page.

const asProperty = new Set(["value", "checked", "disabled", "hidden", "selected", "open", "indeterminate", "tabIndex"]);
const svgNames = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children.
 *
 * `on` has listeners, `data` data attributes, `vars` custom properties of its style; null and false leave an attribute out.
 * Children are elements, texts and lists of both; null and false are left out.
 */
export function h(name, attributes = {}, ...children) {
    return filled(document.createElement(name), attributes, children);
}

/** The same in SVG. */
export function svg(name, attributes = {}, ...children) {
    return filled(document.createElementNS(svgNames, name), attributes, children);
}

function filled(element, attributes, children) {
    for (const [key, value] of Object.entries(attributes ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (key === "on") for (const [kind, listener] of Object.entries(value)) element.addEventListener(kind,
            listener);
        else if (key === "data") Object.assign(element.dataset, value);
        else if (key === "vars") for (const [name, text] of Object.entries(value)) element.style.setProperty(name,
            text);
        else if (asProperty.has(key)) element[key] = value;
        else element.setAttribute(key, key === "href" ? ownAddress(value) : value === true ? "" : String(value));
    }
    append(element, children);
    return element;
}

/** Links lead to this page and its API only: no value that a device said can become another address. */
function ownAddress(address) {
    const text = String(address);
    if (text.startsWith("#") || /^\/(?!\/)/.test(text)) return text;
    throw new TypeError("a link that leaves the page");
}

/** Adds children: elements, texts, lists of both. */
export function append(element, ...children) {
    for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false) continue;
        element.append(child instanceof Node ? child : String(child));
    }
    return element;
}

/** Puts children in the place of what is there. */
export function fill(element, ...children) {
    element.replaceChildren();
    return append(element, ...children);
}

/** Sets a text, and touches the page only where it differs. */
export function setText(element, value) {
    const text = value === null || value === undefined ? "" : String(value);
    if (element.textContent !== text) element.textContent = text;
}

/** Sets or removes an attribute, and touches the page only where it differs. */
export function setAttribute(element, name, value) {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/** Says something to a screen reader when it has a moment. */
export function announce(text) {
    setText(document.getElementById("announcer"), text);
}

/** Whether a key typed now belongs to a field that takes text. */
export function isTyping(event) {
    const at = event.target;
    return at instanceof HTMLElement && (at.matches("input:not([type=checkbox]):not([type=range]), select, textarea")
        || at.isContentEditable);
}

/** Calls at most once in `milliseconds`, and always once after the last request. */
export function throttled(milliseconds, action) {
    let timer = null;
    let last = -Infinity;
    return (...values) => {
        if (timer !== null) clearTimeout(timer);
        const wait = Math.max(0, last + milliseconds - performance.now());
        timer = setTimeout(() => {
            timer = null;
            last = performance.now();
            action(...values);
        }, wait);
    };
}
