// One play: what it was, how its time was spent, its captions, and the events it consists of.

import { ask, pathTo } from "./api.js";
import { fill, h } from "./dom.js";
import { eventList } from "./event-list.js";
import { facts, problemText, waiting } from "./parts.js";
import { address } from "./router.js";
import { strip } from "./strip.js";
import { instant, momentText, zoneName } from "./zone.js";
import { activities, activityWords, named, plain, position, share, stretch } from "./words.js";

/** Shows a play by its name. */
export async function showPlay(main, name) {
    waiting(fill(main), "Loading the play");
    let answer;
    try {
        answer = await ask(pathTo("plays", name));
    } catch (error) {
        return void fill(main, problemText(error));
    }
    const play = answer.play ?? answer;
    const from = instant(play.started_at);
    const to = instant(play.ended_at) ?? Date.now();
    const room = Math.max(5000, (to - from) * 0.06);
    const by = play.artist ?? play.series;
    fill(main,
        h("p", {}, h("a", { href: address("history") }, "History")),
        h("div", { class: "heading" },
            h("h1", {}, play.title ?? play.content_id ?? play.entity ?? "A play without a name", by
            ? h("span", { class: "soft" }, ` ${by}`) : null),
            h("a", { class: "button", href: address("moment", play.play_id, { device: play.device_id }) },
                "The moment it began")),
        h("div", { class: "stack" },
            h("section", { class: "card" }, strip({ device: play.device_id, from: from - room, to: to + room })),
            h("section", { class: "card" }, facts([
                ["Device", h("a", { href: address("devices", play.device_id) }, named(play))],
                    ["App", play.app_name ?? play.app_id],
                [`Started, ${zoneName()}`, momentText(from, 3)], ["Started by", plain(play.start_cause ?? "")],
                ["Ended", play.ended_at ? momentText(to, 3)
                    + (play.end_is_uncertain ? ", in a gap: the last moment observed" : "")
                    : `not yet: ${activityWords(play.phase)}`],
                ["End", play.end_reason ? plain(play.end_reason) : null], ["Observed", share(play.coverage)],
                ["Length", play.duration_seconds === null ? null : position(play.duration_seconds)],
                ["Of it", play.progress === null ? null : share(play.progress)], ["Jumps", play.seeks],
                ["Season, episode", [play.season, play.episode].filter((one) => one !== null && one !== undefined)
                    .join(", ")], ["Album", play.album],
                ["Kind of content", [play.content_type, play.stream_type].filter(Boolean).join(", ")],
                ["Content id", play.content_id ? h("span", { class: "mono" }, play.content_id) : null],
                ["Went on from", play.continued_from
                    ? h("a", { href: address("history", play.continued_from) }, play.continued_from) : null],
                ["Went on in", play.continued_in
                    ? h("a", { href: address("history", play.continued_in) }, play.continued_in) : null],
            ])),
            h("section", { class: "card" }, h("h2", {}, "How its time was spent"), spent(play)),
            play.tracks?.length ? h("section", { class: "table-box" }, tracks(play.tracks)) : null,
            answer.events?.length ? h("section", { class: "table-box" }, eventList(answer.events, { evidence: null }))
                : null));
}

function spent(play) {
    const parts = [["playing", play.played_seconds], ["paused", play.paused_seconds],
        ["buffering", play.buffering_seconds],
        ["advertisement", play.ad_seconds], ["unobserved", play.gap_seconds]].filter(([, seconds]) => seconds > 0);
    const all = parts.reduce((sum, [, seconds]) => sum + seconds, 0);
    if (!all) return h("p", { class: "soft" }, "Nothing of it was played.");
    return h("dl", { class: "spent" },
        parts.map(([activity, seconds]) => h("div", {}, h("dt", {}, activityWords(activity)),
        h("dd", {},
            h("span",
            { class: "spent-bar",
            vars: { "--activity": `var(${activities[activity].color})`,
            "--part": `${(seconds / all * 100).toFixed(2)}%` } }),
            h("span", { class: "number" }, stretch(seconds)),
                h("span", { class: "soft number" }, share(seconds / all))))));
}

function tracks(list) {
    return h("table", { class: "dense" },
        h("thead", {},
        h("tr", {}, ["Tracks from", "to", "Languages", "Captions"].map((words) => h("th", { scope: "col" }, words)))),
        h("tbody", {}, list.map((one) => h("tr", {}, h("td", { class: "time" }, momentText(instant(one.from))),
            h("td", { class: "time" }, one.to ? momentText(instant(one.to)) : ""),
                h("td", {}, one.languages.join(", ") || one.trackIds.join(", ")),
            h("td", {}, one.captions ? "on" : "off")))));
}
