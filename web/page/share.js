// Copies the link, the FEN, the divide as text, and the command that does the same.
import { copyButton, fill, h } from "./dom.js";
import { FORMATS, perftCommand } from "./formats.js";

export class Share {
    #app;
    #context = null;
    #claims;
    #format;
    #copyDivide;
    #command;
    #commandBox;

    /** Makes the controls. `claims` returns the numbers in the view "diagnose", and `shared` resolves to what a link contains. */
    constructor(app, claims, shared) {
        this.#app = app;
        this.#claims = claims;
        this.copyLink = this.#button("Copy link", async () => app.store.address(await shared()));
        this.#format = h(
            "select",
            { id: "format" },
            Object.keys(FORMATS).map((name) => h("option", { value: name }, name)),
        );
        this.#copyDivide = this.#button("Copy divide", () => this.#divideText());
        this.#command = h("code", { class: "command" });
        this.#commandBox = h(
            "div",
            null,
            h("p", { class: "label" }, "The same with the command-line program"),
            h(
                "div",
                { class: "command-line" },
                this.#command,
                this.#button("Copy command", () => this.#command.textContent),
            ),
        );
        this.element = h(
            "section",
            { class: "share", "aria-labelledby": "share-title" },
            h("h2", { id: "share-title" }, "Copy and share"),
            h(
                "div",
                { class: "row" },
                this.#button("Copy FEN", () => this.#fen()),
            ),
            h("div", { class: "row" }, h("label", { for: "format" }, "Divide as"), this.#format, this.#copyDivide),
            this.#commandBox,
        );
    }

    /** Shows the command of a context. */
    show(context) {
        this.#context = context;
        fill(this.#command, context.position ? perftCommand(context, this.#claims()) : "");
        this.#commandBox.hidden = context.position === null;
        this.update(context);
    }

    /** Shows whether there is a divide to copy. */
    update({ state, query }) {
        this.#copyDivide.disabled = !this.#app.jobs.known("divide", query, state.depth)?.isComplete;
    }

    #button(label, text) {
        return copyButton(label, text, this.#app.announce);
    }

    #fen() {
        return this.#context.position?.fen ?? this.#context.state.fen;
    }

    #divideText() {
        const { state, query, position } = this.#context;
        const result = this.#app.jobs.known("divide", query, state.depth);
        const moves = result.moves.toSorted((one, other) => (one.move < other.move ? -1 : 1));
        return FORMATS[this.#format.value]({ ...result, moves, fen: position.fen, depth: state.depth });
    }
}
