// The answer to "compare" as nodes: the summary, the differences with their reasons, and the table of all moves.
import { copyButton, counted, fill, formatCount, h, sentence } from "./dom.js";
import { causeList } from "./diagnosis.js";
import { boardImage } from "./pieces.js";
import { scrollBox } from "./scroll-box.js";

// If everything in an answer is wrong, it has hundreds of disputed moves. The first few show the reason.
const MAX_EXPLAINED = 5;

// The order of the kinds of rows. Rows that differ come first.
const KINDS = ["missing", "extra", "count", "right", "unknown"];
// The columns by which the table can be sorted, each with its order: by size, the largest first.
const bySize = (size) => (one, other) => Number(size(other) - size(one));
const NUMBERS = ["Right", "Yours", "Difference"];
const ORDERS = {
    Move: (one, other) => (one.move < other.move ? -1 : 1),
    Right: bySize(({ ours }) => BigInt(ours ?? -1)),
    Yours: bySize(({ theirs }) => BigInt(theirs ?? -1)),
    Difference: (one, other) =>
        KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) || bySize(sizeOfDifference)(one, other),
};
// The sign and the word of each kind. A narrow screen shows only the sign.
const MARKS = {
    missing: ["✗", "missing"],
    extra: ["✗", "not legal"],
    count: ["✗", "count"],
    right: ["✓", "right"],
    unknown: ["–", "not listed"],
};

/**
 * Returns the nodes of an answer about a position with these pieces. `above` is the row of the last move in the comparison one ply up, or `null`. `all` is
 * the check box that shows the moves that are right, too. `causes` is the box for the mistakes.
 */
export function comparison(answer, { state, pieces, above, all, causes, store, announce }) {
    const isNextKnown = answer.rows.some((row) => row.kind === "count") && state.depth > 1;
    return [
        h(
            "p",
            { class: `summary ${answer.isRight ? "is-right" : "is-wrong"}` },
            `${answer.isRight ? "✓" : "✗"} ${answer.summary}`,
        ),
        answer.isRight && above?.kind === "count" && h("p", { class: "message" }, wrongAbove(above)),
        answer.contradictsItself &&
            h("p", { class: "message" }, "The total of your engine is not the sum of its counts."),
        answer.notes.map((note) => h("p", { class: "message" }, `${note[0].toUpperCase()}${note.slice(1)}.`)),
        disputedMoves(answer),
        answer.overlay && h("div", { class: "drawn" }, boardImage(pieces, answer.overlay)),
        !answer.isRight && causes,
        !answer.isRight && answer.epd && epdLine(answer.epd, announce),
        isNextKnown && h("p", { class: "hint" }, "Open a move with another count to follow the bug, one ply deeper."),
        answer.rows.length > 0 && [rightSwitch(answer, all), rowTable(answer, state, store)],
        unreadLines(answer.unread),
    ];
}

/** Links the moves that were counted differently to their positions. The links keep the settings of the state. */
export function linkMoves(nodes, state, store) {
    for (const link of nodes.querySelectorAll("[data-move]")) {
        link.href = store.link({ moves: [...state.moves, link.dataset.move], depth: state.depth - 1 });
    }
}

function wrongAbove({ move, ours, theirs }) {
    return (
        `But one ply up, your engine counts ${formatCount(theirs)} below ${move}, not ${formatCount(ours)}. So look at ` +
        "playing and taking back moves, the transposition table, draws, counting the last ply, and adding up."
    );
}

/** Returns the nodes about the mistakes that give an answer. */
export function causeNodes(causes) {
    if (causes.length === 0) {
        return h("p", { class: "hint" }, "No known mistake gives exactly these counts, or too many do. Go on with a move.");
    }
    const which = causes.length === 1 ? "this mistake" : "one of these mistakes";
    return [h("p", { class: "label" }, `A program with ${which} gives exactly these counts`), causeList(causes)];
}

function disputedMoves({ disputed }) {
    const first = disputed.slice(0, MAX_EXPLAINED);
    const others = disputed.slice(MAX_EXPLAINED);
    return [
        first.length > 0 && h("ul", { class: "disputed" }, first.map(disputedMove)),
        others.length > 0 &&
            h(
                "details",
                null,
                h("summary", null, `${others.length} more`),
                h("ul", { class: "disputed" }, others.map(disputedMove)),
            ),
    ];
}

