// Which rows the timeline has: devices by name, each group with its members below it, or by site.

import { devices } from "./devices-now.js";
import { named } from "./words.js";

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const byName = (one, other) => collator.compare(named(one), named(other));

/**
 * The rows: `{ device, name, depth, fold, count }`. A heading has no device; `fold` is its name for folding it.
 *
 * - `order`: "group" or "site".
 * - `folded`: what is closed.
 * - `wanted`: ids or names, empty for all.
 * - `text`: part of a name.
 */
export function laneRows({ order, folded, wanted, text }) {
    const part = text.trim().toLowerCase();
    const chosen = [...devices.values()].filter((item) =>
        (!wanted.length || wanted.includes(item.device_id) || wanted.includes(item.device))
        && (!part || named(item).toLowerCase().includes(part) || item.site?.toLowerCase().includes(part)));
    chosen.sort(byName);
    return order === "site" ? bySite(chosen, folded) : byGroup(chosen, folded);
}

function bySite(chosen, folded) {
    const sites = Map.groupBy(chosen, (item) => item.site ?? "");
    return [...sites.keys()].sort(collator.compare).flatMap((site) => {
        const fold = `site:${site}`;
        const rows = sites.get(site);
        const heading = { device: null, name: site || "without a site", depth: 0, fold, count: rows.length,
            isOpen: !folded.has(fold) };
        return [heading,
            ...(folded.has(fold) ? [] : rows.map((item) => ({ device: item.device_id, name: named(item), depth: 1 })))];
    });
}

function byGroup(chosen, folded) {
    const here = new Map(chosen.map((item) => [item.device_id, item]));
    const taken = new Set();
    const members = new Map();
    for (const item of chosen) {
        const list = (item.group_members ?? []).map((member) => here.get(member))
            .filter((member) => member && !taken.has(member.device_id) && !member.group_members?.length);
        if (!list.length) continue;
        for (const member of list) taken.add(member.device_id);
        members.set(item.device_id, list.sort(byName));
    }
    return chosen.filter((item) => !taken.has(item.device_id)).flatMap((item) => {
        const list = members.get(item.device_id);
        const row = { device: item.device_id, name: named(item), depth: 0 };
        if (!list) return [row];
        const isOpen = !folded.has(item.device_id);
        return [{ ...row, fold: item.device_id, count: list.length, isOpen },
            ...(isOpen ? list.map((member) => ({ device: member.device_id, name: named(member), depth: 1 })) : [])];
    });
}
