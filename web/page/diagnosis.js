// The answer to "diagnose" as nodes: the numbers, the causes, and the counts that would distinguish them.
import { counted, formatCount, h } from "./dom.js";

// More causes say no more about the bug.
const MAX_CAUSES = 12;

/** Returns the nodes of an answer. */
export function diagnosis({ claims, causes, telling }, store) {
    return [
        h("ul", { class: "claim-list" }, claims.map(claimItem)),
        causes.length > 0 && [h("h3", null, "Mistakes"), causeList(causes)],
        telling.length > 0 && [
            h("h3", null, "Count these to tell them apart"),
            h(
                "ul",
                { class: "telling" },
                telling.map((entry) => tellingItem(entry, store)),
            ),
        ],
    ];
}

/** Returns a list of the first causes. */
export function causeList(causes) {
    const more = causes.length - MAX_CAUSES;
    return [
        h("ol", { class: "causes" }, causes.slice(0, MAX_CAUSES).map(causeItem)),
        more > 0 && h("p", { class: "muted" }, `… and ${counted(more, "other mistake")}`),
    ];
}

function causeItem({ name, about, topic }) {
    return h("li", null, h("strong", null, name), h("span", { class: "tag" }, topic), h("p", null, about));
}

function claimItem({ depth, nodes, right, tried, triesRules }) {
    if (right === null || right === undefined) {
        return h("li", null, `Depth ${depth}: ${formatCount(nodes)}. This depth is too large to count here.`);
    }
    const difference = BigInt(nodes) - BigInt(right);
    if (difference === 0n) {
        return h("li", { class: "is-right" }, `✓ Depth ${depth}: ${formatCount(nodes)} is right.`);
    }
    const size = formatCount(difference < 0n ? -difference : difference);
    const how = difference < 0n ? "too few" : "too many";
    const models = triesRules ? counted(tried, "model") : "Only ways of adding up";
    const were = triesRules && tried === 1 ? "was" : "were";
    const note = ` ${models} ${were} tried.`;
    return h(
        "li",
        { class: "is-wrong" },
        `✗ Depth ${depth}: ${signed(nodes)}, ${size} ${how}; right is ${formatCount(right)}.${note}`,
    );
}

function tellingItem({ position: { name, fen }, depth, expected, predicted }, store) {
    const href = store.link({ fen, moves: [], depth, view: "divide" });
    return h(
        "li",
        null,
        h("a", { href }, name),
        ` at depth ${depth}; right is ${formatCount(expected)}`,
        h("p", { class: "mono fen" }, fen),
        h(
            "ul",
            null,
            byNumber(predicted).map(([nodes, causes]) => h("li", null, `${nodes}: mistake ${causes.join(", ")}`)),
        ),
    );
}

// Returns the different numbers, each with the places of the causes that give it.
function byNumber(predicted) {
    const groups = new Map();
    for (const [at, nodes] of predicted.entries()) {
        const key = nodes === null ? "another number" : signed(String(nodes));
        groups.set(key, [...(groups.get(key) ?? []), at + 1]);
    }
    return [...groups];
}

function signed(text) {
    return text.startsWith("-") ? `−${formatCount(text.slice(1))}` : formatCount(text);
}
