// The start of the page. Data flows one way: address -> state -> context -> the parts of the page.
import { fill, h } from "./dom.js";
import { Jobs } from "./jobs.js";
import { listenToKeys } from "./keys.js";
import { Page } from "./page.js";
import { load } from "./perft.js";
import { Pool } from "./pool.js";
import { Store } from "./store.js";

const main = document.querySelector("main");

try {
    const { ask, module } = await load();
    start(ask, new Pool(module));
} catch (error) {
    console.error(error);
    const text = `This page needs WebAssembly, and it could not be started: ${error?.message ?? error}`;
    fill(main, h("p", { class: "failure", role: "alert" }, text));
}
keepOffline();

/** Builds the page and shows the state from the address. */
function start(ask, pool) {
    const app = { ask, announce };
    app.suites = ask({ ask: "suites" }).suites;
    app.kinds = ask({ ask: "kinds" }).kinds;
    app.store = new Store(() => page.show());
    app.jobs = new Jobs(pool, () => page.update());
    const page = new Page(app);
    fill(main, page.nodes);
    page.show();
    listenToKeys(page, app.store);
    listenToLinks(page, app.store);
}

/** Follows links of the page without loading it again. Clicks with a modifier key are left to the browser. */
function listenToLinks(page, store) {
    document.addEventListener("click", (event) => {
        const link = event.target.closest?.('a[href^="#"]');
        const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
        if (link && isPlain && !event.defaultPrevented) {
            event.preventDefault();
            store.follow(link.getAttribute("href"));
            page.keepFocus();
        }
    });
}

/** Announces a text to screen readers. */
function announce(text) {
    fill(document.querySelector("#announcer"), text);
}

/** Keeps the files of the page in the browser, if the browser supports that. */
function keepOffline() {
    navigator.serviceWorker?.register("sw.js").catch((error) => console.warn("The page is not kept offline:", error));
}
