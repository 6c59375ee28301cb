// Sets up a position, with a palette of pieces and the other fields of a FEN.
import { fill, h } from "./dom.js";
import { followPointer } from "./drag.js";
import { errorText, faultBlock } from "./faults.js";
import { START_FEN } from "./link.js";
import { KINDS, pieceImage, pieceName } from "./pieces.js";
import { readBoard, SQUARES, writeBoard } from "./squares.js";

const ERASER = "eraser";

export class Setup {
    #board;
    #ask;
    #onChange;
    #pieces = {};
    #brush = null;
    #brushes = new Map();
    #fields;
    #fen;
    #faults;

    /**
     * Makes the editor. It calls `onChange()` when the board has to be shown again, `onDone(fen)` with a legal FEN, and
     * `onCancel()` if the user cancels.
     */
    constructor({ board, ask, say, onChange, onDone, onCancel }) {
        this.#board = board;
        this.#ask = ask;
        this.#onChange = onChange;
        this.#fields = buildFields(() => this.#changed());
        this.#fen = h("p", { class: "draft-fen mono" });
        this.#faults = h("div", { class: "fault-box" });
        const done = () => {
            const error = this.#check();
            say(error ? errorText(error) : "");
            if (!error) {
                onDone(this.fen);
            }
        };
        this.element = h(
            "div",
            { class: "setup", hidden: true },
            h(
                "p",
                { class: "hint" },
                "Drag pieces to the board, or choose one and tap squares. Drop a piece beside the board to remove it.",
            ),
            this.#buildPalette(),
            this.#fields.element,
            this.#fen,
            this.#faults,
            h(
                "div",
                { class: "row" },
                h("button", { type: "button", class: "primary", onclick: done }, "Done"),
                h("button", { type: "button", onclick: onCancel }, "Cancel"),
                h("button", { type: "button", onclick: () => this.#load("8/8/8/8/8/8/8/8 w - -") }, "Clear"),
                h("button", { type: "button", onclick: () => this.#load(START_FEN) }, "Start position"),
            ),
        );
    }

    get isOpen() {
        return !this.element.hidden;
    }

    /** The FEN of the position in the editor, legal or not. */
    get fen() {
        return `${writeBoard(this.#pieces)} ${this.#fields.read()} 0 1`;
    }

    /** Opens the editor with a position. */
    open(fen) {
        this.element.hidden = false;
        this.#choose(null);
        this.#load(fen);
    }

    close() {
        this.element.hidden = true;
    }

    /** Returns the content of the board in this mode. */
    boardView() {
        return {
            pieces: { ...this.#pieces },
            handler: {
                targets: (from) => SQUARES.filter((square) => square !== from),
                drop: (from, to) => this.#movePiece(from, to),
                tap: (square) => this.#tap(square),
            },
        };
    }

    #load(fen) {
        const [board, turn, castling, enPassant] = fen.split(" ");
        this.#pieces = readBoard(board);
        this.#fields.write({ turn: turn ?? "w", castling: castling ?? "-", enPassant: enPassant ?? "-" });
        this.#changed();
    }

    #changed() {
        fill(this.#fen, this.fen);
        const error = this.#check();
        fill(this.#faults, error && faultBlock(error));
        this.#onChange();
    }

    /** Returns the error of the position, or `null` if it is legal. */
    #check() {
        return this.#ask({ ask: "position", fen: this.fen, moves: [], chess960: false }).error ?? null;
    }

    #put(square, letter) {
        if (letter === null) {
            delete this.#pieces[square];
        } else {
            this.#pieces[square] = letter;
        }
    }

    #movePiece(from, to) {
        const letter = this.#pieces[from];
        if (letter) {
            this.#put(from, null);
            if (to !== null) {
                this.#put(to, letter);
            }
            this.#changed();
        }
    }

    #tap(square) {
        if (this.#brush === null) {
            return false;
        }
        const isSame = this.#pieces[square] === this.#brush;
        this.#put(square, this.#brush === ERASER || isSame ? null : this.#brush);
        this.#changed();
        return true;
    }

    #buildPalette() {
        const letters = [...KINDS.map((kind) => kind.toUpperCase()), ...KINDS];
        letters.forEach((letter) => this.#brushes.set(letter, this.#buildBrush(letter)));
        const eraser = h(
            "button",
            { type: "button", class: "brush-eraser", "aria-pressed": "false", onclick: () => this.#choose(ERASER) },
            "Remove pieces",
        );
        this.#brushes.set(ERASER, eraser);
        const brushes = letters.map((letter) => this.#brushes.get(letter));
        return h(
            "div",
            { role: "group", "aria-label": "Pieces to put on the board" },
            h("div", { class: "palette" }, brushes),
            eraser,
        );
    }

    #buildBrush(letter) {
        const name = pieceName(letter);
        const button = h(
            "button",
            { type: "button", class: "brush", "aria-pressed": "false", "aria-label": name, title: name },
            pieceImage(letter),
        );
        // A press of the pointer chooses or drags a piece. `click` is for the keyboard only.
        button.addEventListener("pointerdown", (event) => event.button === 0 && this.#press(event, button, letter));
        button.addEventListener("click", (event) => event.detail === 0 && this.#choose(letter));
        return button;
    }

    #press(event, button, letter) {
        followPointer(event, button, letter, {
            onClick: () => this.#choose(letter),
            onDrop: (x, y) => {
                const square = this.#board.squareAt(x, y);
                if (square !== null) {
                    this.#put(square, letter);
                    this.#changed();
                }
            },
        });
    }

    #choose(brush) {
        this.#brush = this.#brush === brush ? null : brush;
        this.#brushes.forEach((button, name) => button.setAttribute("aria-pressed", String(name === this.#brush)));
    }
}

/** Returns the inputs for the side to move, the castling rights and the en passant square, with `read` and `write`. */
function buildFields(onChange) {
    const side = (value, label) => {
        const input = h("input", { type: "radio", name: "turn", value, onchange: onChange });
        return { input, element: h("label", { class: "check" }, input, label) };
    };
    const white = side("w", "White");
    const black = side("b", "Black");
    const castling = h("input", {
        id: "setup-castling",
        size: "6",
        spellcheck: "false",
        autocomplete: "off",
        oninput: onChange,
    });
    const enPassant = h("input", {
        id: "setup-en-passant",
        size: "4",
        spellcheck: "false",
        autocomplete: "off",
        oninput: onChange,
    });
    return {
        element: h(
            "div",
            { class: "setup-fields" },
            h("fieldset", null, h("legend", null, "Side to move"), white.element, black.element),
            h("div", null, h("label", { for: "setup-castling" }, "Castling"), castling),
            h("div", null, h("label", { for: "setup-en-passant" }, "En passant"), enPassant),
        ),
        read: () =>
            `${black.input.checked ? "b" : "w"} ${castling.value.trim() || "-"} ${enPassant.value.trim() || "-"}`,
        write: (fields) => {
            white.input.checked = fields.turn !== "b";
            black.input.checked = fields.turn === "b";
            castling.value = fields.castling;
            enPassant.value = fields.enPassant;
        },
    };
}
