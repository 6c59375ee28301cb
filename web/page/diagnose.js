// The view "diagnose": the classic bugs that give exactly the numbers that a program printed.
import { fill, formatCount, h } from "./dom.js";
import { diagnosis } from "./diagnosis.js";
import { positionKey } from "./jobs.js";
import { depthLimit } from "./limit.js";

export class DiagnoseView {
    name = "diagnose";
    label = "Diagnose";
    #app;
    #onClaims;
    #context = null;
    #rows = [];
    // The numbers of the last link that was shown.
    #shown = "";
    #rowBox = h("div", { class: "claims" });
    #stopButton;
    #progress = h("progress", { "aria-label": "Progress of the diagnosis", max: "1", value: "0" });
    #message = h("p", { class: "message", role: "status" });
    #result = h("div", { class: "diagnosis" });
    #job = null;
    #key = null;
    // The answers, each kept with its position, so that the back button finds it again.
    #answers = new Map();

    /** Makes the view. `onClaims()` is called when the numbers have changed. */
    constructor(app, onClaims) {
        this.#app = app;
        this.#onClaims = onClaims;
        this.#stopButton = h(
            "button",
            { type: "button", "aria-disabled": "true", onclick: () => this.#stop() },
            "Stop",
        );
        const start = (event) => {
            event.preventDefault();
            this.#start();
        };
        this.element = h(
            "div",
            null,
            h("h2", { class: "visually-hidden" }, "Diagnose"),
            h(
                "p",
                { class: "hint" },
                "Type a wrong number. The page names the classic bugs that give exactly this number. ",
                "More numbers make a chance agreement unlikely.",
            ),
            h(
                "form",
                { onsubmit: start },
                this.#rowBox,
                h(
                    "div",
                    { class: "count-bar" },
                    h("button", { type: "submit", class: "primary" }, "Diagnose"),
                    this.#stopButton,
                    h(
                        "button",
                        { type: "button", onclick: () => this.#addRow(this.#nextDepth()).focus() },
                        "Add a number",
                    ),
                    this.#progress,
                ),
            ),
            this.#message,
            this.#result,
        );
    }

    /** Shows a context, with the answer for its position if there is one. */
    show(context) {
        this.#context = context;
        const { claims, depth } = context.state;
        const isShared = claims !== "" && claims !== this.#shown;
        if (isShared || this.#rows.length === 0) {
            this.#shown = claims;
            this.#rows = [];
            this.#rowBox.replaceChildren();
            (claims || `${depth}:`).split(",").forEach((claim) => {
                const [plies, nodes] = claim.split(":");
                this.#addRow(plies).value = nodes ?? "";
            });
        }
        const key = positionKey(context.query);
        if (key !== this.#key || isShared) {
            this.#key = key;
            this.#stop();
            this.#showAnswer(this.#answers.get(key));
            if (isShared) {
                this.#start();
            }
        }
    }

    /** Returns what a link has to contain, so that it shows the same numbers. */
    shared() {
        return { claims: this.claims().map(({ depth, nodes }) => `${depth}:${nodes}`).join(",") };
    }

    update() {}

    /** Starts the diagnosis, as the button does. */
    count() {
        this.#start();
    }

    /** Returns the numbers that can be read: `[{ depth, nodes }]`. */
    claims() {
        return this.#rows.map(readRow).filter((claim) => claim !== null);
    }

    #addRow(depth) {
        const at = this.#rows.length + 1;
        const depthInput = h("input", {
            type: "number",
            class: "depth",
            min: "1",
            "aria-label": `Depth of number ${at}`,
            oninput: this.#onClaims,
        });
        const nodes = h("input", {
            class: "nodes mono",
            inputmode: "numeric",
            autocomplete: "off",
            placeholder: "197742",
            "aria-label": `Number ${at}`,
            oninput: this.#onClaims,
        });
        depthInput.value = String(depth);
        const row = { depth: depthInput, nodes };
        const remove = h(
            "button",
            { type: "button", "aria-label": `Remove number ${at}`, onclick: () => this.#removeRow(row) },
            "✕",
        );
        row.element = h(
            "div",
            { class: "claim" },
            "At depth ",
            depthInput,
            " my program says ",
            nodes,
            at > 1 && remove,
        );
        this.#rows.push(row);
        this.#rowBox.append(row.element);
        return nodes;
    }

    #removeRow(row) {
        this.#rows = this.#rows.filter((other) => other !== row);
        row.element.remove();
        this.#rows.at(-1).nodes.focus();
        this.#onClaims();
    }

    #nextDepth() {
        return Number(this.#rows.at(-1).depth.value) + 1;
    }

    async #start() {
        const claims = this.claims();
        if (claims.length === 0 || claims.length < this.#rows.length) {
            fill(this.#message, "Type a number of nodes in each row, such as 4865351.");
            return;
        }
        const limit = depthLimit(Math.max(...claims.map(({ depth }) => depth)));
        if (limit !== null) {
            fill(this.#message, limit);
            return;
        }
        this.#stop();
        const { fen, moves, chess960 } = this.#context.query;
        const job = this.#app.jobs.ask({ ask: "diagnose", fen, moves, chess960, claims });
        this.#job = job;
        this.#showRunning(true);
        fill(this.#result);
        fill(this.#message, "Counting with each known mistake …");
        const finish = (show) => {
            if (this.#job === job) {
                this.#job = null;
                this.#showRunning(false);
                show();
            }
        };
        await job.result.then(
            ({ answer }) =>
                finish(() => {
                    this.#answers.set(this.#key, answer);
                    this.#showAnswer(answer);
                }),
            (error) => finish(() => fill(this.#message, `The diagnosis failed: ${error?.message ?? error}`)),
        );
    }

    #stop() {
        if (this.#job !== null) {
            this.#job.stop();
            this.#job = null;
            this.#showRunning(false);
            fill(this.#message, "Stopped.");
        }
    }

    #showAnswer(answer) {
        const isRead = answer && !answer.error;
        fill(this.#message, isRead ? messageOf(answer) : (answer?.error.message ?? ""));
        fill(this.#result, isRead && diagnosis(answer, this.#app.store));
    }

    // The duration of a diagnosis is not known, so the bar moves without a value.
    #showRunning(isRunning) {
        this.#stopButton.setAttribute("aria-disabled", String(!isRunning));
        if (isRunning) {
            this.#progress.removeAttribute("value");
        } else {
            this.#progress.value = 0;
        }
    }
}

function readRow({ depth, nodes }) {
    const digits = nodes.value.replace(/[\s,._'’]/g, "").replace("−", "-");
    const plies = Number(depth.value);
    const isRead = /^-?\d+$/.test(digits) && Number.isInteger(plies) && plies >= 1;
    return isRead ? { depth: plies, nodes: digits } : null;
}

function messageOf({ isRight, causes }) {
    if (isRight) {
        return "The numbers are right.";
    }
    if (causes.length === 0) {
        return "No known mistake gives what you typed.";
    }
    const names = causes.length === 1 ? "One mistake gives" : `${formatCount(causes.length)} mistakes give`;
    return `${names} exactly what you typed.`;
}
