// Counts in the workers, one job at a time, and keeps the results of earlier jobs.

import { depthLimit } from "./limit.js";

// The number of results that are kept. It is enough for a long walk. A result takes a few kilobytes.
const MAX_RESULTS = 300;

export class Jobs {
    #pool;
    #onChange;
    #results = new Map();
    #current = null;

    /** Counts with `pool`, and calls `onChange(result)` when a result has changed. */
    constructor(pool, onChange) {
        this.#pool = pool;
        this.#onChange = onChange;
    }

    /**
     * Returns the result of a job so far, or `null`. A result has the state that the pool gives, `isRunning`,
     * `isComplete`, `isByUser` (stopped by the user) and `failure` (a message).
     *
     * `kind` is "divide" or "statistics", `query` has the position: `fen`, `moves` and `chess960`.
     */
    known(kind, query, depth) {
        return this.#results.get(keyOf(kind, query, depth)) ?? null;
    }

    /** Starts a job, unless it is too deep, complete or already running. The previous job is stopped. */
    start(kind, query, depth) {
        const key = keyOf(kind, query, depth);
        const known = this.#results.get(key);
        if (depthLimit(depth) !== null || known?.isComplete || known?.isRunning) {
            return;
        }
        this.#end(false);
        this.#run(key, kind, query, depth);
    }

    /** Stops the running job at the request of the user. */
    stop() {
        this.#end(true);
    }

    /** Answers a long question in a worker. Returns `{ result, stop }`, as the pool does. Stops the previous job. */
    ask(request) {
        this.#end(false);
        return this.#pool.ask(request);
    }

    #run(key, kind, query, depth) {
        const token = { key, job: null };
        this.#current = token;
        const isCurrent = () => this.#current === token;
        this.#keep(key, { isRunning: true });
        token.job = this.#pool[kind](query, depth, (state) => {
            if (isCurrent()) {
                this.#keep(key, { ...state, isRunning: true });
            }
        });
        token.job.result.then(
            (state) => isCurrent() && this.#finish(key, finished(state)),
            (error) => isCurrent() && this.#finish(key, { failure: String(error?.message ?? error) }),
        );
    }

    #finish(key, result) {
        this.#current = null;
        this.#keep(key, result);
    }

    #end(isByUser) {
        const token = this.#current;
        if (token !== null) {
            this.#current = null;
            token.job?.stop();
            const state = this.#results.get(token.key);
            this.#keep(token.key, { ...state, isRunning: false, stopped: true, isByUser });
        }
    }

    #keep(key, state) {
        const result = { isRunning: false, isComplete: false, isByUser: false, failure: null, ...state };
        this.#results.delete(key);
        this.#results.set(key, result);
        if (this.#results.size > MAX_RESULTS) {
            this.#results.delete(this.#results.keys().next().value);
        }
        this.#onChange(result);
    }
}

function finished(state) {
    return state.error ? { failure: state.error.message } : { ...state, isComplete: !state.stopped };
}

/** Returns a text that is equal for equal positions. */
export function positionKey({ fen, moves, chess960 }) {
    return `${fen}|${moves.join(" ")}|${chess960}`;
}

function keyOf(kind, query, depth) {
    return `${kind}|${depth}|${positionKey(query)}`;
}
