// The controls of a count: depth, Count, Stop and the progress.
import { fill, h } from "./dom.js";
import { depthLimit } from "./limit.js";

// Up to this depth, a count takes less than about a second, so it starts automatically.
const AUTOMATIC_DEPTH = 4;

export class CountBar {
    #store;
    #depth;
    #less;
    #count;
    #stop;
    #limit;
    #progress;

    /** Makes the controls of a view. They call its `count()` and `stop()`. Its name makes the ids unique. */
    constructor(store, view) {
        this.#store = store;
        const id = `depth-${view.name}`;
        this.#depth = h("input", {
            id,
            class: "depth",
            type: "number",
            min: "1",
            "aria-describedby": `limit-${view.name}`,
            oninput: () => this.#setDepth(Number(this.#depth.value)),
            onchange: () => this.show(this.#store.state, null),
            onkeydown: (event) => event.key === "Enter" && view.count(),
        });
        this.#less = this.#stepButton(-1, "−", "Depth one less");
        this.#stop = h("button", { type: "button", onclick: () => this.#isRunning() && view.stop() }, "Stop");
        this.#progress = h("progress", { max: "1", value: "0", "aria-label": "Progress of the count" });
        const more = this.#stepButton(1, "+", "Depth one more");
        this.#count = h("button", { type: "button", class: "primary", onclick: () => view.count() }, "Count");
        this.#limit = h("p", { id: `limit-${view.name}`, class: "limit", role: "status" });
        this.element = h(
            "div",
            null,
            h(
                "div",
                { class: "count-bar" },
                h("label", { for: id }, "Depth"),
                h("span", { class: "stepper" }, this.#less, this.#depth, more),
                this.#count,
                this.#stop,
                this.#progress,
            ),
            this.#limit,
        );
    }

    /** Shows the depth and its limit, and the progress of a count: `{ isRunning, share }`, or `null` without one. */
    show({ depth }, progress) {
        if (document.activeElement !== this.#depth || Number(this.#depth.value) !== depth) {
            this.#depth.value = String(depth);
        }
        const limit = depthLimit(depth);
        fill(this.#limit, limit ?? "");
        this.#depth.setAttribute("aria-invalid", String(limit !== null));
        setDisabled(this.#less, depth <= 1);
        setDisabled(this.#count, limit !== null);
        setDisabled(this.#stop, !progress?.isRunning);
        this.#progress.value = limit === null ? (progress?.share ?? 0) : 0;
    }

    #isRunning() {
        return this.#stop.getAttribute("aria-disabled") !== "true";
    }

    #setDepth(depth) {
        if (Number.isSafeInteger(depth) && depth >= 1) {
            this.#store.replace({ depth });
        }
    }

    #stepButton(step, face, label) {
        const change = () => this.#setDepth(this.#store.state.depth + step);
        return h("button", { type: "button", class: "step", "aria-label": label, title: label, onclick: change }, face);
    }
}

/** Whether a count starts automatically: it is short, and the user has not stopped it. */
export function startsByItself(depth, result) {
    const isOpen = result === null || (!result.isComplete && !result.isRunning && !result.failure);
    return depth <= AUTOMATIC_DEPTH && isOpen && !result?.isByUser;
}

// A disabled button would lose the keyboard focus. This one keeps the focus and does nothing.
function setDisabled(button, isDisabled) {
    button.setAttribute("aria-disabled", String(isDisabled));
}
