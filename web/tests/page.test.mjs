// Tests the page in Chromium, as a user works with it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";

import { openBrowser } from "./browser.mjs";
import { PAGE, serve } from "./server.mjs";

const KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const PHONE = { viewport: { width: 390, height: 844 } };
/** The longest time that a test waits for a change, in milliseconds. A busy machine is much slower than an idle one. */
const TIMEOUT = 120_000;

const link = (fen) => `#fen=${fen.replaceAll(" ", "_")}`;

let server;
let browser;
let context;
let page;
let failures;

before(async () => {
    server = await serve();
    browser = await openBrowser();
});

after(async () => {
    await browser?.close();
    server?.stop();
});

/** Opens the page in a new profile, with a fragment of its address. Errors of the browser go to `failures`. */
async function open(fragment = "", options = {}) {
    await context?.close();
    const found = [];
    failures = found;
    context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.address });
    page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT);
    page.on("pageerror", (error) => found.push(error.message));
    page.on("console", (message) => {
        if (message.type() === "error") {
            found.push(`${message.text()} ${message.location().url}`);
        }
    });
    await page.goto(server.address + fragment);
    await page.getByRole("tab", { name: "Divide" }).waitFor();
}

/** Runs a test with the page open: `pageTest(name, [fragment, [options]], run)`. The browser must not report errors. */
function pageTest(name, ...details) {
    const run = details.pop();
    test(name, async () => {
        await open(...details);
        await run();
        assert.deepEqual(failures, []);
    });
}

const fenField = () => page.getByRole("textbox", { name: "FEN" });
const depthField = () => page.getByRole("spinbutton", { name: "Depth", exact: true }).locator("visible=true");
const button = (name) => page.getByRole("button", { name, exact: true }).locator("visible=true");
const countButton = () => page.locator("button.primary").locator("visible=true");
const tab = (name) => page.getByRole("tab", { name });
const countOf = (move) => page.locator("table.moves tr", { hasText: move }).locator("td").first();
const shows = (text) => page.getByText(text).locator("visible=true").first().waitFor();

/** Waits until the total is `nodes`. */
const total = (nodes) => page.getByText(nodes, { exact: true }).locator("visible=true").first().waitFor();

pageTest("the start position is counted at once", async () => {
    await total("197,281");
    assert.equal(await countOf("e2e4").textContent(), "13,160");
    assert.equal(await page.locator("table.moves tbody tr").count(), 20);
});

pageTest("the FEN of the start position is on one line", "", { viewport: { width: 1280, height: 900 } }, async () => {
    const lines = await fenField().evaluate((area) => {
        area.style.cssText = "height: 0; min-height: 0; padding-block: 0";
        return area.scrollHeight / parseFloat(getComputedStyle(area).lineHeight);
    });
    assert.equal(Math.round(lines), 1);
});

pageTest("a pasted position is counted with all workers", async () => {
    await fenField().fill(KIWIPETE);
    await fenField().press("Enter");
    await total("4,085,603");
    await depthField().fill("5");
    await countButton().click();
    await total("193,690,690");
});

pageTest("a count can be stopped, and the next one works", `${link(KIWIPETE)}&depth=9`, async () => {
    await countButton().click();
    await shows("Counting …");
    // The page answers while the workers count.
    await button("Flip").click();
    await button("Stop").click();
    await shows(/stopped/i);
    await depthField().fill("3");
    await total("97,862");
});

