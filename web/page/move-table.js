// The table of a divide: moves, counts and shares, sorted and filtered.
import { counted, fill, formatCount, h } from "./dom.js";
import { scrollBox } from "./scroll-box.js";

export class MoveTable {
    #store;
    #onPoint;
    #rows = new Map();
    #order = "";
    #filter;
    #shown = h("span", { class: "muted", role: "status" });
    #headers;
    #body = h("tbody");
    #result = null;

    constructor(store, onPoint) {
        this.#store = store;
        this.#onPoint = onPoint;
        this.#filter = h("input", {
            id: "move-filter",
            type: "search",
            size: "8",
            spellcheck: "false",
            autocomplete: "off",
            autocapitalize: "off",
            oninput: () => this.#arrange(),
        });
        this.#headers = { move: this.#header("move", "Move"), count: this.#header("count", "Count", "number") };
        this.element = h(
            "div",
            null,
            h(
                "div",
                { class: "row filter" },
                h("label", { for: "move-filter" }, "Filter moves"),
                this.#filter,
                this.#shown,
            ),
            scrollBox("Count below each move", this.#table()),
        );
    }

    /** Makes the rows of the legal moves of a context. Each move links to the position after it, one ply less deep. */
    setMoves({ state, position }) {
        const depth = Math.max(1, state.depth - 1);
        const names = position.legal.map(({ move }) => move);
        const rows = names.map((move) => {
            const row = this.#rows.get(move) ?? this.#buildRow(move);
            row.link.setAttribute("href", this.#store.link({ moves: [...state.moves, move], depth }));
            return [move, row];
        });
        this.#rows = new Map(rows);
    }

    /** Shows the counts so far. */
    update({ state }, result) {
        this.#result = result;
        const counts = new Map((result?.moves ?? []).map((entry) => [entry.move, entry]));
        const largest = [...counts.values()].reduce((most, { nodes }) => (nodes > most ? nodes : most), 0n);
        this.#rows.forEach((row, move) => showCount(row, counts.get(move), result, largest));
        this.#showSort(state.sort);
        this.#arrange();
    }

    #table() {
        return h(
            "table",
            { class: "moves" },
            h("caption", { class: "visually-hidden" }, "Count below each move"),
            h(
                "thead",
                null,
                h("tr", null, this.#headers.move, this.#headers.count, h("th", { scope: "col" }, "Share")),
            ),
            this.#body,
        );
    }

    #buildRow(move) {
        const link = h("a", { href: "#", class: "move" }, move);
        const count = h("td", { class: "number" });
        const share = h("span", { class: "share-text" });
        const bar = h("span", { class: "bar", "aria-hidden": "true" });
        const point = (shown) => () => this.#onPoint(shown);
        const element = h(
            "tr",
            {
                onpointerenter: point(move),
                onpointerleave: point(null),
                onfocusin: point(move),
                onfocusout: point(null),
            },
            h("th", { scope: "row" }, link),
            count,
            h("td", null, h("span", { class: "share-cell" }, h("span", { class: "bar-box" }, bar), share)),
        );
        return { element, link, count, share, bar, nodes: -1n };
    }

    #header(sort, label, kind = "") {
        const button = h(
            "button",
            { type: "button", class: "sort", onclick: () => this.#store.replace({ sort }) },
            label,
        );
        return h("th", { scope: "col", class: kind }, button);
    }

    #showSort(sort) {
        this.#headers.move.setAttribute("aria-sort", sort === "move" ? "ascending" : "none");
        this.#headers.count.setAttribute("aria-sort", sort === "count" ? "descending" : "none");
    }

    // The order changes only when a count begins or ends, because moving rows are hard to click.
    #arrange() {
        const filter = this.#filter.value.trim().toLowerCase();
        const moves = [...this.#rows.keys()].filter((move) => move.toLowerCase().includes(filter));
        moves.sort();
        if (this.#store.state.sort === "count" && !this.#result?.isRunning) {
            moves.sort((one, other) => compareCounts(this.#rows.get(other).nodes, this.#rows.get(one).nodes));
        }
        const order = moves.join(" ");
        const isSame =
            order === this.#order &&
            moves.every((move, at) => this.#rows.get(move).element === this.#body.children[at]);
        if (!isSame || this.#body.children.length !== moves.length) {
            this.#order = order;
            this.#placeRows(moves);
        }
        const all = counted(this.#rows.size, "move");
        fill(this.#shown, moves.length === this.#rows.size ? all : `${moves.length} of ${all}`);
    }

    #placeRows(moves) {
        const focused = document.activeElement;
        fill(
            this.#body,
            moves.map((move) => this.#rows.get(move).element),
        );
        if (this.#body.contains(focused)) {
            focused.focus({ preventScroll: true });
        }
    }
}

// The bar of the largest count is as wide as the column. The text is the share of the total.
function showCount(row, entry, result, largest) {
    const total = result?.nodes ?? 0n;
    row.nodes = entry?.nodes ?? -1n;
    const isOpen = result !== null && !result.isComplete && !entry?.isDone;
    const count = entry && (entry.isDone || entry.nodes > 0n) ? formatCount(entry.nodes) : "";
    fill(row.count, isOpen ? `${count} …` : count || "–");
    row.bar.style.setProperty("--share", String(ratio(entry?.nodes, largest)));
    fill(row.share, count && total > 0n ? `${(100 * ratio(entry.nodes, total)).toFixed(1)} %` : "");
}

function ratio(part, whole) {
    return part && whole > 0n ? Number((part * 100000n) / whole) / 100000 : 0;
}

function compareCounts(one, other) {
    return one === other ? 0 : one < other ? -1 : 1;
}
