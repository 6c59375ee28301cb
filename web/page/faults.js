// Shows the faults of a FEN, each under its place in the text, as a compiler does.
import { counted, h, sentence } from "./dom.js";

/** Returns a block that shows an error of a "position" answer. */
export function faultBlock(error) {
    if (error.kind !== "fen") {
        return h("p", { class: "fault-message" }, errorText(error));
    }
    const lines = error.faults.map((fault) => faultLines(fault, error.text.length));
    const label = "Faults under their places in the FEN";
    return h("pre", { class: "faults", tabindex: "0", role: "region", "aria-label": label }, `${error.text}\n`, lines);
}

/** Scrolls a block so that its first carets can be seen. The block must be in the document. */
export function showCarets(box) {
    const block = box.querySelector(".faults");
    const carets = block?.querySelector(".fault-carets b");
    if (carets) {
        block.scrollLeft = carets.offsetLeft + carets.offsetWidth + 16 - block.clientWidth;
    }
}

/** Returns a sentence about an error. */
export function errorText(error) {
    if (error.kind === "fen") {
        const messages = error.faults.map((fault) => fault.message).join("; ");
        return `The FEN has ${counted(error.faults.length, "fault")}: ${messages}.`;
    }
    if (error.kind === "move") {
        return `Move ${error.index + 1}: ${sentence(error.message)}`;
    }
    return error.message;
}

// The message is beside the carets, on the side on which it does not make the block wider than the FEN.
function faultLines({ start, end, message, help }, width) {
    const carets = "^".repeat(Math.max(1, end - start));
    const isOnLeft = end + 1 + message.length > width && start > message.length;
    const before = isOnLeft ? `${message} `.padStart(start) : " ".repeat(start);
    const after = isOnLeft ? "" : ` ${message}`;
    return [
        h("span", { class: "fault-carets" }, before, h("b", null, carets), after, "\n"),
        help && h("span", { class: "fault-help" }, `help: ${help}\n`),
    ];
}
