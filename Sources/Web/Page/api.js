// Asks the API. What goes wrong is told in the API's own words (RFC 9457), and nothing is tried twice by itself.

const root = "/api/v1";

/** An answer that says why there is none. */
export class Problem extends Error {
    constructor(title, detail, code) {
        super(detail ? `${title}: ${detail}` : title);
        this.title = title;
        this.detail = detail;
        this.code = code;
    }
}

/** How far the recorder's machine is ahead of this one's clock, in milliseconds. */
let clockAheadMilliseconds = 0;

/** The time on the clock of the machine that answers: milliseconds since 1970. */
export function now() {
    return Date.now() + clockAheadMilliseconds;
}

/** Learns the other machine's clock from a time that it has just told. */
export function setClock(milliseconds) {
    if (!Number.isFinite(milliseconds)) return;
    const ahead = milliseconds - Date.now();
    // What differs by less is the way of the answer.
    clockAheadMilliseconds = Math.abs(ahead) < 400 ? 0 : ahead;
}

/** The address of a question. Parameters as in the router's `search`. */
export function address(path, parameters) {
    const query = parameters ? parameters.toString() : "";
    return root + path + (query ? "?" + query : "");
}

/** One question: the answer as an object. */
export async function ask(path, parameters, { signal } = {}) {
    let answer;
    try {
        answer = await fetch(address(path, parameters), { signal, headers: { Accept: "application/json" } });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Problem("No answer", "the program that serves this page cannot be reached", 0);
    }
    if (answer.ok) {
        try {
            return await answer.json();
        } catch (error) {
            if (error.name === "AbortError") throw error;
            throw new Problem("Unreadable answer", "the answer broke off, or is not JSON", answer.status);
        }
    }
    const problem = await answer.json().catch(() => ({}));
    if (answer.status === 401) dispatchEvent(new CustomEvent("castledger-token"));
    throw new Problem(problem.title ?? `Refused with ${answer.status}`, problem.detail ?? "", answer.status);
}

/** All items of a list, page after page where it has pages, up to `most`. */
export async function askAll(path, parameters, { signal, most = 10_000 } = {}) {
    const items = [];
    const query = new URLSearchParams(parameters);
    for (;;) {
        const page = await ask(path, query, { signal });
        items.push(...page.items);
        if (!page.next || items.length >= most) return items;
        query.set("after", page.next);
    }
}

/** The path of one thing: its name is one step of it, whatever is in the name. */
export function pathTo(list, name) {
    return `/${list}/${encodeURIComponent(name)}`;
}

/** Shows the token to the program, which answers with a cookie that this page cannot read. */
export async function logIn(token) {
    const answer = await fetch("/login", { method: "POST", body: new URLSearchParams({ token }) });
    if (!answer.ok) throw new Problem("Refused", "this is not the token", answer.status);
}

/** Runs one question at a time: a new one ends the one before. */
export class Asker {
    #controller = null;

    /** The signal for the next question. */
    next() {
        this.#controller?.abort();
        this.#controller = new AbortController();
        return this.#controller.signal;
    }

    /** Ends the question that runs. */
    stop() {
        this.#controller?.abort();
        this.#controller = null;
    }
}
