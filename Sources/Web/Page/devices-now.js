// What each device does now: one table for the whole page, loaded once, then kept up by the live stream.
//
// A change event says which device changed. What it looks like now is asked of the API, so that no rule of the ledger is
// written a second time here.

import { ask, askAll, now, setClock } from "./api.js";
import { throttled } from "./dom.js";
import { search } from "./router.js";
import { onCondition, onLive } from "./stream.js";
import { instant } from "./zone.js";

/** What each device does, by its id, in the API's order. */
export const devices = new Map();

const listeners = new Set();
const dirty = new Set();
let loading = null;
let loadedAt = null;

/** The most devices asked for one by one; beyond, all are asked for at once. */
const mostAtOnce = 40;

/** Calls with the ids that changed, or null for all; returns how to stop. */
export function onDevices(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

/** Whether they were loaded. */
const areLoaded = () => loadedAt !== null;

/** Loads all, once; later calls wait for the same answer. */
export function loadDevices() {
    loading ??= reload().catch((error) => {
        loading = null;
        throw error;
    });
    return loading;
}

/** Loads all anew. */
async function reload() {
    const items = await askAll("/now", {}, { most: 20_000 });
    learnClock(items);
    const known = new Set(items.map((item) => item.device_id));
    for (const id of devices.keys()) if (!known.has(id)) devices.delete(id);
    for (const item of items) devices.set(item.device_id, received(item));
    loadedAt = now();
    tell(null);
}

/** An item with when it was told, since ages and positions go on from there. */
function received(item) {
    item.told_at = now();
    // A lone speaker lists itself: that is no group.
    const members = (item.group_members ?? []).map((one) => one?.device_id ?? one);
    item.group_members = members.filter((id) => id !== item.device_id);
    return item;
}

/** Whoever was heard a moment ago tells what the time is at the recorder. */
function learnClock(items) {
    const freshest = items.filter((item) => item.last_heard_at && Number.isFinite(item.frame_age_seconds))
        .sort((one, other) => one.frame_age_seconds - other.frame_age_seconds)[0];
    if (freshest) setClock(instant(freshest.last_heard_at) + freshest.frame_age_seconds * 1000);
}

const refresh = throttled(250, async () => {
    // Whoever shows no device has not asked for any.
    if (!loading) return dirty.clear();
    let ids = [];
    try {
        await loading;
        ids = [...dirty];
        dirty.clear();
        if (!ids.length) return;
        if (ids.length > mostAtOnce) return await reload();
        const { items } = await ask("/now", search({ device: ids }));
        for (const item of items) devices.set(item.device_id, received(item));
        tell(new Set(items.map((item) => item.device_id)));
    } catch {
        for (const id of ids) dirty.add(id);
    }
});

function tell(ids) {
    for (const listener of listeners) listener(ids);
}

function mark(row) {
    if (!row.device_id) return;
    dirty.add(row.device_id);
    refresh();
}

/** Follows the stream from here on. */
export function followDevices() {
    onLive("change", mark);
    onLive("conflict", mark);
    onLive("status", () => areLoaded() && slowly());
    // What was missed meanwhile is told by the stream; what a device does is asked anew.
    onCondition((condition, wasBroken) => condition === "live" && wasBroken && areLoaded() && reload().catch(() => {}));
    // Shares of the last day, and devices that fell silent, change without any event.
    setInterval(() => document.visibilityState === "visible" && areLoaded() && slowly(), 30_000);
}

const slowly = throttled(5000, () => reload().catch(() => {}));

/** Seconds since the last frame of a device, counted on from when it was told; null where it was never heard. */
export function frameAge(item) {
    if (!Number.isFinite(item.frame_age_seconds)) return null;
    return item.frame_age_seconds + (now() - item.told_at) / 1000;
}

/** Where the media is now: moved on while it plays, and never beyond its end. */
export function positionNow(item) {
    if (!Number.isFinite(item.position_seconds)) return null;
    let seconds = item.position_seconds;
    if (item.player_state === "PLAYING" && item.position_at && item.activity !== "unobserved") {
        seconds += (now() - instant(item.position_at)) / 1000 * (item.playback_rate ?? 1);
    }
    const end = Number.isFinite(item.duration_seconds) && item.duration_seconds > 0 ? item.duration_seconds : Infinity;
    return Math.max(0, Math.min(seconds, end));
}
