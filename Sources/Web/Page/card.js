// One device now: a box that is built once and then only told what changed.

import { h, setAttribute, setText } from "./dom.js";
import { frameAge, positionNow } from "./devices-now.js";
import { activityIcon, icon } from "./icons.js";
import { address } from "./router.js";
import {
    activities, activityWords, age, attachModes, count, named, percent, plain, position, reasonWords, share,
} from "./words.js";

/** Height of a box, in pixels; all are equal, so that a thousand need no measuring. */
export const cardHeight = 168;

/** An empty box. */
export function makeCard() {
    const part = {};
    const fact = (name, drawing, title) => h("span", { class: "fact", title },
        icon(drawing), (part[name] = h("span", {})));
    const card = h("article", { class: "card now-card", tabIndex: -1 },
        h("header", {},
            h("span", { class: "badge" }, (part.glyph = h("span", { class: "glyph-box" })),
                (part.activity = h("span", {}))),
            (part.storm = h("span", { class: "mark storm", title: "A storm of messages" }, icon("storm"), "storm")),
            (part.conflicts = h("a", { class: "mark conflict" }))),
        h("h2", {}, (part.name = h("a", { class: "cover" }))),
        (part.place = h("p", { class: "place soft" })),
        (part.title = h("p", { class: "title" })),
        (part.subtitle = h("p", { class: "subtitle soft" })),
        (part.run = h("div", { class: "run" },
            (part.bar = h("div", { class: "bar", role: "progressbar", "aria-label": "Position", "aria-valuemin": 0,
                "aria-valuemax": 100 },
                h("i", {}))),
            (part.position = h("span", { class: "position" })))),
        h("footer", { class: "facts" },
            // A narrow card shows fewer of them, never a part of a number.
            (part.coverageFact = fact("coverage", "eye", "Observed, of the last 24 hours")),
            (part.volumeFact = fact("volume", "volume", "Volume")),
            (part.captionsFact = fact("captions", "captions", "Captions")),
            (part.sendersFact = fact("senders", "senders", "Senders")),
            (part.ageFact = fact("age", "clock", "Since the last frame")),
            (part.attachFact = fact("attach", "link", "How apps are joined"))));
    card.parts = part;
    return card;
}

/** Puts a device into a box. */
export function showCard(card, item) {
    const part = card.parts;
    const activity = item.activity ?? "unobserved";
    if (card.dataset.activity !== activity) {
        card.dataset.activity = activity;
        part.glyph.replaceChildren(icon(activityIcon(activity)));
        card.style.setProperty("--activity", `var(${activities[activity]?.color ?? "--idle"})`);
    }
    card.dataset.device = item.device_id;
    setText(part.activity, activityWords(activity));
    setText(part.name, named(item));
    setAttribute(part.name, "href", address("devices", item.device_id));
    setAttribute(part.name, "title", named(item));
    setText(part.place, [item.model, item.site, item.group_members?.length ? count(item.group_members.length, "member")
        : null]
        .filter(Boolean).join(" · "));
    const words = whatIsOn(item);
    setText(part.title, words.title);
    part.title.classList.toggle("nothing", !words.isMedia);
    setAttribute(part.title, "title", words.title);
    setText(part.subtitle, words.subtitle);
    part.storm.hidden = !item.storm;
    part.conflicts.hidden = !item.conflicts;
    if (item.conflicts) {
        if (part.conflicts.dataset.count !== String(item.conflicts)) {
            part.conflicts.dataset.count = item.conflicts;
            part.conflicts.replaceChildren(icon("conflict"), count(item.conflicts, "conflict"));
        }
        setAttribute(part.conflicts, "href", address("conflicts", null, { device: item.device_id }));
    }
    showFacts(part, item);
    moveCard(card, item);
}

