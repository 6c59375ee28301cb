// Measures the speed of the page in Chromium: `node web/tests/speed.mjs`, after `scripts/build-page`.
//
// It prints millions of nodes per second: the median of five counts, with one worker and with all workers. Both modules
// take turns.
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { openBrowser } from "./browser.mjs";
import { PAGE } from "./server.mjs";

const RUNS = 5;
const POSITIONS = [
    ["start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6],
    ["kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5],
];

// The files of page/ are served unchanged, so that their modules can be imported. The built page has the WebAssembly.
const FOLDERS = [fileURLToPath(new URL("../page/", import.meta.url)), PAGE];
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
const server = createServer(async ({ url }, response) => {
    const file = FOLDERS.map((folder) => join(folder, url)).find((path) => existsSync(path));
    response.setHeader("content-type", TYPES[extname(url)] ?? "text/html");
    response.end(file && url !== "/" ? await readFile(file) : "");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const browser = await openBrowser();
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/`);
const cores = await page.evaluate(() => navigator.hardwareConcurrency);
console.log(`position     SIMD, 1 worker  SIMD, ${cores} workers  scalar, 1 worker  scalar, ${cores} workers`);
for (const [name, fen, depth] of POSITIONS) {
    const speeds = await page.evaluate(measure, { fen, depth, runs: RUNS });
    console.log(`${`${name} ${depth}`.padEnd(13)}${speeds.map((speed) => speed.toFixed(0).padStart(14)).join("  ")}`);
}
await browser.close();
server.closeAllConnections();
server.close();

/** Runs in the browser. Returns the speeds of both modules with one worker and with all. */
async function measure({ fen, depth, runs }) {
    const { Pool } = await import("/pool.js");
    const compile = async (name) => WebAssembly.compileStreaming(fetch(name));
    const contenders = [];
    for (const name of ["/perft.wasm", "/perft-scalar.wasm"]) {
        const module = await compile(name);
        for (const workers of [1, navigator.hardwareConcurrency]) {
            contenders.push({ pool: new Pool(module, workers), speeds: [] });
        }
    }
    // The first round is a warm-up: workers start, and the browser compiles.
    for (let run = -1; run < runs; run += 1) {
        for (const { pool, speeds } of contenders) {
            const { nodes, seconds } = await pool.divide({ fen, moves: [] }, depth).result;
            if (run >= 0) {
                speeds.push(Number(nodes) / seconds / 1e6);
            }
        }
    }
    return contenders.map(({ speeds }) => speeds.sort((one, other) => one - other)[Math.floor(runs / 2)]);
}