// The reason names the move.
function disputedMove({ isMissing, why, about }) {
    return h(
        "li",
        null,
        h("strong", null, isMissing ? "Missing: " : "Not legal: "),
        sentence(why),
        about && h("span", { class: "about" }, ` ${sentence(about)}`),
    );
}

function epdLine(epd, announce) {
    return [
        h("p", { class: "label" }, "A line for a test suite"),
        h(
            "div",
            { class: "command-line" },
            h("code", { class: "command" }, epd),
            copyButton("Copy EPD", () => epd, announce),
        ),
    ];
}

function rightSwitch({ rows }, input) {
    const right = rows.filter(({ kind }) => kind === "right").length;
    const label = h("label", { class: "check" }, input, `Show ${counted(right, "right move")}, too`);
    return right > 0 && right < rows.length && label;
}

function rowTable({ rows, ours, theirs }, state, store) {
    const body = h("tbody");
    const arrange = (sort) => {
        fill(body, rows.toSorted(ORDERS[sort]).map((row) => compareRow(row, state)));
        linkMoves(body, state, store);
        const order = sort === "Move" ? "ascending" : "descending";
        heads.forEach((head) => head.setAttribute("aria-sort", head.textContent === sort ? order : "none"));
    };
    const heads = Object.keys(ORDERS).map((name) => {
        const button = h("button", { type: "button", class: "sort", onclick: () => arrange(name) }, name);
        return h("th", { scope: "col", class: NUMBERS.includes(name) ? "number" : "" }, button);
    });
    arrange("Difference");
    const isAllRight = rows.every(({ kind }) => kind === "right");
    const table = h(
        "table",
        { class: isAllRight ? "compare is-all-right" : "compare" },
        h("caption", { class: "visually-hidden" }, "Comparison by move"),
        h(
            "thead",
            null,
            h("tr", null, h("th", { scope: "col" }, h("span", { class: "word" }, "Verdict")), heads),
        ),
        body,
        h(
            "tfoot",
            null,
            h(
                "tr",
                null,
                h("th", { scope: "row", colspan: "2" }, "Total"),
                number(ours),
                number(theirs),
                number(difference(ours, theirs)),
            ),
        ),
    );
    return scrollBox("Comparison by move", table);
}

function compareRow(row, state) {
    return h(
        "tr",
        { class: `kind-${row.kind}` },
        markCell(MARKS[row.kind]),
        h("th", { scope: "row" }, moveCell(row, state)),
        number(row.ours),
        number(row.theirs),
        number(row.kind === "right" ? null : difference(row.ours, row.theirs)),
    );
}

function markCell([sign, word]) {
    return h("td", { class: "mark" }, `${sign} `, h("span", { class: "word" }, word));
}

function moveCell({ move, kind }, state) {
    if (kind !== "count" || state.depth === 1) {
        return h("span", { class: "move" }, move);
    }
    return h("a", { class: "move", "data-move": move, "aria-label": `Go into ${move}` }, `${move} →`);
}

function number(text) {
    return h("td", { class: "number" }, text === null || text === undefined ? "–" : withSign(String(text)));
}

function withSign(text) {
    return text.replace(/^-/, "−").replace(/\d+/, formatCount);
}

function difference(ours, theirs) {
    if (ours === null || theirs === null || ours === undefined || theirs === undefined) {
        return null;
    }
    const found = BigInt(theirs) - BigInt(ours);
    return found > 0n ? `+${found}` : String(found);
}

function sizeOfDifference({ ours, theirs }) {
    const found = BigInt(theirs ?? 0) - BigInt(ours ?? 0);
    return found < 0n ? -found : found;
}

function unreadLines(unread) {
    return unread.length === 0
        ? null
        : h(
              "details",
              { class: "unread" },
              h("summary", null, `Lines that were not read: ${unread.length}`),
              h("pre", { tabindex: "0", role: "region", "aria-label": "Lines that were not read" }, unread.join("\n")),
          );
}