pageTest("walking in, and the back button", async () => {
    await total("197,281");
    await page.getByRole("link", { name: "e2e4" }).click();
    await total("13,160");
    await page.getByRole("link", { name: "e7e5" }).click();
    await total("835");
    await page.waitForURL(/#moves=e2e4,e7e5&depth=2$/);
    await page.goBack();
    await total("13,160");
    await page.goBack();
    await total("197,281");
    await page.goForward();
    await total("13,160");
    await page.getByRole("link", { name: "Root" }).click();
    await total("197,281");
});

/** Clicks a button that copies, and returns what it copied. A text may be copied long after the click. */
async function copied(copyButton) {
    await page.evaluate(() => navigator.clipboard.writeText("nothing"));
    await copyButton.click();
    for (const start = Date.now(); Date.now() - start < TIMEOUT; await page.waitForTimeout(20)) {
        const text = await page.evaluate(() => navigator.clipboard.readText());
        if (text !== "nothing") {
            return text;
        }
    }
    throw new Error("nothing was copied");
}

/** Returns the output of an engine with these bugs. `change` gets our divide as lines. */
async function paste(fragment, change) {
    await page.goto(`${server.address}${fragment}`);
    await page.reload();
    await page.locator("table.moves").waitFor();
    const text = await copied(button("Copy divide").and(page.locator(":not([disabled]):not([aria-disabled=true])")));
    await tab("Compare").click();
    await page.getByLabel("Output of your engine").fill(change(text));
}

pageTest("a bug is followed down and explained: en passant is missing", async () => {
    // The position before a double push. Black's capture en passant is missing below e2e4.
    const fen = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    await paste(`${link(fen)}&depth=2`, (text) => text.replace(/e2e4: (\d+)/, (_, nodes) => `e2e4: ${nodes - 1}`));
    await shows(/1 counted differently/);
    await page.getByRole("link", { name: "Go into e2e4" }).click();
    await page.waitForURL(/moves=e2e4&depth=1&view=compare/);
    await shows(/Now paste what your engine prints/);
    await shows(/position fen .* moves e2e4/);
    await page.getByLabel("Output of your engine").fill("d4d3: 1\ne8d7: 1\ne8d8: 1\ne8e7: 1\ne8f7: 1\ne8f8: 1");
    await shows(/d4e3 en passant is legal/);
    await shows(/no-en-passant/);
    await shows(/;D1 7 .*;id "en-passant"/);
});

pageTest("a count that is wrong only one ply up is not called right", async () => {
    await paste("#depth=2", (text) => text.replace("e2e4: 20", "e2e4: 21"));
    await page.getByRole("link", { name: "Go into e2e4" }).click();
    const right = Array.from("abcdefgh", (file) => `${file}7${file}6: 1\n${file}7${file}5: 1`).join("\n");
    await page.getByLabel("Output of your engine").fill(`${right}\nb8a6: 1\nb8c6: 1\ng8f6: 1\ng8h6: 1`);
    await shows(/one ply up, your engine counts 21 below e2e4, not 20\. So look at playing and taking back/);
});

pageTest("a bug is explained: castling through check", async () => {
    const fen = "4k3/8/8/8/6b1/8/8/R3K3 w Q - 0 1";
    await paste(`${link(fen)}&depth=1`, (text) => `e1c1: 1\n${text.replace(/Nodes.*/, "")}`);
    await shows(/e1c1 is illegal: the king passes d1, which the bishop on g4 attacks/);
});

pageTest("a bug is explained: a pinned piece moves", async () => {
    const fen = "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1";
    await paste(`${link(fen)}&depth=1`, (text) => `e2c3: 1\n${text.replace(/Nodes.*/, "")}`);
    await shows(/e2c3 is illegal: .*pin/);
});

pageTest("the differences are shown first, and the next ply keeps the switch", async () => {
    const switchOfRight = () => page.getByRole("checkbox", { name: "Show 18 right moves, too" });
    const rows = page.locator("table.compare tbody tr").locator("visible=true");
    const moves = () => rows.locator("th").allTextContents();
    const change = (text) => text.replace("e2e4: 20", "e2e4: 19").replace("a2a3: 20", "a2a3: 25");
    await paste("#depth=2", change);
    await switchOfRight().focus();
    assert.deepEqual(await moves(), ["a2a3 →", "e2e4 →"]);
    await page.getByRole("button", { name: "Yours" }).click();
    await page.getByRole("button", { name: "Move" }).click();
    await page.getByRole("button", { name: "Right" }).click();
    assert.equal(await rows.count(), 2);
    await switchOfRight().focus();
    await page.keyboard.press("Space");
    assert.equal(await rows.count(), 20);
    // The whole row is the link.
    await rows.filter({ hasText: "e2e4" }).locator("td").last().click({ force: true });
    await page.waitForURL(/moves=e2e4&depth=1&view=compare&all=1$/);
    assert.equal(await page.evaluate(() => document.activeElement.id), "pasted");
    await page.goBack();
    await page.waitForURL(/#depth=2&view=compare&all=1$/);
    assert.equal(await rows.count(), 20);
});

pageTest("a bug is drawn, and shared by a link", async () => {
    const fen = "4k2r/8/3N4/8/8/8/6K1/8 b k - 0 1";
    await paste(`${link(fen)}&depth=1`, (text) => `e8g8: 1\n${text.replace(/Nodes.*/, "")}`);
    await shows(/castling-out-of-check/);
    assert.equal(await page.locator(".board .overlay").count(), 1);
    const address = await copied(page.locator("button.copy", { hasText: "Copy link" }));
    await open(new URL(address).hash);
    await shows(/e8g8 is illegal: the king on e8 is in check by the knight on d6/);
    await shows(/castling-out-of-check/);
});

/**
 * Answers of a program that castles out of check: about kiwipete at depth 4, and about each position on the way to the
 * illegal moves, one ply deeper.
 */
const WALK = readFileSync(new URL("kiwipete-castles-out-of-check.txt", import.meta.url), "utf8").split("---\n");

pageTest("on a phone, a bug in kiwipete is named, followed to its moves, and shared", "", PHONE, async () => {
    const area = page.getByLabel("Output of your engine");
    const isInSight = async (node) => {
        const { y, height } = await node.boundingBox();
        return y >= -1 && y + height <= PHONE.viewport.height;
    };
    await page.goto(`${server.address}${link(KIWIPETE)}&depth=4&view=compare`);
    for (const [ply, text] of WALK.entries()) {
        await area.fill(text);
        await shows(/castling-out-of-check/);
        if (ply < 3) {
            // Its position and the text field for it are in sight.
            const moves = ["c3b5", "f6d5", "b5c7"].slice(0, ply + 1);
            await page.getByRole("link", { name: `Go into ${moves[ply]}` }).click();
            await page.waitForURL(new RegExp(`moves=${moves}&depth=${3 - ply}`));
            assert.ok(await isInSight(page.locator(".board")), "the board");
            assert.equal(await page.evaluate(() => document.activeElement.id), "pasted");
        }
    }
    const sentence = page.getByText("e8c8 is illegal: the king on e8 is in check by the knight on c7");
    await sentence.first().scrollIntoViewIfNeeded();
    const drawn = page.locator(".drawn svg.small-board");
    await drawn.scrollIntoViewIfNeeded();
    assert.ok((await isInSight(drawn)) && (await isInSight(sentence.first())), "the drawing is beside its sentence");
    const address = await copied(page.locator("button.copy", { hasText: "Copy link" }));
    await open(new URL(address).hash, PHONE);
    await shows(/e8c8 is illegal: the king on e8 is in check by the knight on c7/);
    await shows(/castling-out-of-check/);
});

pageTest("on a desktop, the path and the board stay in sight after a walk", link(KIWIPETE), async () => {
    await total("4,085,603");
    await page.locator("table.moves tbody tr").last().scrollIntoViewIfNeeded();
    await page.locator("table.moves a.move").last().click();
    await page.waitForURL(/moves=\w+&depth=3/);
    await page.evaluate(() => scrollTo(0, 400));
    for (const part of [".path [aria-current]", ".board"]) {
        const { y, height } = await page.locator(part).boundingBox();
        assert.ok(y >= 0 && y + height <= 900, `${part} is at ${y}`);
    }
});

pageTest("the numbers of Diagnose are shared by a link", "#view=diagnose&claims=4:197742", async () => {
    await page.locator("ol.causes li").first().waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Number 1" }).inputValue(), "197742");
});

pageTest("shortcuts of a single key can be switched off", async () => {
    await total("197,281");
    await page.getByText("Keyboard").click();
    await page.getByRole("checkbox", { name: "Shortcuts of a single key" }).uncheck();
    await page.locator("h1").click();
    await page.keyboard.press("[");
    await page.reload();
    await total("197,281");
    await page.keyboard.press("[");
    assert.equal(await depthField().inputValue(), "4");
});

pageTest("a FEN of an illegal position shows its pieces", `${link("P3k3/8/8/8/8/8/8/4K3 w - - 0 1")}`, async () => {
    await page.locator('[data-square="a8"][data-mark="fault"][data-piece="P"]').waitFor();
});

pageTest("on a phone, a walk leads to the board", "#depth=3", PHONE, async () => {
    await total("8,902");
    await page.getByRole("link", { name: "h2h4" }).scrollIntoViewIfNeeded();
    await page.getByRole("link", { name: "h2h4" }).click();
    await total("420");
    const { y, height } = await page.locator(".board").boundingBox();
    assert.ok(y >= -1 && y + height <= 844, `the board is at ${y}`);
});

pageTest("a depth above the limit is explained in every view", async () => {
    const limit = /This page counts to depth 12\..*The program perft counts deeper/;
    const isGone = () => page.getByText(limit).locator("visible=true").waitFor({ state: "detached" });
    await total("197,281");
    await depthField().fill("13");
    await shows(limit);
    assert.equal(await countButton().getAttribute("aria-disabled"), "true");
    await depthField().press("Enter");
    assert.equal(await page.getByText("Counting …").locator("visible=true").count(), 0);
    assert.match(await page.locator(".share .command").textContent(), /^perft divide '.*' 13$/);
    await depthField().fill("3");
    await total("8,902");
    await isGone();

    await open("#depth=12&view=stats");
    await isGone();
    await page.keyboard.press("]");
    await shows(limit);
    assert.equal(await page.locator("table.stats tbody tr").count(), 0);
    await page.keyboard.press("[");
    await isGone();

    await open("#depth=99&view=compare");
    await shows(limit);
    await page.getByLabel("Output of your engine").fill("e2e4: 600");
    await button("Stop").and(page.locator("[aria-disabled=true]")).waitFor();

    await tab("Diagnose").click();
    await page.getByRole("textbox", { name: "Number 1" }).fill("197742");
    await button("Diagnose").click();
    await shows(limit);
});

pageTest("a text without a count is not taken for an answer", async () => {
    await tab("Compare").click();
    await page.getByLabel("Output of your engine").fill("Unknown command: 'go perft 4'.");
    await shows("There is no count in this text.");
    assert.equal(await page.locator("table.compare").count(), 0);
});

pageTest("a link that makes no sense is explained", "#fen=x&depth=99&view=nothing&flip=2", async () => {
    await shows(/'x' is not a piece/);
    await open("#moves=e2e4,e1e3");
    await shows(/Move 2: e1e3 is illegal/);
});

pageTest("the bugs behind a wrong number are named", async () => {
    await tab("Diagnose").click();
    await page.getByRole("spinbutton", { name: "Depth of number 1" }).fill("4");
    await page.getByRole("textbox", { name: "Number 1" }).fill("197742");
    await button("Diagnose").click();
    await page.locator("ol.causes li").first().waitFor();
    assert.match(await page.locator("ol.causes").textContent(), /^pseudo-legal/);
});

pageTest("kinds of moves are counted", `${link(KIWIPETE)}&depth=3&view=stats`, async () => {
    await shows(/Counted in/);
    const rows = await page.locator("table.stats tbody tr").allTextContents();
    assert.equal(rows.length, 16);
    assert.match(rows[0], /48.*2,039.*97,862/);
    assert.match(rows[1], /8.*351.*17,102/);
    assert.match(rows[6], /direct.*0.*3.*993/);
});

pageTest("the built-in positions are listed and open", async () => {
    await tab("Positions").click();
    await shows(/a mate within three plies/);
    const kiwipete = page.locator(".position-list li", { has: page.getByRole("link", { name: "kiwipete" }) });
    assert.equal(await kiwipete.locator(".small-board .piece").count(), 32);
    await page.getByRole("link", { name: "kiwipete" }).click();
    await shows(/4,085,603/);
    await page.waitForURL(/fen=r3k2r/);
});

pageTest("every fault of a FEN is shown under its place", async () => {
    await fenField().fill("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1");
    await fenField().press("Enter");
    await shows(/rank 7 has 9 squares, not 8/);
    await shows(/'x' is not a side to move/);
    await shows(/There is no position to count/);
    assert.deepEqual(await page.locator(".faults mark").allTextContents(), ["ppppppppp", "x"]);
    assert.deepEqual(await page.locator(".faults").evaluate((box) => [box.scrollWidth - box.clientWidth]), [0]);
    await fenField().fill("startpos");
    await fenField().fill(KIWIPETE);
    await fenField().press("Enter");
    await total("4,085,603");
});

pageTest("a move on the board: legal, illegal, promotion", async () => {
    const square = (name) => page.locator(`[data-square="${name}"]`);
    await square("e2").click();
    await square("e4").click();
    await total("405,385");
    await square("c7").dragTo(square("c5"));
    await total("482,325");
    await square("d8").click();
    await square("h4").click();
    await shows(/d8h4 is illegal/);
    await open(`${link("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")}&depth=1`);
    await page.locator('[data-square="a7"]').click();
    await page.locator('[data-square="a8"]').click();
    await page.getByRole("button", { name: "knight" }).click();
    await page.waitForURL(/moves=a7a8n/);
});

pageTest("a position is set up by hand", async () => {
    await button("Set up").click();
    await button("Clear").click();
    const put = async (piece, square) => {
        await page.getByRole("button", { name: piece, exact: true }).click();
        await page.locator(`[data-square="${square}"]`).click();
    };
    await put("white king", "e1");
    await put("black king", "e8");
    await put("white rook", "a1");
    await button("Done").click();
    await page.waitForURL(/fen=4k3\/8\/8\/8\/8\/8\/8\/R3K3_w_-_-/);
});

pageTest("a link opens the same view", `${link(KIWIPETE)}&moves=e1g1&depth=2&flip=1&sort=count`, async () => {
    await total("2,059");
    const address = await copied(button("Copy link"));
    await open(new URL(address).hash);
    await total("2,059");
    assert.equal(await page.getByRole("columnheader", { name: "Count" }).getAttribute("aria-sort"), "descending");
    assert.equal(await page.locator("[data-square]").first().getAttribute("data-square"), "h1");
});

pageTest("the divide is copied in the formats of other programs", async () => {
    const divideAs = async (format) => {
        await page.getByLabel("Divide as").selectOption({ label: format });
        // For a moment after a copy, its name is "Copied".
        return copied(page.locator("button.copy", { hasText: "Copy divide" }).locator("visible=true"));
    };
    await depthField().fill("2");
    await total("400");
    assert.match(await divideAs("Stockfish"), /^a2a3: 20\n[^]*\n\nNodes searched: 400\n*$/);
    assert.match(await divideAs("qperft"), /2\. a2a3 moves = {9}20\n[^]*perft\( 2\)= {10}400/);
    assert.equal(JSON.parse(await divideAs("JSON")).moves.length, 20);
});

pageTest("commands have the moves of UCI", `${link("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")}&moves=a8=Q%2B&depth=1`, async () => {
    const command = "perft divide '4k3/P7/8/8/8/8/8/4K3 w - - 0 1' moves a7a8q 1";
    assert.equal(await page.locator(".share .command").textContent(), command);
    await tab("Compare").click();
    await shows("position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8q");
});

pageTest("the keyboard alone is enough", async () => {
    await total("197,281");
    await page.locator('[data-square="e2"]').focus();
    for (const key of ["Enter", "ArrowUp", "ArrowUp", "Enter"]) {
        await page.keyboard.press(key);
    }
    await total("405,385");
    await tab("Divide").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await tab("Compare").getAttribute("aria-selected"), "true");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("[");
    await total("13,160");
    await page.keyboard.press("u");
    await total("197,281");
});

pageTest("after loading, nothing is fetched, and it works without a network", async () => {
    // A service worker takes over the page when it has all files.
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
    await total("197,281");
    // Some time after a reload, the browser itself asks for a new version. Being offline here does not prevent that.
    const fetchedByPage = () => server.fetched.filter((name) => name !== "sw.js");
    const before = fetchedByPage();
    await context.setOffline(true);
    await page.getByRole("link", { name: "d2d4" }).click();
    await total("12,435");
    // Stopping ends the workers, so new ones are started.
    await depthField().fill("9");
    await countButton().click();
    await shows("Counting …");
    await button("Stop").click();
    await depthField().fill("3");
    await page.reload();
    await total("12,435");
    await depthField().fill("4");
    await total("361,790");
    assert.deepEqual(fetchedByPage(), before);
    assert.ok(!before.includes("perft-scalar.wasm"));
    // A book beside the page is not one of its files.
    await context.setOffline(false);
    for (const text of ["first edition", "second edition"]) {
        server.others.set("book/index.html", text);
        assert.equal(await page.evaluate(async () => (await fetch("book/")).text()), text);
    }
    failures = failures.filter((failure) => !failure.endsWith("/sw.js"));
});

pageTest("nothing moves while the page loads and counts", async () => {
    await page.addInitScript(() => {
        const found = [];
        const add = (entries) => found.push(...entries.map(({ value }) => value));
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: "layout-shift", buffered: true });
        // The first frame shows the last change, and the second one begins after it has been measured.
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        globalThis.shifts = async () => {
            await frame();
            await frame();
            add(observer.takeRecords());
            return found;
        };
    });
    await page.goto(`${server.address}${link(KIWIPETE)}`);
    await page.reload();
    await total("4,085,603");
    const shifts = await page.evaluate(() => globalThis.shifts());
    assert.ok(shifts.reduce((sum, shift) => sum + shift, 0) < 0.02, `layout shifts: ${shifts}`);
});

