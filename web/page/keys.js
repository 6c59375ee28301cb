// The keyboard shortcuts of the page. They are listed in index.html.
import { isTyping } from "./dom.js";

// The name under which the browser keeps that the shortcuts are switched off.
const OFF = "perft-shortcuts-off";

/** Listens for the shortcuts. They do nothing while the user types in a field, or if they are switched off. */
export function listenToKeys(page, store) {
    const box = document.querySelector("#shortcuts");
    box.checked = !kept();
    box.addEventListener("change", () => keep(!box.checked));
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
        if (box.checked && action && !hasModifier && !isTyping(event)) {
            event.preventDefault();
            action();
        }
    });
}

// A browser may not allow a page to keep anything. Then the choice holds until the page is closed.
function kept() {
    try {
        return localStorage.getItem(OFF) !== null;
    } catch {
        return false;
    }
}

function keep(isOff) {
    try {
        isOff ? localStorage.setItem(OFF, "1") : localStorage.removeItem(OFF);
    } catch {
        // The box shows the choice.
    }
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
