// A worker. It gets the module once, then answers questions in the order in which they arrive.

import { start } from "./perft.js";

let ask;

self.onmessage = async ({ data }) => {
    if (data.module) {
        ask = start(data.module);
        return;
    }
    try {
        const answered = await ask;
        self.postMessage({ id: data.id, answer: answered(data.question) });
    } catch (error) {
        self.postMessage({ failure: String(error) });
    }
};
