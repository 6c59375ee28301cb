// Tests the WebAssembly modules without a browser: the suites, and the answers to every kind of question.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { start } from "../page/perft.js";
import { PAGE } from "./server.mjs";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/** The largest count of a suite that is checked. All of these counts together take a few seconds. */
const MAX_NODES = 2_000_000;

/** The modules that were built: `scripts/build-page --quick` leaves the scalar one out. */
const MODULES = ["perft.wasm", "perft-scalar.wasm"].filter((name) => existsSync(`${PAGE}/${name}`));

const load = (name) => start(new WebAssembly.Module(readFileSync(`${PAGE}/${name}`)));
const ask = await load("perft.wasm");

for (const name of MODULES) {
    test(`${name} counts all suites`, async () => {
        const asked = await load(name);
        let checked = 0;
        for (const { positions } of asked({ ask: "suites" }).suites) {
            for (const { fen, counts } of positions) {
                for (const { depth, nodes } of counts.filter((count) => Number(count.nodes) <= MAX_NODES)) {
                    assert.equal(asked({ ask: "count", fen, depth }).nodes, nodes, `${fen} at depth ${depth}`);
                    checked += 1;
                }
            }
        }
        assert.ok(checked > 2000, `${checked} counts`);
    });
}

/** Returns a random number below `limit`. The sequence is always the same (the generator of Park and Miller, 1988). */
let seed = 1;
function random(limit) {
    seed = (seed * 48271) % 2147483647;
    return seed % limit;
}

test("counts on random games are those of the statistics, which make every move", async () => {
    const asked = await Promise.all(MODULES.map(load));
    for (let game = 0; game < 10; game += 1) {
        let fen = [START, KIWIPETE][game % 2];
        for (let ply = 0; ply < 60; ply += 1) {
            const { legal } = ask({ ask: "position", fen });
            if (legal.length === 0) {
                break;
            }
            ({ fen } = ask({ ask: "position", fen, moves: [legal[random(legal.length)].move] }));
            if (ply % 6 === 0) {
                const { nodes } = ask({ ask: "statistics", fen, depth: 3 });
                asked.forEach((one) => assert.equal(one({ ask: "count", fen, depth: 3 }).nodes, nodes, fen));
            }
        }
    }
});

test("the parts of a split have the count of the whole", () => {
    for (const plies of [0, 1, 2]) {
        const { moves, parts } = ask({ ask: "split", fen: KIWIPETE, plies });
        const counts = parts.map(({ fen }) => Number(ask({ ask: "count", fen, depth: 3 - plies }).nodes));
        assert.equal(counts.reduce((sum, nodes) => sum + nodes), 97862);
        assert.equal(moves.length, 48);
    }
});

test("statistics are those of the chess programming wiki", () => {
    const found = ask({ ask: "statistics", fen: KIWIPETE, depth: 3 });
    const { nodes, captures, en_passant, castles, promotions, checks, direct_checks, checkmates } = found;
    assert.deepEqual(
        [nodes, captures, en_passant, castles, promotions, checks, direct_checks, checkmates],
        ["97862", "17102", "45", "3162", "0", "993", "993", "1"],
    );
});

test("a position is described after its moves", () => {
    const found = ask({ ask: "position", fen: START, moves: ["e4", "e7e5"] });
    assert.equal(found.fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert.deepEqual([found.turn, found.legal.length, found.pieces.e5, found.outcome], ["white", 29, "p", null]);
    assert.deepEqual(
        found.path.map(({ move }) => move),
        ["e2e4", "e7e5"],
    );
});

test("castling follows the notation", () => {
    const fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    const castling = (chess960) =>
        ask({ ask: "position", fen, chess960 }).legal.find(({ move }) => ["e1g1", "e1h1"].includes(move));
    assert.equal(castling(false).to, "g1");
    assert.equal(castling(true).to, "h1");
});

test("faults of a FEN have their places in the text", () => {
    const { error } = ask({ ask: "position", fen: "♞nbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1" });
    assert.equal(error.kind, "fen");
    const places = error.faults.map(({ start, end }) => error.text.slice(start, end));
    assert.ok(places.includes("♞") && places.includes("x"), String(places));
});

test("an illegal move and a question that makes no sense are errors", () => {
    const { error } = ask({ ask: "position", fen: START, moves: ["e2e4", "e1e3"] });
    assert.deepEqual([error.kind, error.index, error.move], ["move", 1, "e1e3"]);
    assert.equal(ask({ ask: "nothing" }).error.kind, "request");
});

/** Asks about a divide of depth 1 that `change` has made wrong. */
function compare(fen, change, question = "compare") {
    const { legal } = ask({ ask: "position", fen });
    const ours = legal.map(({ move }) => ({ move, nodes: "1" }));
    const lines = change(legal.map(({ move }) => move)).map((move) => `${move}: 1`);
    return ask({ ask: question, fen, depth: 1, ours, text: lines.join("\n") });
}

test("a right divide is right", () => {
    const found = compare(START, (moves) => moves);
    assert.deepEqual([found.isRight, found.disputed, found.noSearch, found.overlay, found.epd], [true, [], "", null, null]);
});

test("missing and illegal moves are explained", () => {
    const fen = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    const found = compare(fen, (moves) => [...moves.filter((move) => move !== "d4e3"), "e8g8"]);
    assert.deepEqual(
        found.disputed.map(({ move, isMissing }) => [move, isMissing]),
        [
            ["d4e3", true],
            ["e8g8", false],
        ],
    );
    assert.match(found.disputed[0].why, /en passant/);
    assert.match(found.epd, /^4k3\/8\/8\/8\/3pP3\/8\/8\/4K3 b - e3 0 1 ;D1 \d+ ;id "en-passant"/);
    assert.equal(found.noSearch, null);
    assert.match(found.overlay, /^<svg [^]*<\/svg>$/);
    const { causes } = compare(fen, (moves) => moves.filter((move) => move !== "d4e3"), "causes");
    assert.ok(causes.some(({ name }) => name === "no-en-passant"), JSON.stringify(causes));
});

test("the line for a suite keeps an en passant square that no legal capture uses", () => {
    const fen = "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1";
    const found = compare(fen, (moves) => [...moves, "e5d6"]);
    assert.match(found.disputed[0].why, /both pawns leave the fifth rank/);
    assert.ok(found.epd.startsWith(fen), found.epd);
});

test("the classic bug behind a number is found", () => {
    // One of the positions of the chess programming wiki. Two of its 2812 leaf nodes are captures en passant.
    const fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    const found = ask({ ask: "diagnose", fen, claims: [{ depth: 3, nodes: "2810" }] });
    assert.equal(found.isRight, false);
    assert.equal(found.causes[0].name, "no-en-passant");
    assert.ok(found.telling.length > 0);
});
