// The pieces. Their shapes are in pieces.svg, which the pictures of the book use, too.
import { svg } from "./dom.js";
import { isDark, SQUARES } from "./squares.js";

const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** The letters of the pieces in the order of a palette. */
export const KINDS = ["k", "q", "r", "b", "n", "p"];

/** Returns the picture of a piece: `K` is the white king, `k` the black one. */
export function pieceImage(letter, attributes = {}) {
    const look = { class: `piece ${isWhite(letter) ? "is-white" : "is-black"}`, viewBox: "0 0 40 40" };
    const shape = svg("use", { href: `pieces.svg#piece-${letter.toLowerCase()}` });
    return svg("svg", { ...look, "aria-hidden": "true", ...attributes }, shape);
}

/** Returns a drawing of the module, which is given as text, as a picture to put on a board. */
export function overlayImage(text) {
    return new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
}

/** Returns a small picture of a board with pieces such as `{ e1: "K" }`, and with a drawing if there is one. */
export function boardImage(pieces, overlay) {
    const cells = SQUARES.flatMap((square, at) => {
        const place = { x: 40 * (at % 8), y: 40 * Math.floor(at / 8), width: 40, height: 40 };
        const cell = isDark(square) && svg("rect", place);
        return [cell, pieces[square] && pieceImage(pieces[square], place)];
    });
    return svg("svg", { class: "small-board", viewBox: "0 0 320 320", "aria-hidden": "true" }, cells, overlay && overlayImage(overlay));
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
