// The largest depth that the page counts.

const MAX_DEPTH = 12;

/** Returns why the page does not count to this depth and what the user can do instead, or `null` if it does count. */
export function depthLimit(depth) {
    if (depth <= MAX_DEPTH) {
        return null;
    }
    return (
        `This page counts to depth ${MAX_DEPTH}. A browser needs years for a deeper count of most positions. ` +
        "The program perft counts deeper: copy its command under “Copy and share”."
    );
}
