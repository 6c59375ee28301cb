// Long texts of a link: compressed, and written with the letters that a fragment may contain.

// A link that somebody else made must not fill the memory.
const MAX_LENGTH = 1_000_000;

/** Returns a text for a link. */
export async function packText(text) {
    const bytes = await read(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")));
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
        .replaceAll("+", "-")
        .replaceAll("/", ".")
        .replaceAll("=", "");
}

/** Returns the text of a link, or an empty one if it cannot be read. */
export async function unpackText(packed) {
    try {
        const letters = atob(packed.replaceAll("-", "+").replaceAll(".", "/"));
        const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
        return new TextDecoder().decode(await read(stream));
    } catch {
        return "";
    }
}

async function read(stream) {
    const parts = [];
    let length = 0;
    for (const reader = stream.getReader(); ; ) {
        const { done, value } = await reader.read();
        length += value?.length ?? 0;
        if (length > MAX_LENGTH) {
            throw new RangeError("the text is too long");
        }
        if (done) {
            return new Uint8Array(await new Blob(parts).arrayBuffer());
        }
        parts.push(value);
    }
}
