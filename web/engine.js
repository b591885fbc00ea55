// SPDX-License-Identifier: GPL-3.0-or-later
// The engine: WebAssembly in two workers, so that a slider never waits for a long answer. The data are in the page, or
// in files beside it.
import { unlzma } from "./lzma.js";
import { t } from "./words.js";

/** `status` is the exit code that the program would have. @typedef {{status: number, messages: {severity: number, line: number, column: number, text: string}[], summary?: any,
 *     machine?: string, verdict?: string, resolved?: string, why?: string, curves?: Record<string, import("./fans.js").Curve>}} Point */
export const WITH = { ranges: 1, advice: 2, resolved: 4, narrow: 8 };

/** @param {string} name @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function piece(name) {
    const inline = document.getElementById(name)?.textContent;
    return unlzma(inline ? Uint8Array.from(atob(inline), (c) => c.charCodeAt(0)) : new Uint8Array(await (await fetch(name + ".lzma")).arrayBuffer()));
}

export async function load() {
    if (!("DecompressionStream" in self) || !("WebAssembly" in self)) throw new Error(t("The browser lacks what the page needs (DecompressionStream, WebAssembly)."));
    const [module, parts, ja] = await Promise.all([piece("engine.wasm").then((b) => WebAssembly.compile(b)), piece("parts"), piece("ja")]);
    const script = document.getElementById("worker")?.textContent?.replaceAll("<\\/", "</") ?? (await (await fetch("worker")).text());
    return { module, parts: new TextDecoder().decode(parts), ja, url: URL.createObjectURL(new Blob([script], { type: "text/javascript" })) };
}

export class Engine {
    /** @param {Awaited<ReturnType<typeof load>>} data */
    constructor(data) {
        this.data = data;
        /** @type {Map<number, {message: object, done: (answer: any) => void, failed: (error: Error) => void, share?: (share: number) => void}>} */
        this.waiting = new Map();
        this.last = 0;
        /** The style sheet for what the engine draws. @type {Promise<string>} */
        this.started = Promise.resolve("");
        this.begin();
    }

    begin() {
        this.worker = new Worker(this.data.url);
        this.worker.onmessage = ({ data }) => {
            const call = this.waiting.get(data.id);
            if ("share" in data) return call?.share?.(data.share);
            this.waiting.delete(data.id);
            if ("error" in data) call?.failed(new Error(data.error));
            else call?.done(data.answer);
        };
        const { module, parts, ja } = this.data;
        this.started = this.call("start", { module, parts, ja });
    }

    /** @param {string} op @param {object} args @param {(share: number) => void} [share] @returns {Promise<any>} */
    call(op, args, share) {
        return new Promise((done, failed) => {
            const message = { id: ++this.last, op, ...args };
            this.waiting.set(this.last, { message, done, failed, share });
            this.worker?.postMessage(message);
        });
    }

    /** Calls that report their share fail, and a new worker starts, which gets the other calls again. */
    stop() {
        this.worker?.terminate();
        const calls = [...this.waiting];
        this.begin();
        for (const [id, { message, failed, share }] of calls)
            if (share) this.waiting.delete(id), failed(new Error("stopped"));
            else this.worker?.postMessage(message);
    }
}
