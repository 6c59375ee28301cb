// Keeps the files of the page, so that it works without a network after the first visit.
//
// `scripts/build-page` fills in the version and the files. A new version is fetched in the background, and is used
// from the next visit on.

const VERSION = "@VERSION@";
const FILES = ["@FILES@"];

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

self.addEventListener("fetch", (event) => event.respondWith(keptOrFetched(event.request)));

/** Returns the kept file. Other files, such as the module for browsers without SIMD, are fetched and kept. */
async function keptOrFetched(request) {
    const cache = await caches.open(VERSION);
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) {
        return kept;
    }
    const response = await fetch(request);
    if (response.ok && request.method === "GET") {
        await cache.put(request, response.clone());
    }
    return response;
}
