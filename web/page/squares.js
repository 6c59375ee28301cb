// Squares as texts ("e4"), and the board of a FEN.

const FILES = "abcdefgh";

/** All squares from a8 to h1, in the order in which a FEN has them. */
export const SQUARES = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((rank) => [...FILES].map((file) => `${file}${rank}`));

/** Whether a square is dark. */
export function isDark(square) {
    return (FILES.indexOf(square[0]) + Number(square[1])) % 2 === 1;
}

/** Returns the square that is some files and ranks away, or the same square if that one is off the board. */
export function moveSquare(square, files, ranks) {
    const file = FILES.indexOf(square[0]) + files;
    const rank = Number(square[1]) + ranks;
    return file >= 0 && file < 8 && rank >= 1 && rank <= 8 ? `${FILES[file]}${rank}` : square;
}

/** Returns the board field of a FEN for pieces such as `{ e1: "K" }`. */
export function writeBoard(pieces) {
    const rows = [];
    for (let row = 0; row < 8; row += 1) {
        const squares = SQUARES.slice(8 * row, 8 * row + 8).map((square) => pieces[square] ?? "1");
        rows.push(squares.join("").replace(/1+/g, (blanks) => String(blanks.length)));
    }
    return rows.join("/");
}

/** Returns the pieces of the board field of a FEN. */
export function readBoard(text) {
    const squares = text.replace(/\d/g, (digit) => "1".repeat(Number(digit))).replaceAll("/", "");
    return Object.fromEntries(
        SQUARES.flatMap((square, at) => (/[a-z]/i.test(squares[at] ?? "") ? [[square, squares[at]]] : [])),
    );
}
