// The view "compare": the output of an engine, beside the right counts. A worker searches for the mistake behind it.
import { causeNodes, comparison, linkMoves } from "./comparison.js";
import { CountBar, startsByItself } from "./count-bar.js";
import { copyButton, debounce, fill, h } from "./dom.js";
import { messageOf } from "./divide.js";
import { uciCommands } from "./formats.js";
import { positionKey } from "./jobs.js";
import { packText, unpackText } from "./pack.js";

const STOPPED = "The search for the mistake was stopped.";

export class CompareView {
    name = "compare";
    label = "Compare";
    #app;
    #context = null;
    #bar;
    #prompt = h("p", { class: "prompt", role: "status" });
    #commands = h("pre", {
        class: "command",
        tabindex: "0",
        role: "region",
        "aria-label": "Commands for a UCI engine",
    });
    #area;
    #all;
    #panel;
    #result = h("div", { class: "comparison" });
    #shownFor = null;
    // The pasted texts, each kept with its position, so that the back button finds it again.
    #texts = new Map();
    // The answers about these texts.
    #answers = new Map();
    // The mistakes that give these texts.
    #causes = new Map();
    #causeBox = h("div", { role: "status" });
    #job = null;
    #walked = null;

    /** Makes the view. The panel shows the moves of a comparison on its board. */
    constructor(app, panel) {
        this.#app = app;
        this.#panel = panel;
        this.#bar = new CountBar(app.store, this);
        this.#area = this.#buildArea();
        this.#all = h("input", {
            type: "checkbox",
            onchange: () => app.store.replace({ all: this.#all.checked }),
        });
        this.element = h(
            "div",
            null,
            h("h2", { class: "visually-hidden" }, "Compare"),
            this.#bar.element,
            this.#prompt,
            h(
                "div",
                { class: "command-line" },
                this.#commands,
                copyButton("Copy commands", () => this.#commands.textContent, app.announce),
            ),
            h("label", { for: "pasted" }, "Output of your engine"),
            this.#area,
            this.#result,
        );
    }

    /** Shows a context, with the text that was pasted for it before. */
    show(context) {
        this.#context = context;
        const { state } = context;
        const key = this.#key();
        if (state.pasted && !this.#texts.has(key)) {
            this.#texts.set(key, "");
            unpackText(state.pasted).then((text) => this.#take(key, text));
        }
        if (key !== this.#walked?.key) {
            this.#stopSearch();
            const isWalk = this.#walked !== null && state.moves.length > this.#walked.plies;
            this.#walked = { key, plies: state.moves.length };
            if (isWalk) {
                this.#area.focus({ preventScroll: true });
            }
        }
        this.#area.value = this.#texts.get(key) ?? "";
        this.#all.checked = state.all;
        this.#result.classList.toggle("only-differences", !state.all);
        const again = state.moves.length > 0 ? "Now paste" : "Paste";
        fill(
            this.#prompt,
            `${again} what your engine prints for this position at depth ${state.depth}.`,
            " For a UCI engine, type:",
        );
        fill(this.#commands, uciCommands(context));
        if (this.#isPasted() || startsByItself(state.depth, this.#counted())) {
            this.#countOnce();
        }
        this.update();
    }

    /** Shows the comparison, as soon as the right counts are known. */
    update() {
        const { state } = this.#context;
        const counted = this.#counted();
        this.#bar.show(
            state,
            counted && { isRunning: counted.isRunning, share: counted.isComplete ? 1 : counted.share },
        );
        if (!this.#isPasted()) {
            this.#showResult("", () =>
                h("p", { class: "muted" }, "The comparison appears here. Any format with moves and counts is read."),
            );
        } else if (!counted?.isComplete) {
            const message = messageOf(counted, this.#context);
            this.#showResult(`message ${message}`, () => h("p", { class: "message" }, message));
        } else {
            this.#showResult(`${this.#key()}\n${this.#area.value}`, () => this.#compare(counted));
        }
        linkMoves(this.#result, state, this.#app.store);
        this.#panel.draw(this.#isPasted() ? this.#answers.get(this.#key())?.overlay : null);
    }

    /** Returns what a link has to contain, so that it shows the same comparison. */
    async shared() {
        return { pasted: this.#isPasted() ? await packText(this.#area.value) : "" };
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

    #buildArea() {
        const pasted = debounce(() => this.#pasted(), 150);
        return h("textarea", {
            id: "pasted",
            class: "mono",
            rows: "8",
            spellcheck: "false",
            autocapitalize: "off",
            autocomplete: "off",
            placeholder: "e2e4: 600\nd2d4: 560\n…",
            oninput: () => {
                this.#stopSearch();
                this.#texts.set(this.#key(), this.#area.value);
                this.#answers.delete(this.#key());
                this.#causes.delete(this.#key());
                pasted();
            },
        });
    }

    /** Shows the text of a link, unless the user has gone on. */
    #take(key, text) {
        this.#texts.set(key, text);
        if (key === this.#key()) {
            this.show(this.#context);
        }
    }

    #pasted() {
        if (this.#isPasted()) {
            this.#countOnce();
        }
        this.update();
    }

    // If the user stopped the count, or if it failed, it starts again only with the button.
    #countOnce() {
        const known = this.#counted();
        if (!known?.isByUser && !known?.failure) {
            this.count();
        }
    }

    #compare({ moves }) {
        const { query, state, position } = this.#context;
        const ours = moves.map(({ move, nodes }) => ({ move, nodes: String(nodes) }));
        const question = { ...query, depth: state.depth, ours, text: this.#area.value };
        const answer = this.#app.ask({ ask: "compare", ...question });
        if (answer.error) {
            return h("p", { class: "message" }, answer.error.message);
        }
        this.#answers.set(this.#key(), answer);
        this.#app.announce(answer.summary);
        this.#search(answer, question);
        const { store, announce } = this.#app;
        const boxes = { all: this.#all, causes: this.#causeBox };
        return comparison(answer, { state, pieces: position.pieces, above: this.#rowAbove(), ...boxes, store, announce });
    }

    /** Searches in a worker for the mistakes that give the answer, and shows them. */
    #search(answer, question) {
        const key = this.#key();
        const known = this.#causes.get(key);
        if (known || answer.noSearch !== null) {
            fill(this.#causeBox, known ? causeNodes(known) : h("p", { class: "hint" }, answer.noSearch));
            return;
        }
        const job = this.#app.jobs.ask({ ask: "causes", ...question });
        const stop = h("button", { type: "button", onclick: () => this.#stopSearch() }, "Stop searching");
        this.#job = job;
        fill(this.#causeBox, h("p", { class: "row" }, "Looking for the mistake that gives exactly these counts …", stop));
        const finish = (nodes) => {
            if (this.#job === job) {
                this.#job = null;
                fill(this.#causeBox, nodes);
            }
        };
        job.result.then(
            ({ answer: found }) => {
                if (found?.causes) {
                    this.#causes.set(key, found.causes);
                }
                finish(found?.causes ? causeNodes(found.causes) : h("p", { class: "hint" }, STOPPED));
            },
            (error) => finish(h("p", { class: "message" }, `The search failed: ${error?.message ?? error}`)),
        );
    }

    #stopSearch() {
        if (this.#job !== null) {
            this.#job.stop();
            this.#job = null;
            fill(this.#causeBox, h("p", { class: "hint" }, STOPPED));
        }
    }

    /** Returns the row of the last move in the comparison one ply up, if the answer there lists the move once. */
    #rowAbove() {
        const { query, state } = this.#context;
        const above = this.#answers.get(keyOf({ ...query, moves: state.moves.slice(0, -1) }, state.depth + 1));
        const rows = above?.rows.filter(({ move }) => move === state.moves.at(-1)) ?? [];
        return rows.length === 1 ? rows[0] : null;
    }

    /** Builds the result again only if its input has changed, so that the focus in it stays. */
    #showResult(key, build) {
        if (key !== this.#shownFor) {
            this.#shownFor = key;
            fill(this.#result, build());
        }
    }

    #isPasted() {
        return this.#area.value.trim() !== "";
    }

    #counted() {
        return this.#app.jobs.known("divide", this.#context.query, this.#context.state.depth);
    }

    #key() {
        return keyOf(this.#context.query, this.#context.state.depth);
    }
}

function keyOf(query, depth) {
    return `${depth}|${positionKey(query)}`;
}
