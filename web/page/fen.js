// The field for a FEN, the list of well-known positions, and the faults of the text.
import { debounce, fill, h } from "./dom.js";
import { errorText, faultBlock } from "./faults.js";

export class FenField {
    #store;
    #announce;
    #area;
    #faults;
    #select;
    #chess960;
    #chess960Hint;
    #said = null;
    #shownText = null;

    /** `suites` are those of the "suites" answer. The first one has the well-known positions. */
    constructor({ store, suites, announce }) {
        this.#store = store;
        this.#announce = announce;
        this.#area = this.#buildArea();
        this.#faults = h("div", { id: "fen-faults", class: "fault-box" });
        this.#select = this.#buildSelect(suites[0].positions);
        this.#chess960Hint = h("span", { class: "muted" });
        this.#chess960 = h("input", { type: "checkbox", onchange: (event) => this.#setChess960(event.target.checked) });
        this.element = h(
            "div",
            { class: "fen-field" },
            h("div", { class: "row" }, h("label", { for: "fen" }, "FEN"), this.#select),
            this.#area,
            this.#faults,
            h("label", { class: "check" }, this.#chess960, h("span", null, "Chess960 castling ", this.#chess960Hint)),
        );
    }

    /** Shows the FEN of a context and its faults. */
    show({ state, position, error }) {
        const text = position && state.moves.length > 0 ? position.fen : state.fen;
        // The text of the user is not changed. It keeps all its blanks.
        if (normalize(this.#area.value) !== text) {
            this.#area.value = text;
        }
        this.#shownText = text;
        this.#area.setAttribute("aria-invalid", String(error !== null));
        fill(this.#faults, error && faultBlock(error));
        this.#say(error && errorText(error));
        this.#select.value = this.#isListed(text) ? text : "";
        this.#showChess960(state, position);
    }

    /** Puts the text cursor into the field and selects the text. */
    focus() {
        this.#area.focus();
        this.#area.select();
    }

    #buildArea() {
        const typed = debounce(() => this.#setFen("replace"), 250);
        return h("textarea", {
            id: "fen",
            rows: "2",
            spellcheck: "false",
            autocapitalize: "off",
            autocomplete: "off",
            "aria-describedby": "fen-faults",
            oninput: typed,
            onkeydown: (event) => {
                if (event.key === "Enter") {
                    event.preventDefault();
                    this.#setFen("push");
                }
            },
        });
    }

    #buildSelect(positions) {
        const options = positions.map(({ name, fen }) => h("option", { value: fen }, name));
        const choose = ({ target }) => {
            if (target.value === "more") {
                this.#store.push({ view: "positions" });
            } else if (target.value) {
                this.#store.push({ fen: target.value, moves: [] });
            }
        };
        return h(
            "select",
            { "aria-label": "Built-in position", onchange: choose },
            h("option", { value: "", disabled: true }, "Choose a position"),
            options,
            h("option", { value: "more" }, "More positions …"),
        );
    }

    #isListed(fen) {
        return [...this.#select.options].some((option) => option.value === fen);
    }

    #setFen(method) {
        const fen = normalize(this.#area.value);
        if (fen !== "" && fen !== this.#shownText) {
            this.#shownText = fen;
            this.#store[method]({ fen, moves: [] });
        }
    }

    #setChess960(isForced) {
        this.#store.push({ chess960: isForced });
    }

    // A position that needs the Chess960 notation always has it.
    #showChess960(state, position) {
        const isNeeded = Boolean(position?.isChess960) && !state.chess960;
        this.#chess960.checked = state.chess960 || isNeeded;
        this.#chess960.disabled = isNeeded;
        fill(this.#chess960Hint, isNeeded ? "(this FEN needs it)" : "(king takes rook)");
    }

    #say(text) {
        if (text && text !== this.#said) {
            this.#announce(text);
        }
        this.#said = text;
    }
}

function normalize(text) {
    return text.trim().replace(/\s+/g, " ");
}
