// Which screen is shown, and with which filters: all of it stands in the address, so that a view can be kept and sent.
//
// "#/timeline?from=2026-03-01T20:00:00Z&device=…": the screen, perhaps one thing of it, and its parameters. It stands
// behind the hash because it concerns nobody but the page: no view makes a request of its own.

import { zoneName } from "./zone.js";

const listeners = new Set();

/** The address as parts: `screen`, `name` (what is shown of it, or null) and `parameters`. */
export function route(hash = location.hash) {
    const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
    const [screen, ...rest] = path.split("/");
    return {
        screen: screen || "now",
        name: rest.length ? decoded(rest.join("/")) : null,
        parameters: new URLSearchParams(query),
    };
}

function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

/** The address of a screen. Parameters are a URLSearchParams or an object; lists repeat, empty ones are left out. */
export function address(screen, name = null, parameters = {}) {
    const query = parameters instanceof URLSearchParams ? new URLSearchParams(parameters) : search(parameters);
    if (zoneName() !== "UTC" && !query.has("zone")) query.set("zone", zoneName());
    const text = query.toString();
    return `#/${screen}${name === null ? "" : "/" + encodeURIComponent(name)}${text ? "?" + text : ""}`;
}

/** Parameters out of an object. */
export function search(values) {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(values)) {
        for (const one of Array.isArray(value) ? value : [value]) {
            if (one !== null && one !== undefined && one !== "") query.append(key, one);
        }
    }
    return query;
}

/** Goes to a screen: a step that the back button undoes. */
export function go(screen, name = null, parameters = {}) {
    const target = address(screen, name, parameters);
    if (target === location.hash) return tell();
    location.hash = target;
}

/** Writes what the present screen shows into the address, without a step. */
export function keep(parameters) {
    const { screen, name } = route();
    const target = address(screen, name, parameters);
    if (target !== location.hash) history.replaceState(null, "", target);
}

/** Calls with the route whenever the address changes. */
export function onRoute(listener) {
    listeners.add(listener);
}

function tell() {
    for (const listener of listeners) listener(route());
}

addEventListener("hashchange", tell);
