// The view "divide": the count below each legal move.
import { CountBar, startsByItself } from "./count-bar.js";
import { counted, fill, formatCount, h } from "./dom.js";
import { depthLimit } from "./limit.js";
import { MoveTable } from "./move-table.js";

export class DivideView {
    name = "divide";
    label = "Divide";
    #app;
    #context = null;
    #bar;
    #figures = { nodes: h("dd"), speed: h("dd"), time: h("dd") };
    #message = h("p", { class: "message" });
    #table;
    #announced = null;

    /** Makes the view. `onPoint(move)` is called when the user points at a move, and with `null` afterwards. */
    constructor(app, onPoint) {
        this.#app = app;
        this.#bar = new CountBar(app.store, this);
        this.#table = new MoveTable(app.store, onPoint);
        this.element = h(
            "div",
            null,
            h("h2", { class: "visually-hidden" }, "Divide"),
            this.#bar.element,
            h(
                "dl",
                { class: "figures" },
                figure("Nodes", this.#figures.nodes),
                figure("Nodes per second", this.#figures.speed),
                figure("Time", this.#figures.time),
            ),
            this.#message,
            this.#table.element,
        );
    }

    /** Shows a context, and counts if that is fast. */
    show(context) {
        this.#context = context;
        this.#table.setMoves(context);
        if (startsByItself(context.state.depth, this.#result())) {
            this.count();
        }
        this.update();
    }

    /** Shows the count so far. */
    update() {
        const { state } = this.#context;
        const result = this.#result();
        this.#bar.show(state, result && { isRunning: result.isRunning, share: result.isComplete ? 1 : result.share });
        fill(this.#figures.nodes, result?.nodes === undefined ? "–" : formatCount(result.nodes));
        fill(this.#figures.speed, result?.nodes === undefined ? "–" : formatSpeed(result));
        fill(this.#figures.time, result?.seconds === undefined ? "–" : formatSeconds(result.seconds));
        fill(this.#message, messageOf(result, this.#context));
        this.#table.update(this.#context, result);
        this.#announce(result);
    }

    /** Starts the count. */
    count() {
        const { query, state } = this.#context;
        this.#app.jobs.start("divide", query, state.depth);
    }

    /** Stops the count. */
    stop() {
        this.#app.jobs.stop();
    }

    #result() {
        return this.#app.jobs.known("divide", this.#context.query, this.#context.state.depth);
    }

    #announce(result) {
        if (result?.isComplete && result !== this.#announced) {
            this.#announced = result;
            this.#app.announce(`Depth ${this.#context.state.depth}: ${counted(result.nodes, "node")}`);
        }
    }
}

/** Returns the nodes per second of a result, as text. */
export function formatSpeed({ nodes, seconds }) {
    const speed = seconds > 0 ? Number(nodes) / seconds : 0;
    return speed >= 1e6 ? `${(speed / 1e6).toFixed(1)} M` : formatCount(Math.round(speed));
}

/** Returns a duration as text. */
export function formatSeconds(seconds) {
    return seconds < 60 ? `${seconds.toFixed(3)} s` : `${Math.floor(seconds / 60)} min ${(seconds % 60).toFixed(0)} s`;
}

/** Returns a sentence about an incomplete result. The bar says why a depth is not counted. */
export function messageOf(result, { state, position }) {
    if (position.legal.length === 0) {
        return `No legal moves: ${position.outcome ?? "the game is over"}.`;
    }
    if (result === null) {
        return depthLimit(state.depth) === null ? "Not counted yet, because this depth may take long. Press Count." : "";
    }
    if (result.failure) {
        return `The count failed: ${result.failure}`;
    }
    if (result.stopped) {
        const done = result.moves?.filter((move) => move.isDone).length ?? 0;
        return `Stopped: incomplete, ${done} of ${counted(position.legal.length, "move")} finished.`;
    }
    return result.isRunning ? `Counting …${timeLeft(result)}` : "";
}

/** Returns how long a running count has taken and will take, if both are known. */
function timeLeft({ seconds, share }) {
    if (!(seconds >= 2 && share > 0)) {
        return "";
    }
    const left = Math.ceil((seconds * (1 - share)) / share);
    return ` ${(100 * share).toFixed(0)} % in ${Math.floor(seconds)} s, about ${left < 120 ? `${left} s` : `${Math.ceil(left / 60)} min`} left`;
}

function figure(label, value) {
    return h("div", null, h("dt", null, label), value);
}
