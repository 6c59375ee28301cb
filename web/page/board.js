// The board. It shows pieces and reports where the user picks one up and drops it. It knows no rules.
import { fill, h } from "./dom.js";
import { followPointer } from "./drag.js";
import { overlayImage, pieceImage, pieceName } from "./pieces.js";
import { isDark, moveSquare, SQUARES } from "./squares.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Board {
    #cells = new Map();
    #rows = [];
    #handler = null;
    #shown = { pieces: {}, isFlipped: false, marks: {} };
    #cursor = "e1";
    #picked = null;
    #isPieceFollowed = false;
    #overlay = null;

    constructor() {
        this.#rows = Array.from({ length: 8 }, () => h("div", { role: "row", class: "board-row" }));
        for (const square of SQUARES) {
            this.#cells.set(square, this.#buildCell(square));
        }
        this.element = h("div", { role: "grid", class: "board", "aria-label": "Board" }, this.#rows);
        this.element.addEventListener("pointerdown", (event) => this.#press(event));
        this.element.addEventListener("click", (event) => this.#click(event));
        this.element.addEventListener("keydown", (event) => this.#key(event));
        this.#place();
        this.#setCursor(this.#cursor);
    }

    /**
     * Shows a board. `marks` has texts by square ("in check", "last move"), which are also classes of the squares.
     * `handler` gets the actions of the user:
     *
     * - `targets(square)` returns the squares that are marked when the piece there is picked up;
     * - `drop(from, to)` is called when the piece is dropped; `to` is null beside the board;
     * - `tap(square)`, optional, returns whether it has handled the tap.
     */
    show({ pieces, isFlipped, marks = {}, handler }) {
        const isTurned = isFlipped !== this.#shown.isFlipped;
        this.#shown = { pieces, isFlipped, marks };
        this.#handler = handler;
        this.#pick(null);
        if (isTurned) {
            this.#place();
        }
        this.#cells.forEach((cell, square) => this.#showCell(cell, square));
    }

    /** Marks squares, such as those of a move that the user points at. */
    highlight(squares) {
        this.#cells.forEach((cell, square) => cell.classList.toggle("is-pointed", squares.includes(square)));
    }

    /** Draws an image above the pieces: an SVG of the module as text, or nothing. */
    draw(overlay) {
        this.#overlay?.remove();
        this.#overlay = null;
        if (overlay) {
            this.#overlay = overlayImage(overlay);
            this.#overlay.classList.add("overlay");
            this.#overlay.classList.toggle("is-flipped", this.#shown.isFlipped);
            this.#overlay.setAttribute("aria-hidden", "true");
            this.element.append(this.#overlay);
        }
    }

    /** Returns the square at a point of the window, or `null` beside the board. */
    squareAt(x, y) {
        const cell = document.elementFromPoint(x, y)?.closest("[data-square]");
        return cell && this.element.contains(cell) ? cell.dataset.square : null;
    }

    #buildCell(square) {
        const cell = h("div", {
            role: "gridcell",
            class: `square ${isDark(square) ? "is-dark" : "is-light"}`,
            "data-square": square,
            tabindex: "-1",
        });
        cell.addEventListener("focus", () => this.#setCursor(square));
        return cell;
    }

    #place() {
        const squares = this.#shown.isFlipped ? SQUARES.toReversed() : SQUARES;
        const focused = document.activeElement;
        this.#rows.forEach((row, at) => {
            const cells = squares.slice(8 * at, 8 * at + 8).map((square) => this.#cells.get(square));
            cells.forEach((cell, file) => {
                cell.toggleAttribute("data-rank", file === 0);
                cell.toggleAttribute("data-file", at === 7);
            });
            row.replaceChildren(...cells);
        });
        if (this.element.contains(focused)) {
            focused.focus();
        }
    }

    #showCell(cell, square) {
        const letter = this.#shown.pieces[square] ?? "";
        const mark = this.#shown.marks[square] ?? "";
        if (cell.dataset.piece !== letter) {
            cell.dataset.piece = letter;
            fill(cell, this.#labels(square), letter && pieceImage(letter));
        }
        cell.dataset.mark = mark;
        cell.setAttribute("aria-label", this.#nameOf(square));
    }

    // All squares have their coordinates, and the style shows those at the edges. The letters come from the style, too,
    // because letters as text would contradict the names of the squares.
    #labels(square) {
        return [
            h("span", { class: "label-rank", "data-text": square[1] }),
            h("span", { class: "label-file", "data-text": square[0] }),
        ];
    }

    #nameOf(square) {
        const letter = this.#shown.pieces[square];
        const parts = [square, letter ? pieceName(letter) : "empty", this.#shown.marks[square]];
        if (this.#picked === square) {
            parts.push("picked up");
        } else if (this.#picked !== null && this.#isTarget(square)) {
            parts.push("target");
        }
        return parts.filter(Boolean).join(", ");
    }

    #isTarget(square) {
        return this.#cells.get(square).classList.contains("is-target");
    }

    #setCursor(square) {
        this.#cells.get(this.#cursor).tabIndex = -1;
        this.#cursor = square;
        this.#cells.get(square).tabIndex = 0;
    }

    #press(event) {
        const square = event.target.closest("[data-square]")?.dataset.square;
        const letter = this.#shown.pieces[square];
        this.#isPieceFollowed = Boolean(letter) && event.button === 0 && this.#handler !== null;
        if (!this.#isPieceFollowed) {
            return;
        }
        // The piece is shown as picked up at once. A second click on it puts it back.
        const before = this.#picked;
        const cell = this.#cells.get(square);
        followPointer(event, cell, letter, {
            onMove: () => this.#picked === square || this.#pick(square),
            onDrop: (x, y) => this.#drop(square, this.squareAt(x, y)),
            onClick: () => (before === square ? this.#pick(null) : this.#activate(square)),
        });
    }

    /** Handles a click that is not the end of a press on a piece: on an empty square, or by a screen reader. */
    #click(event) {
        const square = event.target.closest("[data-square]")?.dataset.square;
        if (square && (!this.#isPieceFollowed || event.detail === 0)) {
            this.#activate(square);
        }
    }

    #key(event) {
        const step = ARROWS[event.key];
        if (step) {
            const sign = this.#shown.isFlipped ? -1 : 1;
            this.#focus(moveSquare(this.#cursor, sign * step[0], sign * step[1]));
        } else if (event.key === "Enter" || event.key === " ") {
            this.#activate(this.#cursor);
        } else if (event.key === "Escape") {
            this.#pick(null);
        } else if (event.key === "Delete" || event.key === "Backspace") {
            this.#handler?.drop(this.#cursor, null);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    #focus(square) {
        this.#setCursor(square);
        this.#cells.get(square).focus();
    }

    /** Handles a click or Enter: picks up a piece, drops it, or calls the handler. */
    #activate(square) {
        if (this.#handler === null || this.#handler.tap?.(square)) {
            return;
        }
        if (this.#picked === square) {
            this.#pick(null);
        } else if (this.#picked !== null && (this.#isTarget(square) || !this.#isSameColor(square))) {
            this.#drop(this.#picked, square);
        } else {
            this.#pick(this.#shown.pieces[square] ? square : null);
        }
    }

    #isSameColor(square) {
        const letter = this.#shown.pieces[square];
        const picked = this.#shown.pieces[this.#picked];
        return Boolean(letter) && (letter === letter.toUpperCase()) === (picked === picked.toUpperCase());
    }

    #drop(from, to) {
        this.#pick(null);
        if (from !== to) {
            this.#handler?.drop(from, to);
        }
    }

    #pick(square) {
        const targets = square === null ? [] : (this.#handler?.targets(square) ?? []);
        this.#picked = square;
        this.#cells.forEach((cell, name) => {
            cell.classList.toggle("is-picked", name === square);
            cell.classList.toggle("is-target", targets.includes(name));
            cell.setAttribute("aria-label", this.#nameOf(name));
        });
    }
}
