// Shows the faults of a FEN: the faulty parts are marked in the text, and the messages are below it.
import { counted, h, sentence } from "./dom.js";

/** Returns a block that shows an error of a "position" answer. */
export function faultBlock(error) {
    if (error.kind !== "fen") {
        return h("p", { class: "fault-message" }, errorText(error));
    }
    const messages = error.faults.map(({ message, help }) =>
        h("li", null, h("span", { class: "fault-message" }, message), help && h("span", { class: "muted" }, `: ${help}`)),
    );
    return h("div", { class: "faults" }, h("p", { class: "mono" }, markedParts(error)), h("ul", null, messages));
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

// The places of faults can overlap: a part is inside one mark for each of its faults. A fault without a length marks the
// next character. The blank is for a fault at the end.
function markedParts({ text, faults }) {
    const shown = `${text}\u00a0`;
    const places = faults.map(({ start, end }) => ({ start, end: Math.max(end, start + 1) }));
    const edges = [0, shown.length, ...places.flatMap(({ start, end }) => [start, end])];
    const sorted = [...new Set(edges)].sort((one, other) => one - other);
    return sorted.slice(1).map((end, at) => {
        const marks = places.filter((place) => place.start < end && place.end >= end);
        return marks.reduce((part) => h("mark", null, part), shown.slice(sorted[at], end));
    });
}
