// The pieces. Their shapes are in pieces.svg, which the pictures of the book use, too.
import { svg } from "./dom.js";

const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** The letters of the pieces in the order of a palette. */
export const KINDS = ["k", "q", "r", "b", "n", "p"];

/** Returns the picture of a piece: `K` is the white king, `k` the black one. */
export function pieceImage(letter) {
    return svg(
        "svg",
        { class: `piece ${isWhite(letter) ? "is-white" : "is-black"}`, viewBox: "0 0 40 40", "aria-hidden": "true" },
        svg("use", { href: `pieces.svg#piece-${letter.toLowerCase()}` }),
    );
}

/** Returns the name of a piece: `white king`. */
export function pieceName(letter) {
    return `${isWhite(letter) ? "white" : "black"} ${kindName(letter)}`;
}

/** Returns the name of the kind of a piece: `king`. */
export function kindName(letter) {
    return NAMES[letter.toLowerCase()];
}

/** Whether the letter means a white piece. */
export function isWhite(letter) {
    return letter === letter.toUpperCase();
}
