// Drags a piece with mouse, pen or finger, from the board or from the palette.
import { h } from "./dom.js";
import { pieceImage } from "./pieces.js";

// A press that moves less than this many pixels is a click.
const CLICK_RADIUS = 5;

/**
 * Follows a pointer that has been pressed on `element`, which shows the piece `letter`. At the end, it calls
 * `onDrop(x, y)` with the place where the piece was dropped, or `onClick()` if the piece was not moved. It calls
 * `onMove(x, y)` during the move. It always calls `onEnd()`, even if the browser cancels the pointer.
 */
export function followPointer(event, element, letter, { onDrop, onClick, onMove, onEnd }) {
    const ghost = new Ghost(letter, element);
    const start = { x: event.clientX, y: event.clientY };
    const controller = new AbortController();
    const listen = (name, action) => window.addEventListener(name, action, { signal: controller.signal });
    const isOurs = (other) => other.pointerId === event.pointerId;
    const finish = (action) => {
        controller.abort();
        ghost.remove();
        onEnd?.();
        action?.();
    };
    listen("pointermove", (move) => {
        const distance = Math.hypot(move.clientX - start.x, move.clientY - start.y);
        if (isOurs(move) && (ghost.isShown || distance > CLICK_RADIUS)) {
            ghost.moveTo(move.clientX, move.clientY);
            onMove?.(move.clientX, move.clientY);
        }
    });
    listen("pointerup", (up) => {
        if (isOurs(up)) {
            finish(() => (ghost.isShown ? onDrop(up.clientX, up.clientY) : onClick()));
        }
    });
    listen("pointercancel", (cancel) => isOurs(cancel) && finish(null));
    listen("keydown", (key) => key.key === "Escape" && finish(null));
}

/** The picture of a piece under the pointer. */
class Ghost {
    #node;
    #element;
    isShown = false;

    constructor(letter, element) {
        this.#element = element;
        this.#node = h("div", { class: "ghost", "aria-hidden": "true" }, pieceImage(letter));
    }

    moveTo(x, y) {
        if (!this.isShown) {
            const { width } = this.#element.getBoundingClientRect();
            this.#node.style.setProperty("--size", `${width}px`);
            document.body.append(this.#node);
            this.#element.classList.add("is-lifted");
            this.isShown = true;
        }
        this.#node.style.setProperty("--x", `${x}px`);
        this.#node.style.setProperty("--y", `${y}px`);
    }

    remove() {
        this.#node.remove();
        this.#element.classList.remove("is-lifted");
    }
}
