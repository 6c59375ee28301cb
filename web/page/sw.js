// Keeps the files of the page, so that it works without a network after the first visit.
//
// `scripts/build-page` fills in the version and the files. A new version is fetched in the background, and is used
// from the next visit on.

const VERSION = "@VERSION@";
const FILES = ["@FILES@"];
/** The addresses of all files of the page. */
const OWN = new Set([...FILES, "perft-scalar.wasm"].map((file) => new URL(file, self.location).href));

self.addEventListener("install", (event) => {
    // The browser has just loaded these files, so it only asks whether they are still the same.
    const fresh = FILES.map((file) => new Request(file, { cache: "no-cache" }));
    event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(fresh)));
});

self.addEventListener("activate", (event) => {
    const old = (names) => names.filter((name) => name.startsWith("perft-") && name !== VERSION);
    const deleted = caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name))));
    // The page of the first visit was loaded without this worker. From now on, it also gets the kept files.
    event.waitUntil(deleted.then(() => self.clients.claim()));
});

// Other files, such as a book beside the page, are left to the browser.
self.addEventListener("fetch", (event) => {
    const address = event.request.url.replace(/[?#].*/, "");
    if (event.request.method === "GET" && OWN.has(address)) {
        event.respondWith(keptOrFetched(event.request));
    }
});

/** Returns the kept file. The module for browsers without SIMD is kept only if it is used. */
async function keptOrFetched(request) {
    const cache = await caches.open(VERSION);
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) {
        return kept;
    }
    const response = await fetch(request);
    if (response.ok) {
        await cache.put(request, response.clone());
    }
    return response;
}
