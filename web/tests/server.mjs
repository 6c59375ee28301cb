// A web server for the tests. It compresses files, as most servers do, and records which files are fetched.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** The folder that `scripts/build-page` writes. */
export const PAGE = fileURLToPath(new URL(process.env.PERFT_PAGE ?? "../../target/page/", import.meta.url));

const TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
};

/**
 * Starts the server. Returns its address, the names of the files that were fetched, a map for the texts of other files,
 * and a function that stops it.
 */
export async function serve() {
    const fetched = [];
    const others = new Map();
    const compressed = new Map();
    const server = createServer((request, response) => {
        const path = new URL(request.url, "http://host").pathname;
        const name = path.endsWith("/") ? `${path}index.html` : path;
        const file = join(PAGE, normalize(name));
        fetched.push(name.slice(1));
        if (others.has(name.slice(1))) {
            response.end(others.get(name.slice(1)));
            return;
        }
        if (!existsSync(file)) {
            response.writeHead(404).end();
            return;
        }
        if (!compressed.has(file)) {
            compressed.set(file, gzipSync(readFileSync(file), { level: 9 }));
        }
        response.writeHead(200, { "content-type": TYPES[extname(file)], "content-encoding": "gzip" });
        response.end(compressed.get(file));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const stop = () => {
        server.closeAllConnections();
        server.close();
    };
    return { address: `http://127.0.0.1:${server.address().port}/`, fetched, others, stop };
}
