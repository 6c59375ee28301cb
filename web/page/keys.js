// The keyboard shortcuts of the page. They are listed in index.html.
import { isTyping } from "./dom.js";

/** Listens for the shortcuts. They do nothing while the user types in a field. */
export function listenToKeys(page, store) {
    const actions = {
        f: () => page.flip(),
        "/": () => page.focusFen(),
        "[": () => setDepth(store, -1),
        "]": () => setDepth(store, 1),
        c: () => page.count(),
        u: () => goOut(store),
    };
    document.addEventListener("keydown", (event) => {
        const action = actions[event.key];
        const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
        if (action && !hasModifier && !isTyping(event)) {
            event.preventDefault();
            action();
        }
    });
}

function setDepth(store, step) {
    const depth = store.state.depth + step;
    if (depth >= 1) {
        store.replace({ depth });
    }
}

function goOut(store) {
    const { moves, depth } = store.state;
    if (moves.length > 0) {
        store.push({ moves: moves.slice(0, -1), depth: depth + 1 });
    }
}
