// A grid of equal boxes of which only those in view exist. A thousand devices cost as much as twenty.

/**
 * Lays out `count()` boxes in `host`, which scrolls with the page.
 *
 * `make()` builds a box, `show(box, index)` puts what stands at an index into it. Boxes are used again.
 */
export class VirtualGrid {
    #free = [];
    #shown = new Map();
    #frame = null;
    #columns = 1;

    constructor(host, { height, minimum, gap, count, make, show }) {
        Object.assign(this, { host, height, minimum, gap, count, make, show });
        host.classList.add("virtual");
        this.draw = this.draw.bind(this);
        this.later = this.later.bind(this);
        addEventListener("scroll", this.later, { passive: true });
        this.observer = new ResizeObserver(this.later);
        this.observer.observe(host);
    }

    /** How many boxes stand beside each other. */
    get columns() {
        return this.#columns;
    }

    /** Draws before the next frame. */
    later() {
        this.#frame ??= requestAnimationFrame(this.draw);
    }

    /** Draws now: what left the view goes, what came into it is built. */
    draw() {
        this.#frame = null;
        const width = this.host.clientWidth;
        if (!width) return;
        const count = this.count();
        this.#columns = Math.max(1, Math.floor((width + this.gap) / (this.minimum + this.gap)));
        const box = (width - this.gap * (this.#columns - 1)) / this.#columns;
        const pitch = this.height + this.gap;
        const rows = Math.ceil(count / this.#columns);
        this.host.style.height = `${Math.max(0, rows * pitch - this.gap)}px`;
        const top = -this.host.getBoundingClientRect().top;
        const first = Math.max(0, Math.floor((top - pitch) / pitch)) * this.#columns;
        const last = Math.min(count, Math.ceil((top + innerHeight + pitch) / pitch) * this.#columns);
        for (const [index, element] of this.#shown) {
            if (index >= first && index < last) continue;
            // What has the focus stays, or the focus would fall to the top of the page.
            if (element.contains(document.activeElement) && index < count) continue;
            this.#shown.delete(index);
            element.remove();
            this.#free.push(element);
        }
        let after = null;
        for (let index = last - 1; index >= first; index--) {
            let element = this.#shown.get(index);
            if (!element) {
                element = this.#free.pop() ?? this.make();
                this.#shown.set(index, element);
                this.host.insertBefore(element, after);
            }
            after = element;
            element.style.width = `${box}px`;
            const left = (index % this.#columns) * (box + this.gap);
            element.style.transform = `translate(${left}px, ${Math.floor(index / this.#columns) * pitch}px)`;
            this.show(element, index);
        }
    }

    /** The boxes that exist, with their index. */
    boxes() {
        return this.#shown.entries();
    }

    /** Brings a box into view and gives it the focus. */
    focus(index) {
        const count = this.count();
        if (!count) return;
        const wanted = Math.max(0, Math.min(count - 1, index));
        const pitch = this.height + this.gap;
        const top = this.host.getBoundingClientRect().top + Math.floor(wanted / this.#columns) * pitch;
        const head = document.querySelector(".top").offsetHeight + 8;
        if (top < head) scrollBy(0, top - head);
        else if (top + pitch > innerHeight) scrollBy(0, top + pitch - innerHeight);
        this.draw();
        this.#shown.get(wanted)?.focus({ preventScroll: true });
    }

    /** Lets go of the page. */
    close() {
        removeEventListener("scroll", this.later);
        this.observer.disconnect();
        if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    }
}