for (const width of [320, 360, 412]) {
    const viewport = { width, height: 640 };
    pageTest(`every view shows everything on a phone: ${width} px`, `${link(KIWIPETE)}&depth=5`, { viewport }, async () => {
        const expectFit = async (view) => assert.deepEqual(await page.evaluate(misfits), [], view);
        await expectFit("before a count");
        await countButton().click();
        await total("193,690,690");
        await expectFit("divide");
        await page.getByRole("link", { name: "e1g1" }).click();
        await total("4,119,629");
        await expectFit("walk");
        await tab("Stats").click();
        await shows(/Counted in/);
        await expectFit("stats");
        await page.goto(`${server.address}#depth=2&view=diagnose`);
        await page.getByRole("textbox", { name: "Number 1" }).fill("340282366920938463463374607");
        await button("Diagnose").click();
        await shows(/too many/);
        await expectFit("diagnose");
        await tab("Positions").click();
        await page.getByRole("link", { name: "kiwipete" }).waitFor();
        await expectFit("positions");
        const change = (text) => text.replace("a2a3: 94405", "a2a5: 1").replace("e1g1: 86", "e1g1: 68");
        await paste(`${link(KIWIPETE)}&depth=4`, change);
        await shows(/Of 48 moves/);
        await expectFit("compare");
        await button("Set up").click();
        await button("Clear").click();
        await expectFit("set-up");
        await page.goto(`${server.address}${link(KIWIPETE.replace("w", "x"))}&view=divide`);
        await shows(/'x' is not a side to move/);
        await expectFit("a FEN with a fault");
        await page.goto(`${server.address}#depth=123456789`);
        await shows(/This page counts to depth 12/);
        await expectFit("a depth above the limit");
    });
}

