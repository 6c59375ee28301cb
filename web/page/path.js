// The moves played from the root position. Each is a link back to its position.
import { fill, h } from "./dom.js";

export class Path {
    #store;
    #list = h("ol", { class: "path-list" });

    constructor({ store }) {
        this.#store = store;
        this.element = h("nav", { class: "path", "aria-label": "Moves played" }, this.#list);
    }

    /** Shows the moves of a context. */
    show({ state }) {
        const names = ["Root", ...state.moves];
        const hint = state.moves.length === 0 && h("li", { class: "hint" }, "Choose a move to go in");
        fill(
            this.#list,
            names.map((name, at) => this.#item(state, name, at)),
            hint,
        );
    }

    // Going back increases the depth again, because following a move reduces it.
    #item(state, name, at) {
        const isLast = at === state.moves.length;
        const moves = state.moves.slice(0, at);
        const depth = state.depth + state.moves.length - at;
        const link = this.#store.link({ moves, depth });
        return h("li", null, isLast ? h("span", { "aria-current": "location" }, name) : h("a", { href: link }, name));
    }
}
