// The left column: the board, playing and setting up, and notes about the position.
import { Board } from "./board.js";
import { fill, h } from "./dom.js";
import { FenField } from "./fen.js";
import { playHandler, playMarks } from "./play.js";
import { Setup } from "./setup.js";

export class PositionPanel {
    #app;
    #context = null;
    #lastPosition = null;
    #overlay = null;
    #board = new Board();
    #fen;
    #setup;
    #setupButton;
    #turn;
    #status;
    #notes;

    constructor(app) {
        this.#app = app;
        this.#fen = new FenField(app);
        this.#setup = this.#buildSetup();
        this.#turn = h("p", { class: "turn" });
        this.#status = h("p", { class: "board-status", role: "status" });
        this.#notes = h("ul", { class: "notes" });
        this.#setupButton = h("button", { type: "button", onclick: () => this.#toggleSetup() }, "Set up");
        const flip = h("button", { type: "button", onclick: () => this.flip() }, "Flip");
        this.tools = h("div", { class: "row board-tools" }, this.#turn, flip, this.#setupButton);
        this.element = h(
            "section",
            { class: "position", "aria-labelledby": "position-title" },
            h("h2", { id: "position-title", class: "visually-hidden" }, "Position"),
            this.#fen.element,
            this.#board.element,
            this.tools,
            this.#status,
            this.#setup.element,
            this.#notes,
        );
    }

    /** Shows a context. */
    show(context) {
        const isOther = context.position !== this.#lastPosition;
        this.#context = context;
        this.#lastPosition = context.position ?? this.#lastPosition;
        if (isOther) {
            this.#say("");
        }
        this.#fen.show(context);
        fill(
            this.#notes,
            (context.position?.notes ?? []).map((note) => h("li", null, note)),
        );
        this.#showBoard();
    }

    /** Marks the squares of a move, or none. */
    highlight(move) {
        this.#board.highlight(move && !this.#setup.isOpen ? [move.slice(0, 2), move.slice(2, 4)] : []);
    }

    /** Draws an overlay of the view on the board, or removes it. */
    draw(overlay) {
        this.#overlay = overlay;
        this.#board.draw(this.#setup.isOpen ? null : overlay);
    }

    /** Scrolls to the board, where it does not stand beside the work. */
    reveal() {
        if (this.#board.element.getBoundingClientRect().top < 0) {
            this.#board.element.scrollIntoView({ block: "start" });
        }
    }

    flip() {
        this.#app.store.replace({ flip: !this.#app.store.state.flip });
    }

    focusFen() {
        this.#fen.focus();
    }

    #buildSetup() {
        return new Setup({
            board: this.#board,
            ask: this.#app.ask,
            say: (text) => this.#say(text),
            onChange: () => this.#showBoard(),
            onDone: (fen) => {
                this.#toggleSetup();
                this.#app.store.push({ fen, moves: [] });
            },
            onCancel: () => this.#toggleSetup(),
        });
    }

    #toggleSetup() {
        if (this.#setup.isOpen) {
            this.#setup.close();
        } else {
            this.#setup.open(this.#context.position?.fen ?? this.#context.state.fen);
        }
        this.#setupButton.setAttribute("aria-expanded", String(this.#setup.isOpen));
        this.element.classList.toggle("is-setting-up", this.#setup.isOpen);
        this.#say("");
        this.#showBoard();
    }

    #showBoard() {
        const { state, position } = this.#context;
        fill(this.#turn, this.#setup.isOpen ? "Setting up" : position && turnText(position));
        const isStale = position === null && !this.#context.error.pieces && !this.#setup.isOpen;
        this.#board.element.classList.toggle("is-stale", isStale);
        this.#board.show({ isFlipped: state.flip, ...this.#boardView(position) });
        this.draw(this.#overlay);
    }

    #boardView(position) {
        if (this.#setup.isOpen) {
            return this.#setup.boardView();
        }
        if (position === null) {
            const { pieces, faults = [] } = this.#context.error;
            const squares = faults.flatMap(({ message }) => message.match(/\b[a-h][1-8]\b/g) ?? []);
            const marks = Object.fromEntries(squares.map((square) => [square, "fault"]));
            return { pieces: pieces ?? this.#lastPosition?.pieces ?? {}, marks: pieces ? marks : {}, handler: null };
        }
        const parts = { store: this.#app.store, ask: this.#app.ask, say: (text) => this.#say(text) };
        return {
            pieces: position.pieces,
            marks: playMarks(this.#context),
            handler: playHandler(parts, this.#context),
        };
    }

    #say(text) {
        fill(this.#status, text);
    }
}

function turnText({ turn, outcome, checkers }) {
    const side = turn === "white" ? "White" : "Black";
    if (outcome === "checkmate") {
        return `${side} is checkmated.`;
    }
    if (outcome === "stalemate") {
        return `${side} is stalemated.`;
    }
    return `${side} to move${checkers.length > 0 ? ", in check" : ""}.`;
}
