// What a list of devices and the page of one say in the same words.

import { h } from "./dom.js";
import { plain, reasonWords } from "./words.js";

/** "2.1 ms". */
export const roundTrip = (seconds) =>
    (Number.isFinite(seconds) ? `${(seconds * 1000).toFixed(seconds < 0.1 ? 1 : 0)} ms` : "");

/** How it is reached, with the reason where it is not observed. */
export function stateCell(one) {
    const isLinked = one.state === "linked" || one.state === "joined";
    return [h("span", { class: `tag ${isLinked ? "good" : "warn"}` }, plain(one.state ?? "not known")), one.gap
        ? h("span", { class: "soft" }, ` ${reasonWords(one.gap)}`) : null];
}

/** "verified", "failed" or null. */
export function identityWords(one) {
    const identity = one.identity;
    return identity && typeof identity === "object" ? String(identity.kind ?? "").replace("identity_", "") : identity
        ?? null;
}
