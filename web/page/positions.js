// The view "positions": the built-in suites. One suite is rendered at a time, because some have hundreds of positions.
import { counted, fill, formatCount, h, sentence } from "./dom.js";
import { boardImage } from "./pieces.js";
import { readBoard } from "./squares.js";

export class PositionsView {
    name = "positions";
    label = "Positions";
    #store;
    #suites;
    #suite;
    #about = h("p", { class: "about" });
    #filter;
    #shown = h("span", { class: "muted", role: "status" });
    #list = h("ul", { class: "position-list" });
    #isBuilt = false;

    constructor({ store, suites }) {
        this.#store = store;
        this.#suites = suites;
        const options = suites.map(({ name, positions }) =>
            h("option", { value: name }, `${name} (${positions.length})`),
        );
        this.#suite = h("select", { id: "suite", onchange: () => this.#render() }, options);
        this.#filter = h("input", {
            id: "position-filter",
            type: "search",
            spellcheck: "false",
            autocomplete: "off",
            oninput: () => this.#render(),
        });
        this.element = h(
            "div",
            null,
            h("h2", { class: "visually-hidden" }, "Positions"),
            h(
                "div",
                { class: "row" },
                h("label", { for: "suite" }, "Suite"),
                this.#suite,
                h("label", { for: "position-filter" }, "Filter"),
                this.#filter,
                this.#shown,
            ),
            this.#about,
            h(
                "p",
                { class: "hint" },
                "Open a position to count it. The text says which bug it catches; the counts are known to be right.",
            ),
            this.#list,
        );
    }

    /** Shows the list. It does not depend on the position. */
    show() {
        if (!this.#isBuilt) {
            this.#isBuilt = true;
            this.#render();
        }
    }

    update() {}

    count() {}

    #render() {
        const suite = this.#suites.find(({ name }) => name === this.#suite.value) ?? this.#suites[0];
        const words = this.#filter.value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = suite.positions.filter((position) => isFound(position, words));
        fill(this.#about, capitalized(sentence(suite.about)));
        fill(this.#shown, `${found.length} of ${counted(suite.positions.length, "position")}`);
        fill(
            this.#list,
            found.map((position) => this.#item(position)),
        );
    }

    // The link has the default depth and notation, because a position of a suite determines the notation that it needs.
    #item({ name, fen, comment, counts }) {
        const href = this.#store.link({ fen, moves: [], view: "divide", chess960: false });
        return h(
            "li",
            null,
            boardImage(readBoard(fen.split(" ")[0])),
            h(
                "div",
                null,
                h("a", { href, class: "position-name" }, name),
                comment && h("p", null, comment),
                h("p", { class: "mono fen" }, fen),
                h(
                    "p",
                    { class: "counts" },
                    counts.map(({ depth, nodes }) => h("span", null, `${depth}: ${formatCount(nodes)}`)),
                ),
            ),
        );
    }
}

function isFound({ name, comment, fen }, words) {
    const text = `${name} ${comment ?? ""} ${fen}`.toLowerCase();
    return words.every((word) => text.includes(word));
}

function capitalized(text) {
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
