// The view "stats": captures, checks and other kinds of moves, by depth.
import { CountBar, startsByItself } from "./count-bar.js";
import { fill, formatCount, h } from "./dom.js";
import { formatSeconds } from "./divide.js";
import { positionKey } from "./jobs.js";
import { depthLimit } from "./limit.js";
import { scrollBox } from "./scroll-box.js";

export class StatsView {
    name = "stats";
    label = "Stats";
    #app;
    #context = null;
    #bar;
    #head = h("tr");
    #body = h("tbody");
    #message = h("p", { class: "message" });
    // The key of the position that is being counted, depth by depth, or `null`.
    #wanted = null;

    constructor(app) {
        this.#app = app;
        this.#bar = new CountBar(app.store, this);
        this.element = h(
            "div",
            null,
            h("h2", { class: "visually-hidden" }, "Stats"),
            this.#bar.element,
            this.#message,
            scrollBox("Kinds of moves by depth", this.#table()),
            h(
                "p",
                { class: "hint" },
                "The numbers are about the last move of each line. ",
                "Captures include en passant, and checks include checkmates. ",
                "A check is direct if the piece that moved gives it, and discovered if another one does.",
            ),
        );
    }

    /** Shows a context, and counts if that is fast. */
    show(context) {
        this.#context = context;
        const key = positionKey(context.query);
        const next = this.#nextDepth();
        if (this.#wanted !== key) {
            this.#wanted = null;
        }
        if (next !== null && startsByItself(context.state.depth, this.#known(next))) {
            this.#wanted = key;
        }
        this.update();
    }

    /** Shows the counts so far, and continues with the next depth. */
    update() {
        const { state } = this.#context;
        const next = this.#nextDepth();
        const running = next === null ? null : this.#known(next);
        if (this.#wanted !== null && next !== null && !running?.isRunning && !running?.failure) {
            this.#app.jobs.start("statistics", this.#context.query, next);
            return;
        }
        const share = next === null ? 1 : (running?.share ?? 0);
        this.#bar.show(state, { isRunning: Boolean(running?.isRunning), share });
        fill(this.#message, this.#messageText(next, running));
        this.#showTable();
    }

    /** Starts the count of all depths, if at least one is not counted. */
    count() {
        this.#wanted = this.#nextDepth() === null ? null : positionKey(this.#context.query);
        this.update();
    }

    /** Stops the count. */
    stop() {
        this.#wanted = null;
        this.#app.jobs.stop();
    }

    #known(depth) {
        return this.#app.jobs.known("statistics", this.#context.query, depth);
    }

    /** Returns the first depth that is not counted completely, or `null`. */
    #nextDepth() {
        return depths(this.#context.state.depth).find((depth) => !this.#known(depth)?.isComplete) ?? null;
    }

    #messageText(next, running) {
        if (depthLimit(this.#context.state.depth) !== null) {
            return "";
        }
        if (next === null) {
            const seconds = depths(this.#context.state.depth).reduce(
                (sum, depth) => sum + this.#known(depth).seconds,
                0,
            );
            return `Counted in ${formatSeconds(seconds)}.`;
        }
        if (running?.failure) {
            return `The count failed: ${running.failure}`;
        }
        if (running?.isRunning) {
            return `Counting depth ${next} …`;
        }
        return running?.stopped ? `Stopped at depth ${next}.` : "Not counted yet. Press Count.";
    }

    #table() {
        return h(
            "table",
            { class: "stats" },
            h("caption", { class: "visually-hidden" }, "Kinds of moves by depth"),
            h("thead", null, this.#head),
            this.#body,
        );
    }

    #showTable() {
        const results = depths(this.#context.state.depth).map((depth) => ({ depth, result: this.#known(depth) }));
        fill(
            this.#head,
            h("th", { scope: "col" }, "Depth"),
            results.map(({ depth }) => h("th", { scope: "col", class: "number" }, String(depth))),
        );
        fill(
            this.#body,
            results.length > 0 ? this.#app.kinds.map((kind) => kindRow(kind, results)) : [],
        );
    }
}

// Returns the row of a kind. The label of a part of the kind above begins with blanks.
function kindRow([name, label], results) {
    const cells = results.map(({ result }) => {
        const count = result?.counts?.[name];
        const isOpen = !result?.isComplete;
        return h("td", { class: "number" }, count === undefined ? "–" : `${formatCount(count)}${isOpen ? " …" : ""}`);
    });
    return h("tr", null, h("th", { scope: "row", class: label.startsWith(" ") ? "part" : "" }, capitalized(label)), cells);
}

// Returns a label with a capital letter, unless it is that of a part.
function capitalized(label) {
    return label.startsWith(" ") ? label.trim() : label[0].toUpperCase() + label.slice(1);
}

// Returns the depths of the table. A depth above the limit has none.
function depths(depth) {
    return Array.from({ length: depthLimit(depth) === null ? depth : 0 }, (_, at) => at + 1);
}
