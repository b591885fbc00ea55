// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the page's engine in node, with the text and the messages of its worker.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { unlzma } from "../lzma.js";

/** @typedef {(op: string, more?: object) => Promise<any>} Ask */

/** @param {string} site @returns {Promise<Ask>} */
export async function startEngine(site) {
    const unpack = (/** @type {string} */ name) => Buffer.from(unlzma(readFileSync(join(site, name + ".lzma"))));
    /** @type {Map<number, {done: (answer: any) => void, failed: (why: Error) => void}>} */
    const waiting = new Map();
    /** @type {any} */
    const self = { location: { href: "" } };
    let last = 0;
    /** @param {any} message */
    const answered = ({ id, answer, error, share }) => {
        if (share !== undefined) return;
        const asked = waiting.get(id);
        waiting.delete(id);
        if (error) asked?.failed(new Error(error));
        else asked?.done(answer);
    };
    // With importScripts, and without process and require, the text behaves as in a worker of a browser.
    const load = new Function("self", "postMessage", "importScripts", "location", "process", "require", readFileSync(join(site, "worker"), "utf8"));
    load(self, answered, () => {}, self.location);
    /** @type {Ask} */
    const ask = (op, more = {}) => new Promise((done, failed) => {
        waiting.set(++last, { done, failed });
        self.onmessage({ data: { id: last, op, lang: 0, ...more } });
    });
    const module = await WebAssembly.compile(unpack("engine.wasm"));
    await ask("start", { module, parts: unpack("parts").toString("utf8"), ja: new Uint8Array(unpack("ja")) });
    return ask;
}