function showFacts(part, item) {
    const muted = item.muted === true;
    part.volumeFact.hidden = item.volume === null && !muted;
    if (part.volumeFact.dataset.muted !== String(muted)) {
        part.volumeFact.dataset.muted = muted;
        part.volumeFact.firstChild.replaceWith(icon(muted ? "mute" : "volume"));
    }
    setText(part.volume, muted ? "muted" : percent(item.volume));
    part.captionsFact.hidden = !item.captions;
    setText(part.captions, captionWords(item.captions));
    const senders = senderWords(item);
    part.sendersFact.hidden = !senders;
    setText(part.senders, senders?.short ?? "");
    setAttribute(part.sendersFact, "title", senders?.long ?? null);
    // Linked, and nothing said of how apps are joined: then the card says nothing of it.
    const isLinked = item.state === "linked" || item.state === "joined";
    part.attachFact.hidden = !item.attach_mode && isLinked;
    setText(part.attach, item.attach_mode ? plain(item.attach_mode) : plain(item.state ?? "no link"));
    setAttribute(part.attachFact, "title", attachModes[item.attach_mode] ?? "No link to the device");
    setText(part.coverage, share(item.coverage));
    part.coverageFact.classList.toggle("low", Number.isFinite(item.coverage) && item.coverage < 0.95);
}

/** Who is there: how many asked for something lately, else whether the app knows of any; null where nobody says. */
function senderWords(item) {
    if (item.senders) {
        const lately = `${count(item.senders, "sender")} in the last ten minutes`;
        const known = item.sender_connected === false ? "; the app says that none is connected now" : "";
        return { short: String(item.senders), long: lately + known };
    }
    if (item.sender_connected === true) {
        return { short: "connected", long: "The app says that a sender is connected; none asked for anything lately" };
    }
    if (item.sender_connected === false) return { short: "none", long: "The app says that no sender is connected" };
    return null;
}

/** The language of the captions: what the page shows of a track. */
function captionWords(track) {
    if (!track) return "";
    return typeof track === "string" ? track : track.language ?? track.name ?? "on";
}

/** What is on, in two lines. */
export function whatIsOn(item) {
    const reason = item.reason ?? item.gap;
    if (item.activity === "unobserved" && !item.app) {
        return { title: reason ? `Not observed: ${reasonWords(reason)}` : "Not observed", subtitle: "",
            isMedia: false };
    }
    const title = item.title ?? (item.app_id && item.activity !== "idle" ? item.app ?? item.app_id : null);
    if (!title) {
        const idle = { standby: "In standby", other_input: "Shows another input", app_only: "An app without media" };
        return { title: idle[item.activity] ?? "Nothing on", subtitle: item.app ?? "", isMedia: false };
    }
    const app = item.app && item.app !== title ? item.app : null;
    return { title, subtitle: [item.subtitle, app].filter(Boolean).join(" · "), isMedia: Boolean(item.title) };
}

/** What moves by itself: the position and ages. */
export function moveCard(card, item) {
    const part = card.parts;
    const seconds = positionNow(item);
    const hasRun = seconds !== null
        && ["playing", "paused", "buffering", "loading", "advertisement"].includes(item.activity);
    part.run.classList.toggle("off", !hasRun);
    if (hasRun) {
        const duration = item.duration_seconds > 0 ? item.duration_seconds : null;
        setText(part.position, duration ? `${position(seconds)} / ${position(duration)}` : position(seconds));
        const part100 = duration ? Math.min(100, seconds / duration * 100) : 100;
        part.bar.firstChild.style.transform = `scaleX(${(part100 / 100).toFixed(4)})`;
        part.bar.classList.toggle("endless", !duration);
        setAttribute(part.bar, "aria-valuenow", duration ? Math.round(part100) : null);
        setAttribute(part.bar, "aria-valuetext", part.position.textContent);
    }
    const secondsAgo = frameAge(item);
    setText(part.age, secondsAgo === null ? "never" : age(secondsAgo));
    part.ageFact.classList.toggle("low", secondsAgo !== null && secondsAgo > 60);
}
