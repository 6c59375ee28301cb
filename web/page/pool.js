// Counts in workers. The positions after one or two moves are counted separately, each by the next free worker.

/** The most messages per second that a caller gets about the progress of a count. */
const UPDATES_PER_SECOND = 10;

/** The depth from which a count is split by its first two moves instead of one, so that no worker is idle. */
const DEEP = 6;

/** The number of questions that a worker has at a time. One waits while another is answered. */
const QUESTIONS_PER_WORKER = 2;

/** The workers of the page. They do one job at a time. A new job stops the previous one. */
export class Pool {
    #module;
    #size;
    #workers = [];
    #stop = () => {};

    /**
     * @param {WebAssembly.Module} module
     * @param {number} size the number of workers, which start at the first job
     */
    constructor(module, size = navigator.hardwareConcurrency || 1) {
        this.#module = module;
        this.#size = size;
    }

    /** The number of workers. */
    get size() {
        return this.#size;
    }

    /**
     * Counts the leaf nodes below each legal move.
     *
     * @param {{fen: string, moves: string[], chess960: boolean}} position
     * @param {number} depth in plies, at least 1
     * @param {function(object): void} onProgress gets the state of the count: `moves` with `nodes` so far, and the sums
     * @returns {{result: Promise<object>, stop: function(): void}} the last state, with `stopped` if it was stopped
     */
    divide(position, depth, onProgress = () => {}) {
        const plies = depth < DEEP ? 1 : 2;
        return this.#count(position, plies, (moves, parts) => {
            const rows = moves.map((move) => ({ move, nodes: 0n, isDone: true, left: 0 }));
            for (const { root } of parts) {
                rows[root].left += 1;
                rows[root].isDone = false;
            }
            return {
                onProgress,
                questions: parts.map(({ fen }) => ({ ask: "count", fen, depth: depth - plies })),
                add(index, { nodes }) {
                    const row = rows[parts[index].root];
                    row.nodes += BigInt(nodes);
                    row.left -= 1;
                    row.isDone = row.left === 0;
                },
                state: () => ({
                    moves: rows.map(({ move, nodes, isDone }) => ({ move, nodes, isDone })),
                    nodes: rows.reduce((sum, { nodes }) => sum + nodes, 0n),
                }),
            };
        });
    }

    /**
     * Counts the leaf nodes by the kind of the last move.
     *
     * @param {{fen: string, moves: string[], chess960: boolean}} position
     * @param {number} depth in plies
     * @param {function(object): void} onProgress gets the state of the count: `counts` so far, by name
     * @returns {{result: Promise<object>, stop: function(): void}} the last state, with `stopped` if it was stopped
     */
    statistics(position, depth, onProgress = () => {}) {
        // The last move must be made below the positions of the parts.
        const plies = Math.max(0, Math.min(depth - 1, depth < DEEP ? 1 : 2));
        return this.#count(position, plies, (_, parts) => {
            const counts = {};
            return {
                onProgress,
                questions: parts.map(({ fen }) => ({ ask: "statistics", fen, depth: depth - plies })),
                add(_, found) {
                    for (const [name, count] of Object.entries(found)) {
                        counts[name] = (counts[name] ?? 0n) + BigInt(count);
                    }
                },
                state: () => ({ counts: { ...counts } }),
            };
        });
    }

    /**
     * Asks one question in a worker.
     *
     * @param {object} question
     * @returns {{result: Promise<{answer: object, stopped: boolean}>, stop: function(): void}}
     */
    ask(question) {
        return this.#run(async (job) => {
            let found;
            await job.answerAll([question], (_, answer) => {
                found = answer;
            });
            return { answer: found };
        });
    }

    /** Splits a position, lets the workers count the parts, and reports the state during the count. */
    #count(position, plies, plan) {
        return this.#run(async (job) => {
            let split;
            await job.answerAll([{ ask: "split", ...position, plies }], (_, answer) => {
                split = answer;
            });
            if (job.isStopped || split.error) {
                return { ...split, nodes: 0n, moves: [], counts: {}, seconds: 0, share: 0 };
            }
            // The workers have started.
            const begin = performance.now();
            const { questions, add, state, onProgress } = plan(split.moves, split.parts);
            let done = 0;
            let last = begin;
            const now = () => ({
                ...state(),
                seconds: (performance.now() - begin) / 1000,
                share: questions.length ? done / questions.length : 1,
                stopped: job.isStopped,
            });
            await job.answerAll(questions, (index, answer) => {
                add(index, answer);
                done += 1;
                if (performance.now() - last >= 1000 / UPDATES_PER_SECOND) {
                    last = performance.now();
                    onProgress(now());
                }
            });
            return now();
        });
    }

    /** Stops the previous job and starts a new one. */
    #run(work) {
        this.#stop();
        const job = new Job(() => this.#ready(), () => this.#end());
        const stop = () => job.stop();
        this.#stop = stop;
        const result = work(job).then((state) => {
            job.isFinished = true;
            return { ...state, stopped: job.isStopped };
        });
        return { result, stop };
    }

    /** Returns the workers, and starts them if there are none. */
    #ready() {
        while (this.#workers.length < this.#size) {
            const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
            worker.postMessage({ module: this.#module });
            this.#workers.push(worker);
        }
        return this.#workers;
    }

    /** Ends the workers. This is the only way to stop a count. */
    #end() {
        this.#workers.forEach((worker) => worker.terminate());
        this.#workers = [];
    }
}

/** Questions that workers answer until the job is stopped. */
class Job {
    isStopped = false;
    isFinished = false;
    #isAtWork = false;
    #workers;
    #end;
    #resolve = () => {};

    constructor(workers, end) {
        this.#workers = workers;
        this.#end = end;
    }

    /** Ends the workers if they are working. Later questions are not asked. */
    stop() {
        if (this.isStopped || this.isFinished) {
            return;
        }
        this.isStopped = true;
        if (this.#isAtWork) {
            this.#end();
            this.#resolve();
        }
    }

    /** Resolves when all questions are answered or the job is stopped. `onAnswer` gets each index and its answer. */
    answerAll(questions, onAnswer) {
        return new Promise((resolve, reject) => {
            this.#isAtWork = true;
            this.#resolve = resolve;
            let next = 0;
            let left = questions.length;
            const finish = (settle) => {
                this.#isAtWork = false;
                settle();
            };
            const give = (worker) => {
                if (next < questions.length) {
                    worker.postMessage({ id: next, question: questions[next] });
                    next += 1;
                }
            };
            if (left === 0 || this.isStopped) {
                finish(resolve);
                return;
            }
            const workers = this.#workers();
            const fail = (message) => {
                this.#end();
                finish(() => reject(new Error(message)));
            };
            for (const worker of workers) {
                worker.onmessage = ({ data }) => {
                    if (data.failure) {
                        fail(data.failure);
                        return;
                    }
                    give(worker);
                    onAnswer(data.id, data.answer);
                    left -= 1;
                    if (left === 0) {
                        finish(resolve);
                    }
                };
                worker.onerror = ({ message }) => fail(message || "a worker could not be started");
            }
            for (let round = 0; round < QUESTIONS_PER_WORKER; round += 1) {
                workers.forEach(give);
            }
        });
    }
}
