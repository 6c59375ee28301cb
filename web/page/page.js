// The parts of the page, and the content of each part.
import { CompareView } from "./compare.js";
import { DiagnoseView } from "./diagnose.js";
import { DivideView } from "./divide.js";
import { h } from "./dom.js";
import { PositionPanel } from "./panel.js";
import { Path } from "./path.js";
import { PositionsView } from "./positions.js";
import { Share } from "./share.js";
import { StatsView } from "./stats.js";
import { Tabs } from "./tabs.js";

export class Page {
    #app;
    #panel;
    #path;
    #tabs;
    #views;
    #share;
    #context = null;
    #noPosition = h(
        "p",
        { class: "message", hidden: true },
        "There is no position to count. The message under the FEN says why.",
    );

    constructor(app) {
        this.#app = app;
        this.#panel = new PositionPanel(app);
        this.#path = new Path(app);
        const diagnose = new DiagnoseView(app, () => this.#share.show(this.#context));
        const divide = new DivideView(app, (move) => this.#panel.highlight(move));
        const compare = new CompareView(app, this.#panel);
        const views = [divide, compare, diagnose, new StatsView(app), new PositionsView(app)];
        this.#views = new Map(views.map((view) => [view.name, view]));
        this.#tabs = new Tabs(views, (view) => app.store.push({ view }));
        const shared = () => this.#view.shared?.() ?? {};
        this.#share = new Share(app, () => diagnose.claims(), shared);
        this.#panel.tools.append(this.#share.copyLink);
        const work = h(
            "section",
            { class: "work", "aria-label": "Counts" },
            this.#path.element,
            this.#tabs.list,
            this.#noPosition,
            this.#tabs.panels,
        );
        this.nodes = [this.#panel.element, work, this.#share.element];
    }

    get #view() {
        return this.#views.get(this.#app.store.state.view);
    }

    /** Shows the state of the store. */
    show() {
        const context = contextOf(this.#app, this.#context);
        const { state, position } = context;
        const isWalk = this.#context !== null && state.moves.join() !== this.#context.state.moves.join();
        this.#context = context;
        this.#panel.draw(null);
        this.#panel.show(context);
        this.#path.show(context);
        this.#tabs.show(state.view);
        const isShown = position !== null || state.view === "positions";
        this.#noPosition.hidden = isShown;
        this.#tabs.panel(state.view).hidden = !isShown;
        if (isShown) {
            this.#view.show(context);
        }
        this.#share.show(context);
        if (isWalk) {
            this.#panel.reveal();
        }
        document.title = `${this.#view.label}: ${nameOf(context, this.#app.suites)} – perft`;
    }

    /** Shows counts that have changed. */
    update() {
        if (this.#context?.position) {
            this.#view.update();
            this.#share.update(this.#context);
        }
    }

    /** Starts the count of the current view. */
    count() {
        if (this.#context.position) {
            this.#view.count();
        }
    }

    flip() {
        this.#panel.flip();
    }

    focusFen() {
        this.#panel.focusFen();
    }

    /** Gives the keyboard focus to the view if the element with the focus was removed. */
    keepFocus() {
        if (document.activeElement === document.body) {
            this.#tabs.panel(this.#app.store.state.view).focus({ preventScroll: true });
        }
    }
}

/** Returns the state and its position, or the state and the error of the FEN or of a move. */
function contextOf({ ask, store }, before) {
    const { state } = store;
    const { fen, moves, chess960 } = state;
    const query = { fen, moves, chess960 };
    if (before && JSON.stringify(before.query) === JSON.stringify(query)) {
        return { ...before, state };
    }
    const answer = ask({ ask: "position", ...query });
    return { state, query, position: answer.error ? null : answer, error: answer.error ?? null };
}

function nameOf({ state }, suites) {
    const found = suites.flatMap(({ positions }) => positions).find(({ fen }) => fen === state.fen);
    return [found?.name ?? "position", ...state.moves].join(" ");
}