/**
 * Runs in the page. Returns the elements that are not fully visible: elements that are wider than the window, numbers
 * with a line break inside, tables that scroll without a hint, and tabs below the first screen.
 */
async function misfits() {
    // The hint above a table appears in the first frame in which the table is wide.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const all = [...document.body.querySelectorAll("*")].filter((node) => node.checkVisibility());
    const name = (node) => `${node.localName}.${node.className}`;
    const isInBox = (node) => node.closest(".visually-hidden") || isScrolled(node.parentElement);
    const isScrolled = (node) => node && (getComputedStyle(node).overflowX === "auto" || isScrolled(node.parentElement));
    const isOutside = ({ left, right }) => left < -0.5 || right > document.documentElement.clientWidth + 0.5;
    const wide = all.filter((node) => isOutside(node.getBoundingClientRect()) && !isInBox(node));
    const texts = all.flatMap((node) => [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE));
    const lines = (text, { index, 0: { length } }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + length);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    };
    const numbers = texts.flatMap((text) => [...text.data.matchAll(/\d[\d,]+/g)].map((number) => ({ text, number })));
    const broken = numbers.filter(({ text, number }) => lines(text, number) > 1);
    const boxes = all.filter((node) => node.querySelector(":scope > table") && node.scrollWidth > node.clientWidth);
    const silent = boxes.filter(({ previousElementSibling: hint }) => hint.hidden || !/^Scroll/.test(hint.textContent));
    scrollTo(0, 0);
    const tabs = all.filter((node) => node.role === "tablist" && node.getBoundingClientRect().bottom > innerHeight);
    return [
        ...[...wide, ...silent, ...tabs].map(name),
        ...broken.map(({ number }) => number[0]),
        ...(document.documentElement.scrollWidth > innerWidth ? ["the page"] : []),
    ];
}

