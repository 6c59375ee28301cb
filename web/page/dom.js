// Builds nodes without innerHTML, and has the small helpers that all parts of the page use.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * Returns a new HTML element. An attribute that is `null`, `undefined` or `false` is left out. `true` sets it without a
 * value. A function is added as a listener (`onclick`). Children are nodes, texts, or arrays of them.
 */
export function h(tag, attributes, ...children) {
    return build(document.createElement(tag), attributes, children);
}

/** Returns a new SVG element. The arguments are those of `h`. */
export function svg(tag, attributes, ...children) {
    return build(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

/** Replaces the children of a node, if the new children differ from the old ones. */
export function fill(node, ...children) {
    const next = children.flat(Infinity).filter(isShown);
    const isSameText =
        next.length === 1 && typeof next[0] === "string" && node.children.length === 0 && node.textContent === next[0];
    if (!isSameText) {
        node.replaceChildren(...next);
    }
    return node;
}

/** Returns a number with commas between thousands. */
export function formatCount(count) {
    return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** Returns a noun with its number: `1 move`, `20 moves`. */
export function counted(count, singular, plural = `${singular}s`) {
    return `${formatCount(count)} ${String(count) === "1" ? singular : plural}`;
}

/** Returns a text with a full stop at its end. It is added only if there is none. */
export function sentence(text) {
    return !text || /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Copies text to the clipboard. Resolves to `true` if that worked. */
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return copyBySelection(text);
    }
}

/** Returns a button that copies the result of `text()`, and reports this in its label and to screen readers. */
export function copyButton(label, text, announce) {
    const face = h("span", { class: "copy-face" }, label);
    const button = h("button", { type: "button", class: "copy", onclick: () => copy() }, face);
    let timer = 0;
    const copy = async () => {
        const isCopied = await copyText(await text());
        const result = isCopied ? "Copied" : "Not copied";
        button.dataset.result = result;
        announce(isCopied ? `Copied: ${label}` : "The browser did not allow to copy.");
        clearTimeout(timer);
        timer = setTimeout(() => delete button.dataset.result, 1500);
    };
    return button;
}

/** Returns a function that calls `action` once it has not been called again for `milliseconds`. */
export function debounce(action, milliseconds) {
    let timer = 0;
    return (...values) => {
        clearTimeout(timer);
        timer = setTimeout(() => action(...values), milliseconds);
    };
}

/** Whether the target of the keyboard event is a control that uses letters itself. */
export function isTyping(event) {
    return event.target instanceof Element && event.target.closest("input, textarea, select, dialog") !== null;
}

function build(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (typeof value === "function") {
            element.addEventListener(name.slice(2), value);
        } else if (value !== null && value !== undefined && value !== false) {
            element.setAttribute(name, value === true ? "" : value);
        }
    }
    element.append(...children.flat(Infinity).filter(isShown));
    return element;
}

function isShown(child) {
    return child !== null && child !== undefined && child !== false;
}

// For browsers without a clipboard API, or with one only on secure pages.
function copyBySelection(text) {
    const area = h("textarea", { class: "visually-hidden", "aria-hidden": "true", tabindex: "-1" });
    const focused = document.activeElement;
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    focused?.focus?.({ preventScroll: true });
    return isCopied;
}
