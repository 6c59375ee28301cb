// The pieces: six shapes on a field of 40 by 40. `body` is filled and outlined. `details` are lines on it.
import { svg } from "./dom.js";

const FOOT_LINES = "M12.2 27.5q7.8-2 15.6 0M11.6 30.8h16.8";

const SHAPES = {
    p: {
        body:
            "M20 6.5a5.6 5.6 0 0 1 3.6 9.9c-.3 5 1.6 8.6 5.6 12.4q1.3 1.4 1.3 4.7h-21q0-3.3 1.3-4.7" +
            "c4-3.8 5.9-7.4 5.6-12.4a5.6 5.6 0 0 1 3.6-9.9z",
        details: "M15.6 18.4h8.8M12.4 29.6h15.2",
    },
    n: {
        body:
            "M18.6 4.4l3 3.6c7 1.6 10.2 7.6 10.2 16.3 0 3.4-.3 6.6-.8 9.7h-19.6c0-5.6 2.4-8.6 5.4-11.2 1.2-1" +
            " 1.9-2.1 2-3.4-2.4 1.5-4.6 1.7-6 3.2l-2.2 2.3c-.9.6-3.6-.9-3.6-3" +
            " 0-1.3 2.3-3.3 3.4-6.4.5-1.7.6-3.4 2.1-5.1l3.4-2.8z",
        details: "M24 12.6c3.4 3 4.3 8 4 14.4M12.6 30.8h17.4M15 13.2h.7M9.7 21.4h.4",
    },
    b: {
        body:
            "M20 8.8c4.8 3.2 7.4 6.9 7.4 10.9 0 2.6-1.2 4.4-3 5.8l.8 3.4c3.2.4 5.3 1.9 5.3 5.1h-21c0-3.2" +
            " 2.1-4.7 5.3-5.1l.8-3.4c-1.8-1.4-3-3.2-3-5.8 0-4 2.6-7.7 7.4-10.9z" +
            disc(20, 6.6, 2.1),
        details: "M20 14v6.6M16.7 17.2h6.6M15.6 25.5h8.8M14.8 28.9h10.4",
    },
    r: {
        body: "M10 7h5v3.5h2.7v-3.5h4.6v3.5h2.7v-3.5h5v8.5l-3.4 2.8.9 10 3 3v2.7h-21v-2.7l3-3 .9-10-3.4-2.8z",
        details: "M13.4 18.3h13.2M12.5 28.3h15",
    },
    q: {
        body:
            "M12 27.5L7 14l7 6.5-.8-11 4.9 9.8 1.9-11 1.9 11 4.9-9.8-.8 11 7-6.5-5 13.5c-.6 1.4 1 2.4 1 6.5h-18" +
            "c0-4.1 1.6-5.1 1-6.5z" +
            disc(6.6, 12.4, 2) +
            disc(13, 7.9, 2) +
            disc(20, 6.4, 2) +
            disc(27, 7.9, 2) +
            disc(33.4, 12.4, 2),
        details: FOOT_LINES,
    },
    k: {
        body:
            "M18.7 3.6h2.6v2.4h2.6v2.6h-2.6v6.4h-2.6v-6.4h-2.6v-2.6h2.6z" +
            "M20 15c1.5-3 5-4.2 8-3.2 4.6 1.6 5.2 6.6 2.2 10.4-1.6 2-2.4 3.4-2.4 5.3.4 1.6 1.2 2.6 1.2 6.5h-18" +
            "c0-3.9.8-4.9 1.2-6.5 0-1.9-.8-3.3-2.4-5.3-3-3.8-2.4-8.8 2.2-10.4 3-1 6.5.2 8 3.2z",
        details: `M20 15.4v10.4${FOOT_LINES}`,
    },
};

const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** The letters of the pieces in the order of a palette. */
export const KINDS = ["k", "q", "r", "b", "n", "p"];

/** Returns the picture of a piece: `K` is the white king, `k` the black one. */
export function pieceImage(letter) {
    const shape = SHAPES[letter.toLowerCase()];
    return svg(
        "svg",
        { class: `piece ${isWhite(letter) ? "is-white" : "is-black"}`, viewBox: "0 0 40 40", "aria-hidden": "true" },
        svg("path", { class: "piece-body", d: shape.body }),
        svg("path", { class: "piece-details", d: shape.details }),
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

function disc(x, y, radius) {
    return `M${x - radius} ${y}a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1 ${-2 * radius} 0z`;
}
