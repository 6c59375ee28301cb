// The WebAssembly module: questions and answers as JSON.
//
// Each thread has its own instance: the page for short questions, and each worker for counts.

const WITH_SIMD = "perft.wasm";
const WITHOUT_SIMD = "perft-scalar.wasm";

/** A module with one instruction of 128-bit SIMD, i8x16.popcnt. It is valid only if WebAssembly has SIMD. */
const SIMD_PROBE = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/**
 * Loads the module for this browser.
 *
 * @returns {Promise<{ask: function(object): object, module: WebAssembly.Module}>} `ask` answers short questions at once;
 *     `module` is for workers
 */
export async function load() {
    const name = WebAssembly.validate(SIMD_PROBE) ? WITH_SIMD : WITHOUT_SIMD;
    const response = await fetch(new URL(name, import.meta.url));
    if (!response.ok) {
        throw new Error(`${name} cannot be loaded: ${response.status}`);
    }
    // Unlike compileStreaming, this also works if the server does not know the type of the file.
    const module = await WebAssembly.compile(await response.arrayBuffer());
    return { ask: await start(module), module };
}

/**
 * Makes an instance of the module.
 *
 * @param {WebAssembly.Module} module
 * @returns {Promise<function(object): object>} the function that answers questions
 */
export async function start(module) {
    const { exports } = await WebAssembly.instantiate(module, {});
    const encoder = new TextEncoder();
    const decoder = new TextDecoder();
    return (question) => {
        const text = encoder.encode(JSON.stringify(question));
        const place = exports.allocate(text.length);
        new Uint8Array(exports.memory.buffer).set(text, place);
        const answer = exports.ask(place, text.length);
        return JSON.parse(decoder.decode(new Uint8Array(exports.memory.buffer, answer, exports.answer_length())));
    };
}
