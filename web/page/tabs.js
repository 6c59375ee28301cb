// The views as tabs, following the ARIA pattern: one tab stop, and arrow keys between the tabs.
import { h } from "./dom.js";

export class Tabs {
    #tabs;
    #panels;
    #onSelect;

    /** Makes the tabs. `views` are `[{ name, label, element }]`. A choice of the user calls `onSelect(name)`. */
    constructor(views, onSelect) {
        this.#onSelect = onSelect;
        this.#tabs = new Map(views.map((view) => [view.name, this.#buildTab(view)]));
        this.#panels = new Map(views.map((view) => [view.name, buildPanel(view)]));
        const list = h("div", { role: "tablist", class: "tabs", "aria-label": "Views" }, [...this.#tabs.values()]);
        list.addEventListener("keydown", (event) => this.#key(event));
        this.list = list;
        this.panels = [...this.#panels.values()];
    }

    /** Shows a view. */
    show(name) {
        this.#tabs.forEach((tab, other) => {
            tab.setAttribute("aria-selected", String(other === name));
            tab.tabIndex = other === name ? 0 : -1;
        });
        this.#panels.forEach((panel, other) => {
            panel.hidden = other !== name;
        });
    }

    /** Returns the panel that has a view. */
    panel(name) {
        return this.#panels.get(name);
    }

    #buildTab({ name, label }) {
        return h(
            "button",
            {
                type: "button",
                role: "tab",
                id: `tab-${name}`,
                "aria-controls": `panel-${name}`,
                "data-view": name,
                onclick: () => this.#onSelect(name),
            },
            label,
        );
    }

    #key(event) {
        const names = [...this.#tabs.keys()];
        const at = names.indexOf(event.target.dataset.view);
        const next = {
            ArrowRight: (at + 1) % names.length,
            ArrowLeft: (at - 1 + names.length) % names.length,
            Home: 0,
            End: names.length - 1,
        }[event.key];
        if (next !== undefined && at >= 0) {
            event.preventDefault();
            this.#onSelect(names[next]);
            this.#tabs.get(names[next]).focus();
        }
    }
}

function buildPanel({ name, element }) {
    const attributes = {
        role: "tabpanel",
        id: `panel-${name}`,
        class: "panel",
        "aria-labelledby": `tab-${name}`,
        tabindex: "-1",
    };
    return h("div", attributes, element);
}
