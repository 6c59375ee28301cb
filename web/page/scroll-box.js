// A box around a table. If the table is wider than the box, the box scrolls, and a hint above it says so.
import { h } from "./dom.js";

/** Returns a table in a box. `label` names the box for screen readers. */
export function scrollBox(label, table) {
    const box = h("div", { class: "table-box", role: "region", "aria-label": label }, table);
    const hint = h("p", { class: "hint", hidden: true }, "Scroll the table sideways for more columns →");
    const showHint = () => {
        const isWide = box.scrollWidth > box.clientWidth;
        hint.hidden = !isWide;
        // Only a box that scrolls needs the keyboard focus.
        box.tabIndex = isWide ? 0 : -1;
    };
    const observer = new ResizeObserver(showHint);
    observer.observe(box);
    observer.observe(table);
    return [hint, box];
}
