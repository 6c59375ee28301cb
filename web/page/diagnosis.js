// The answer to "diagnose" as nodes: the numbers, the candidates, and the counts that would distinguish them.
import { formatCount, h } from "./dom.js";

/** Returns the nodes of an answer. */
export function diagnosis({ claims, candidates, telling }, store) {
    return [
        h("ul", { class: "claim-list" }, claims.map(claimItem)),
        candidates.length > 0 && [
            h("h3", null, "Mistakes"),
            h(
                "ol",
                { class: "candidates" },
                candidates.map((candidate) => candidateItem(candidate, claims)),
            ),
        ],
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

function claimItem({ depth, nodes, right, isTried }) {
    if (right === null || right === undefined) {
        return h("li", null, `Depth ${depth}: ${formatCount(nodes)}. This depth is too large to count here.`);
    }
    const difference = BigInt(nodes) - BigInt(right);
    if (difference === 0n) {
        return h("li", { class: "is-right" }, `✓ Depth ${depth}: ${formatCount(nodes)} is right.`);
    }
    const size = formatCount(difference < 0n ? -difference : difference);
    const how = difference < 0n ? "too few" : "too many";
    const note = isTried === false ? " No mistake was tried at this depth." : "";
    return h(
        "li",
        { class: "is-wrong" },
        `✗ Depth ${depth}: ${formatCount(nodes)}, ${size} ${how}; right is ${formatCount(right)}.${note}`,
    );
}

function candidateItem({ name, about, topic, explains, of, numbers }, claims) {
    const found = numbers
        .map((nodes, at) => (nodes === null ? null : `depth ${claims[at]?.depth}: ${formatCount(nodes)}`))
        .filter(Boolean);
    return h(
        "li",
        null,
        h("strong", null, name),
        topic && h("span", { class: "tag" }, topic),
        h("p", null, about),
        of > 1 &&
            h(
                "p",
                { class: "muted" },
                `Explains ${explains} of ${of} numbers${found.length > 0 ? `: ${found.join(", ")}` : ""}.`,
            ),
    );
}

function tellingItem({ name, fen, depth, right, numbers }, store) {
    const href = store.link({ fen, moves: [], depth, view: "divide" });
    return h(
        "li",
        null,
        h("a", { href }, name),
        ` at depth ${depth}; right is ${formatCount(right)}`,
        h("p", { class: "mono fen" }, fen),
        h(
            "ul",
            null,
            numbers.map(([mistake, nodes]) => h("li", null, `${formatCount(nodes)}: ${mistake}`)),
        ),
    );
}
