// Live changes: one stream of events for the whole page, resumed where it broke off.

const listeners = new Map();
const watchers = new Set();
let source = null;
let last = null;
let retrySeconds = 1;
let condition = "connecting";

/** Calls with the data of each event of a kind ("change", "conflict", "play", "status"); returns how to stop. */
export function onLive(kind, listener) {
    if (!listeners.has(kind)) listeners.set(kind, new Set());
    listeners.get(kind).add(listener);
    return () => listeners.get(kind).delete(listener);
}

/** Calls with "connecting", "live" or "broken" now and whenever it changes. */
export function onCondition(watcher) {
    watchers.add(watcher);
    watcher(condition);
}

/** Opens the stream. The browser resumes it with Last-Event-ID; where it gives up,
    we begin anew after the last event. */
export function openStream() {
    source?.close();
    source = new EventSource("/api/v1/stream" + (last === null ? "" : "?after=" + encodeURIComponent(last)));
    source.addEventListener("open", () => {
        retrySeconds = 1;
        tell("live");
    });
    source.addEventListener("error", () => {
        tell("broken");
        if (source.readyState !== EventSource.CLOSED) return;
        setTimeout(openStream, retrySeconds * 1000);
        retrySeconds = Math.min(5, retrySeconds * 2);
    });
    for (const kind of ["change", "conflict", "play", "status"]) {
        source.addEventListener(kind, (event) => deliver(kind, event));
    }
}

function deliver(kind, event) {
    if (event.lastEventId) last = event.lastEventId;
    let value;
    try {
        value = JSON.parse(event.data);
    } catch {
        return;
    }
    for (const listener of listeners.get(kind) ?? []) listener(value);
}

function tell(next) {
    if (next === condition) return;
    const wasBroken = condition === "broken";
    condition = next;
    for (const watcher of watchers) watcher(next, wasBroken);
}

addEventListener("pagehide", () => source?.close());
addEventListener("pageshow", (event) => event.persisted && openStream());
