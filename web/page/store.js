// The state of the page. Only the address stores it permanently, so that links, reloading and the back button work.
import { readLink, writeLink } from "./link.js";

export class Store {
    #onChange;
    #fragment = null;

    /** Keeps the state, and calls `onChange` after each change of it. */
    constructor(onChange) {
        this.#onChange = onChange;
        this.state = readLink(location.hash);
        window.addEventListener("popstate", () => this.#readAddress());
        window.addEventListener("hashchange", () => this.#readAddress());
    }

    /** Changes fields of the state, and adds an entry to the history of the browser. */
    push(change) {
        this.#write(change, "pushState");
    }

    /** Changes fields of the state, within the same entry of the history. */
    replace(change) {
        this.#write(change, "replaceState");
    }

    /** Returns the fragment of the state with these changes. */
    link(change) {
        return writeLink(this.#changed(change));
    }

    /** Returns the address of the page in this state, with what its view shares. */
    address(shared) {
        return location.href.split("#")[0] + this.link(shared).replace(/^#$/, "");
    }

    // The texts of a link belong to its first state only.
    #changed(change) {
        return { ...this.state, pasted: "", claims: "", ...change };
    }

    /** Follows a link of the page, without the jump to the top that the browser would make. */
    follow(fragment) {
        this.push(readLink(fragment));
    }

    #write(change, method) {
        const before = writeLink(this.state);
        this.state = this.#changed(change);
        const fragment = writeLink(this.state);
        if (fragment !== before) {
            writeHistory(method, fragment);
        }
        this.#fragment = location.hash;
        this.#onChange();
    }

    #readAddress() {
        if (location.hash !== this.#fragment) {
            this.#fragment = location.hash;
            this.state = readLink(location.hash);
            this.#onChange();
        }
    }
}

// Browsers limit how often a page may write the history. The state is still right, and the next change writes it.
function writeHistory(method, fragment) {
    try {
        history[method](null, "", fragment === "#" ? location.pathname + location.search : fragment);
    } catch {
        // The next change writes the state.
    }
}
