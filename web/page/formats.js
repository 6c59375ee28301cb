// Writes a divide as text in the formats of other programs, and the commands for the same divide in other programs.

/** The formats. Each has a name and a function that writes a divide `{ fen, depth, moves, nodes, seconds }`. */
export const FORMATS = {
    Stockfish: writeStockfish,
    qperft: writeQperft,
    JSON: writeJson,
};

/** Returns the `perft` command for the content of a view. `claims` are those of the view "diagnose". */
export function perftCommand({ state, position }, claims = []) {
    const options = state.chess960 ? " --chess960" : "";
    if (state.view === "diagnose") {
        const numbers =
            claims.length > 0 ? claims.map(({ depth, nodes }) => `${depth}:${nodes}`) : [`${state.depth}:NUMBER`];
        return `perft diagnose ${quoted(position.fen)} ${numbers.join(" ")}`;
    }
    const command = state.view === "stats" ? "stats" : "divide";
    return `perft ${command}${options} ${quoted(state.fen)}${played(position)} ${state.depth}`;
}

/** Returns the commands with which a UCI engine prints the divide of a position. */
export function uciCommands({ state, position }) {
    const isChess960 = state.chess960 || position.isChess960;
    return [
        ...(isChess960 ? ["setoption name UCI_Chess960 value true"] : []),
        `position fen ${position.root}${played(position)}`,
        `go perft ${state.depth}`,
    ].join("\n");
}

// The moves are those of UCI. A link can have others, such as `Qxf7#`, which shells and engines do not understand.
function played({ path }) {
    return path.length > 0 ? ` moves ${path.map(({ move }) => move).join(" ")}` : "";
}

/** Returns a text as one word of a shell. */
function quoted(text) {
    return `'${text.replaceAll("'", "'\\''")}'`;
}

function writeStockfish({ moves, nodes }) {
    return `${lines(moves, ({ move, nodes: count }) => `${move}: ${count}`)}\nNodes searched: ${nodes}\n`;
}

function writeQperft({ moves, nodes, depth, seconds }) {
    const total = `perft(${pad(depth, 2)})=${pad(nodes, 13)} (${pad(seconds.toFixed(3), 6)} sec)`;
    return `${lines(moves, ({ move, nodes: count }) => `2. ${move.slice(0, 4)} moves = ${pad(count, 10)}`)}${total}\n`;
}

// JSON.stringify cannot write a BigInt, and a Number above 2^53 would lose digits. So the digits are written here.
function writeJson({ fen, depth, moves, nodes }) {
    const rows = moves.map(({ move, nodes: count }) => `        {"move": ${JSON.stringify(move)}, "nodes": ${count}}`);
    return [
        "{",
        `    "position": {"fen": ${JSON.stringify(fen)}},`,
        `    "depth": ${depth},`,
        `    "nodes": ${nodes},`,
        '    "moves": [',
        rows.join(",\n"),
        "    ]",
        "}",
        "",
    ].join("\n");
}

function lines(moves, write) {
    return moves.map((move) => `${write(move)}\n`).join("");
}

function pad(value, width) {
    return String(value).padStart(width);
}
