// Converts the state of the page to the fragment of its address, and back.
//
//   #fen=...&moves=e2e4,e7e5&depth=5&view=divide&chess960=1&flip=1&sort=count&all=1&pasted=...&claims=4:197742
//
// Blanks of the FEN are written as `_`. Fields with their default value are left out. `pasted` is a text for the view
// "compare" (pack.js), and `claims` are the numbers of the view "diagnose".

export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
export const VIEWS = ["divide", "compare", "diagnose", "stats", "positions"];

export const DEFAULT_STATE = Object.freeze({
    fen: START_FEN,
    moves: Object.freeze([]),
    depth: 4,
    view: "divide",
    chess960: false,
    flip: false,
    sort: "move",
    all: false,
    pasted: "",
    claims: "",
});

/** Returns the state that a fragment describes. Fields that are missing or wrong get their default value. */
export function readLink(fragment) {
    const fields = readFields(fragment);
    const depth = Number(fields.get("depth"));
    const view = fields.get("view");
    return {
        fen: fields.get("fen") || DEFAULT_STATE.fen,
        moves: (fields.get("moves") ?? "")
            .split(",")
            .map((move) => move.trim())
            .filter(Boolean),
        depth: Number.isSafeInteger(depth) && depth >= 1 ? depth : DEFAULT_STATE.depth,
        view: VIEWS.includes(view) ? view : DEFAULT_STATE.view,
        chess960: fields.get("chess960") === "1",
        flip: fields.get("flip") === "1",
        sort: fields.get("sort") === "count" ? "count" : "move",
        all: fields.get("all") === "1",
        pasted: fields.get("pasted") ?? "",
        claims: fields.get("claims") ?? "",
    };
}

/** Returns the fragment of a state, beginning with `#`. */
export function writeLink(state) {
    const fields = [
        state.fen !== DEFAULT_STATE.fen && ["fen", state.fen],
        state.moves.length > 0 && ["moves", state.moves.join(",")],
        state.depth !== DEFAULT_STATE.depth && ["depth", String(state.depth)],
        state.view !== DEFAULT_STATE.view && ["view", state.view],
        state.chess960 && ["chess960", "1"],
        state.flip && ["flip", "1"],
        state.sort !== DEFAULT_STATE.sort && ["sort", state.sort],
        state.all && ["all", "1"],
        state.pasted && ["pasted", state.pasted],
        state.claims && ["claims", state.claims],
    ];
    return `#${fields
        .filter(Boolean)
        .map(([name, value]) => `${name}=${escapeValue(value)}`)
        .join("&")}`;
}

function readFields(fragment) {
    const fields = new Map();
    for (const field of fragment.replace(/^#/, "").split("&")) {
        const equals = field.indexOf("=");
        if (equals > 0) {
            fields.set(field.slice(0, equals), unescapeValue(field.slice(equals + 1)));
        }
    }
    return fields;
}

function escapeValue(value) {
    return encodeURIComponent(value)
        .replaceAll("_", "%5F")
        .replaceAll("%20", "_")
        .replaceAll("%2F", "/")
        .replaceAll("%2C", ",");
}

function unescapeValue(text) {
    const spaced = text.replaceAll("_", " ");
    try {
        return decodeURIComponent(spaced);
    } catch {
        // A `%` that a user typed by hand is kept as it is.
        return spaced;
    }
}