for (const [colorScheme, width] of [["light", 1200], ["dark", 360]]) {
    const options = { colorScheme, viewport: { width, height: 800 } };
    pageTest(`all views are accessible and fit: ${colorScheme}, ${width} px`, `${link(KIWIPETE)}&depth=2`, options, async () => {
        for (const view of ["divide", "compare", "diagnose", "stats", "positions"]) {
            await page.goto(`${server.address}${link(KIWIPETE)}&depth=2&view=${view}`);
            await tab(view[0].toUpperCase() + view.slice(1)).waitFor();
            const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(overflow <= 0, `${view} is ${overflow} px too wide`);
            assert.deepEqual(await accessibilityErrors(), [], view);
        }
        await page.goto(`${server.address}${link("4k2r/8/3N4/8/8/8/6K1/8 b k - 0 1")}&depth=1&view=compare`);
        await page.getByLabel("Output of your engine").fill("e8g8: 1\ne8d7: 1\ne8d8: 1\ne8e7: 1\ne8f8: 1");
        await shows(/castling-out-of-check/);
        assert.deepEqual(await accessibilityErrors(), [], "a comparison");
        await page.goto(`${server.address}#view=diagnose&claims=4:197742`);
        await page.locator("ol.causes li").locator("visible=true").first().waitFor();
        assert.deepEqual(await accessibilityErrors(), [], "mistakes");
        await page.goto(`${server.address}${link("P3k3/8/8/8/8/8/8/4K3 x - - 0 1")}`);
        await shows(/'x' is not a side to move/);
        assert.deepEqual(await accessibilityErrors(), [], "a FEN with faults");
        await page.goto(`${server.address}${link("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")}&depth=9`);
        await shows(/Not counted yet/);
        await page.locator('[data-square="a7"]').click();
        await page.locator('[data-square="a8"]').click();
        await page.getByRole("button", { name: "knight" }).waitFor();
        assert.deepEqual(await accessibilityErrors(), [], "a promotion");
        await page.keyboard.press("Escape");
        await button("Set up").click();
        assert.deepEqual(await accessibilityErrors(), [], "set-up");
    });
}

/** Returns the findings of axe. It is injected around the page's security policy, as a debugger does. */
async function accessibilityErrors() {
    const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
    const session = await context.newCDPSession(page);
    await session.send("Runtime.evaluate", { expression: axe });
    const { result } = await session.send("Runtime.evaluate", {
        expression: "axe.run().then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => [id, nodes[0].html])))",
        awaitPromise: true,
    });
    return JSON.parse(result.value);
}

test("the page is small", () => {
    const files = ["index.html", "main.js", "worker.js", "page.css", "perft.wasm", "icon.svg", "pieces.svg", "manifest.webmanifest", "sw.js"];
    const bytes = files.map((name) => gzipSync(readFileSync(`${PAGE}/${name}`), { level: 9 }).length);
    const sum = bytes.reduce((all, one) => all + one);
    assert.ok(sum < 384_000, `${sum} bytes`);
});
