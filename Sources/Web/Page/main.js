// Starts the page: the frame around the screens, and which one is shown.

import { announce, fill, h, setAttribute, setText } from "./dom.js";
import { ask, logIn } from "./api.js";
import { followDevices, loadDevices } from "./devices-now.js";
import { setCommonKeys, setScreenKeys, showKeys, startKeyboard } from "./keyboard.js";
import { problemText } from "./parts.js";
import { go, onRoute, route } from "./router.js";
import { onCondition, onLive, openStream } from "./stream.js";
import { startTheme, switchTheme } from "./theme.js";
import { keptZone, momentText, instant, onZone, setZone, zoneName, zones } from "./zone.js";

/** The screens: each is loaded when it is first shown. */
const screens = {
    now: { title: "Now", load: () => import("./now.js").then((it) => [it.showNow, it.nowKeys]) },
    timeline: { title: "Timeline", load: () => import("./timeline.js")
        .then((it) => [it.showTimeline, it.timelineKeys]) },
    history: { title: "History", load: () => import("./history.js").then((it) => [it.showHistory, it.historyKeys]) },
    moment: { title: "Events", load: () => import("./moment.js").then((it) => [it.showMoment, it.momentKeys]) },
    conflicts: { title: "Conflicts", load: () => import("./conflicts.js")
        .then((it) => [it.showConflicts, it.conflictKeys]) },
    devices: { title: "Devices", load: () => import("./devices.js").then((it) => [it.showDevices, it.deviceKeys]) },
    health: { title: "Storage and health", load: () => import("./health.js").then((it) => [it.showHealth, []]) },
};

const main = document.getElementById("main");
let leave = null;
let turn = 0;

async function show(place) {
    const mine = ++turn;
    const screen = screens[place.screen] ? place.screen : "now";
    const wanted = place.parameters.get("zone");
    if (wanted && wanted !== zoneName()) setZone(wanted);
    leave?.();
    leave = null;
    document.title = `${screens[screen].title} · CastLedger`;
    for (const tab of document.querySelectorAll("#tabs a")) {
        setAttribute(tab, "aria-current", tab.dataset.screen === screen ? "page" : null);
    }
    document.body.dataset.screen = screen;
    try {
        const [begin, keys] = await screens[screen].load();
        if (mine !== turn) return;
        setScreenKeys(typeof keys === "function" ? keys() : keys);
        // A screen of its own for each place: an answer that comes late fills one that nobody sees.
        const stage = h("div");
        main.replaceChildren(stage);
        scrollTo(0, 0);
        const end = await begin(stage, place);
        if (mine === turn) leave = end ?? null;
        else end?.();
        main.dataset.shown = screen;
    } catch (error) {
        if (mine === turn) fill(main, problemText(error));
    }
}

function startZone() {
    const field = document.getElementById("zone");
    setZone(route().parameters.get("zone") ?? keptZone()) || setZone("UTC");
    field.value = zoneName();
    field.addEventListener("focus", () => {
        const list = document.getElementById("zones");
        if (!list.children.length) fill(list, zones().map((name) => h("option", { value: name })));
        field.select();
    }, { once: false });
    field.addEventListener("change", () => {
        if (setZone(field.value.trim())) {
            announce(`Times are those of ${zoneName()}`);
            const { screen, name, parameters } = route();
            parameters.delete("zone");
            go(screen, name, parameters);
        } else {
            announce(`There is no time zone ${field.value}`);
        }
        field.value = zoneName();
    });
    onZone(() => (field.value = zoneName()));
}

function startLive() {
    const pill = document.getElementById("live");
    const words = { connecting: "connecting", live: "live", broken: "not live" };
    onCondition((condition) => {
        pill.dataset.condition = condition;
        setText(pill.lastElementChild, words[condition]);
        // Whoever opened the page before the database was there sees it as soon as it is.
        if (condition === "live" && main.querySelector(".problem")) show(route());
        setAttribute(pill, "title", condition === "live" ? "Changes are shown as they happen"
            : "Changes do not arrive now; trying again");
    });
    const look = () => ask("/status").then(showTrouble, () => {});
    onLive("status", look);
    look();
    setInterval(() => document.visibilityState === "visible" && look(), 20_000);
    openStream();
    followDevices();
}

/** A line across the page while the recorder does not record: nobody shall take old facts for new ones. */
function showTrouble(answer) {
    const banner = document.getElementById("banner");
    const recorders = answer?.recorders ?? [];
    const isDown = recorders.length ? recorders.every((one) => one.is_down) : answer?.health === "down";
    const troubles = (answer?.troubles ?? []).map((one) => one.sentence);
    const end = recorders.map((one) => one.at).filter(Boolean).sort().at(-1);
    const last = end ? ` What you see ends at ${momentText(instant(end))} ${zoneName()}.`
        : " Nothing was recorded yet.";
    const words = isDown ? `No recorder runs.${last}` : troubles.slice(0, 2).join(" ");
    banner.hidden = !words;
    banner.dataset.grave = isDown;
    setText(banner, words);
}

function startToken() {
    addEventListener("castledger-token", () => {
        const dialog = document.getElementById("token-dialog");
        if (dialog.open) return;
        const field = h("input", { type: "password", autocomplete: "current-password", required: true,
            "aria-label": "Token" });
        const words = h("p", { class: "soft" }, "The token stands in the file that the recorder was given.");
        fill(dialog, h("form", {
            on: { submit: (event) => {
                event.preventDefault();
                logIn(field.value).then(() => location.reload(), (error) => setText(words, error.message));
            } },
        }, h("h2", { id: "token-title" }, "Token"), words, field,
            h("p", { class: "row end" }, h("button", {}, "Go on"))));
        dialog.showModal();
    });
}

setCommonKeys([
    ["g+n", "now", () => go("now")], ["g+t", "timeline", () => go("timeline")], ["g+h", "history", () => go("history")],
    ["g+e", "events", () => go("moment")], ["g+c", "conflicts", () => go("conflicts")],
    ["g+d", "devices", () => go("devices")], ["g+s", "storage and health", () => go("health")],
    ["d", "dark, light, as the system", () => announce(`Colors ${switchTheme()}`)],
    ["z", "time zone", () => document.getElementById("zone").focus()],
    ["?", "these keys", showKeys],
]);
startZone();
startTheme();
startKeyboard();
startToken();
onRoute(show);
// Before the first question, so that nothing falls between its answer and the stream.
startLive();
// Every screen needs the devices: they are asked for while its code is still on the way.
loadDevices().catch(() => {});
await show(route());
