// Plays moves on the board: finds the move that a drop means, or explains why it is illegal.
import { sentence } from "./dom.js";
import { askPromotion } from "./promotion.js";
import { isWhite } from "./pieces.js";

/** Returns a handler for the board. It plays legal moves of `context`, and explains illegal moves with `say`. */
export function playHandler({ store, ask, say }, { query, position, state }) {
    const movesFrom = (from) => position.legal.filter((move) => move.from === from);
    const play = (move) => {
        say("");
        store.push({ moves: [...state.moves, move.move] });
    };
    const explain = (from, to) => {
        const move = `${from}${to}${isPromotion(position.pieces[from], to) ? "q" : ""}`;
        const answer = ask({ ask: "explain", ...query, move });
        say(sentence(answer.error ? answer.error.message : answer.text));
    };
    return {
        targets: (from) => movesFrom(from).map((move) => move.to),
        drop: async (from, to) => {
            const moves = movesFrom(from).filter((move) => move.to === to);
            if (to === null || !position.pieces[from]) {
                return;
            }
            if (moves.length === 0) {
                explain(from, to);
            } else if (moves.length === 1) {
                play(moves[0]);
            } else {
                const promotion = await askPromotion(position.turn === "white");
                const chosen = moves.find((move) => move.promotion === promotion);
                if (chosen) {
                    play(chosen);
                }
            }
        },
    };
}

/** Returns the marks of the squares: the last move, and the king in check. */
export function playMarks({ position, state }) {
    const marks = {};
    const last = state.moves.at(-1);
    if (last) {
        marks[last.slice(0, 2)] = "last move";
        marks[last.slice(2, 4)] = "last move";
    }
    if (position.checkers.length > 0) {
        const king = position.turn === "white" ? "K" : "k";
        const square = Object.keys(position.pieces).find((name) => position.pieces[name] === king);
        marks[square] = "in check";
        position.checkers.forEach((checker) => {
            marks[checker] = "gives check";
        });
    }
    return marks;
}

function isPromotion(letter, to) {
    return letter?.toLowerCase() === "p" && to[1] === (isWhite(letter) ? "8" : "1");
}
