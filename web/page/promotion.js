// The dialog that asks for the piece of a promotion.
import { h } from "./dom.js";
import { kindName, pieceImage } from "./pieces.js";

const CHOICES = ["q", "r", "b", "n"];

/** Asks for the piece. Resolves to its letter (`q`), or to `null` if the user cancels. */
export function askPromotion(isWhite) {
    const buttons = CHOICES.map((kind) => choice(kind, isWhite));
    const dialog = h(
        "dialog",
        { class: "promotion", "aria-label": "Promote to" },
        h(
            "form",
            { method: "dialog" },
            h("p", { id: "promotion-title" }, "Promote to"),
            h("div", { class: "choices" }, buttons),
        ),
    );
    document.body.append(dialog);
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.addEventListener("keydown", (event) => moveFocus(event, buttons));
    dialog.showModal();
    return new Promise((resolve) => {
        buttons.forEach((button) => button.addEventListener("click", () => dialog.close(button.value)));
        dialog.addEventListener("close", () => {
            dialog.remove();
            resolve(dialog.returnValue || null);
        });
    });
}

function choice(kind, isWhite) {
    const letter = isWhite ? kind.toUpperCase() : kind;
    return h(
        "button",
        { type: "button", value: kind, "aria-label": kindName(kind), title: kindName(kind) },
        pieceImage(letter),
    );
}

function moveFocus(event, buttons) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    const wanted =
        buttons.find((button) => button.value === event.key.toLowerCase()) ??
        (step && buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length));
    if (wanted) {
        wanted.focus();
        event.preventDefault();
    }
}
