// SPDX-License-Identifier: GPL-3.0-or-later
// A headless Chromium, controlled through its debugging pipe. Commands go to file descriptor 3, answers and events come
// from file descriptor 4, each as JSON ended by NUL. Begin with Browser.start.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @typedef {{id?: number, method?: string, params?: any, result?: any, error?: {message: string}, sessionId?: string}} Message */

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions", "--mute-audio",
    "--disable-renderer-backgrounding", "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe"];
const PATIENCE_MS = 60000;

export const wait = (/** @type {number} */ ms) => new Promise((done) => setTimeout(done, ms));

export class Browser {
    /** Returns null if no browser of NAMES is installed. */
    static async start() {
        const profile = mkdtempSync(join(tmpdir(), "browser-"));
        for (const name of NAMES) {
            const child = spawn(name, [...OPTIONS, `--user-data-dir=${profile}`, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
            const started = await new Promise((done) => {
                child.once("spawn", () => done(true));
                child.once("error", () => done(false));
            });
            if (started) return new Browser(child, profile);
        }
        rmSync(profile, { recursive: true, force: true });
        return null;
    }

    /** @param {import("node:child_process").ChildProcess} child @param {string} profile */
    constructor(child, profile) {
        this.child = child;
        this.profile = profile;
        this.last = 0;
        /** @type {Map<number, {done: (result: any) => void, failed: (why: Error) => void, method: string}>} */
        this.waiting = new Map();
        /** @type {Map<string, (message: Message) => void>} */
        this.sessions = new Map();
        this.in = /** @type {import("node:stream").Writable} */ (child.stdio[3]);
        const from = /** @type {import("node:stream").Readable} */ (child.stdio[4]);
        /** @type {Buffer[]} */
        let held = [];
        from.on("data", (/** @type {Buffer} */ bytes) => {
            for (let end; (end = bytes.indexOf(0)) >= 0; bytes = bytes.subarray(end + 1)) {
                this.take(JSON.parse(Buffer.concat([...held, bytes.subarray(0, end)]).toString("utf8")));
                held = [];
            }
            held.push(bytes);
        });
        child.on("exit", () => {
            for (const { failed, method } of this.waiting.values()) failed(new Error(`${method}: the browser has ended`));
            this.waiting.clear();
        });
        this.in.on("error", () => {});
    }

    /** @param {Message} message */
    take(message) {
        if (message.id === undefined) return this.sessions.get(message.sessionId ?? "")?.(message);
        const call = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (message.error) call?.failed(new Error(`${call.method}: ${message.error.message}`));
        else call?.done(message.result);
    }

    /** @param {string} method @param {object} [params] @param {string} [sessionId] @returns {Promise<any>} */
    send(method, params = {}, sessionId) {
        const id = ++this.last;
        return new Promise((done, failed) => {
            const late = setTimeout(() => failed(new Error(`${method}: no answer in ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
            const settle = (/** @type {(v: any) => void} */ how) => (/** @type {any} */ v) => (clearTimeout(late), how(v));
            this.waiting.set(id, { done: settle(done), failed: settle(failed), method });
            this.in.write(JSON.stringify({ id, method, params, sessionId }) + "\0");
        });
    }

    /** A browser context of its own has no stored data of other tabs. */
    async page() {
        const { browserContextId } = await this.send("Target.createBrowserContext");
        const { targetId } = await this.send("Target.createTarget", { url: "about:blank", browserContextId, width: 1280, height: 900 });
        const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
        const page = new Page(this, sessionId, targetId, browserContextId);
        await page.begin();
        return page;
    }

    async close() {
        const gone = new Promise((done) => this.child.once("exit", done));
        if (this.child.exitCode === null) {
            this.send("Browser.close").catch(() => {});
            const timer = setTimeout(() => this.child.kill("SIGKILL"), 5000);
            await gone;
            clearTimeout(timer);
        }
        await wait(100);
        rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
}

/** @type {Record<string, {code: string, keyCode: number, text?: string}>} */
const KEYS = {
    Enter: { code: "Enter", keyCode: 13, text: "\r" }, Escape: { code: "Escape", keyCode: 27 }, Tab: { code: "Tab", keyCode: 9 },
    " ": { code: "Space", keyCode: 32, text: " " }, Delete: { code: "Delete", keyCode: 46 }, Backspace: { code: "Backspace", keyCode: 8 },
    ArrowLeft: { code: "ArrowLeft", keyCode: 37 }, ArrowUp: { code: "ArrowUp", keyCode: 38 }, ArrowRight: { code: "ArrowRight", keyCode: 39 },
    ArrowDown: { code: "ArrowDown", keyCode: 40 }, Home: { code: "Home", keyCode: 36 }, End: { code: "End", keyCode: 35 },
    PageUp: { code: "PageUp", keyCode: 33 }, PageDown: { code: "PageDown", keyCode: 34 },
};
const MODIFIERS = { alt: 1, control: 2, meta: 4, shift: 8 };

export class Page {
    /** @param {Browser} browser @param {string} session @param {string} target @param {string} context */
    constructor(browser, session, target, context) {
        this.touching = false;
        this.clicks = 0;
        this.screen = { width: 1280, height: 900 };
        this.browser = browser;
        this.session = session;
        this.target = target;
        this.context = context;
        /** Console messages of the page or its workers. @type {string[]} */
        this.said = [];
        /** Requests by the page or its workers, except for blob: and data:. @type {string[]} */
        this.asked = [];
        /** @type {Set<string>} */
        this.workers = new Set();
        /** @type {string[]} */
        this.dialogs = [];
        this.loaded = () => {};
        this.world = 0;
    }

    /** @param {string} method @param {object} [params] @param {string} [session] */
    send(method, params, session = this.session) {
        return this.browser.send(method, params, session);
    }

    /** @param {string} session */
    async listen(session) {
        this.browser.sessions.set(session, (message) => this.hear(message, session));
        for (const domain of session === this.session ? ["Runtime", "Log", "Network", "Page"] : ["Runtime", "Log", "Network"])
            await this.send(domain + ".enable", {}, session).catch(() => {}); // a worker may have ended, or may not support a domain
        await this.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, session).catch(() => {});
        if (session !== this.session) await this.send("Runtime.runIfWaitingForDebugger", {}, session).catch(() => {});
    }

    async begin() {
        await this.listen(this.session);
        await this.send("Emulation.setFocusEmulationEnabled", { enabled: true });
    }

    /** @param {Message} message @param {string} session */
    hear({ method, params }, session) {
        const where = session === this.session ? "" : "worker: ";
        if (method === "Runtime.consoleAPICalled")
            this.said.push(`${where}${params.type}: ${params.args.map((/** @type {any} */ a) => a.value ?? a.description ?? a.type).join(" ")}`);
        else if (method === "Runtime.exceptionThrown")
            this.said.push(`${where}exception: ${params.exceptionDetails.exception?.description ?? params.exceptionDetails.text}`);
        else if (method === "Log.entryAdded") this.said.push(`${where}${params.entry.level}: ${params.entry.text} ${params.entry.url ?? ""}`);
        else if (method === "Network.requestWillBeSent") {
            if (!/^(blob|data):/.test(params.request.url)) this.asked.push(params.request.url);
        } else if (method === "Page.loadEventFired") this.loaded();
        else if (method === "Page.javascriptDialogOpening") {
            this.dialogs.push(params.message);
            this.send("Page.handleJavaScriptDialog", { accept: false }).catch(() => {});
        } else if (method === "Target.attachedToTarget") {
            this.workers.add(params.sessionId);
            this.listen(params.sessionId);
        } else if (method === "Target.detachedFromTarget") {
            this.workers.delete(params.sessionId);
            this.browser.sessions.delete(params.sessionId);
        }
    }

    /** @param {string} url */
    async open(url) {
        const loaded = new Promise((done) => (this.loaded = () => done(null)));
        const { errorText } = await this.send("Page.navigate", { url });
        if (errorText) throw new Error(`${url}: ${errorText}`);
        await Promise.race([loaded, wait(PATIENCE_MS)]);
    }

    async reload() {
        const loaded = new Promise((done) => (this.loaded = () => done(null)));
        await this.send("Page.reload");
        await Promise.race([loaded, wait(PATIENCE_MS)]);
    }

    /** The arguments are passed as JSON. The page's policy does not forbid such calls. @template {any[]} A @template R @param {(...args: A) => R} what @param {A} args @returns {Promise<Awaited<R>>} */
    run(what, ...args) {
        return this.evaluate(`(${what})(...${JSON.stringify(args)})`);
    }

    /** @param {string} expression @param {number} [contextId] @returns {Promise<any>} */
    async evaluate(expression, contextId) {
        const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true, userGesture: true, contextId });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    /** @param {string} script @param {string} expression */
    async apart(script, expression) {
        const { frameTree } = await this.send("Page.getFrameTree");
        const { executionContextId } = await this.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id, worldName: "check" });
        await this.evaluate(`${script}\n;0`, executionContextId);
        return this.evaluate(expression, executionContextId);
    }

    /** Returns false if the function does not return a true value within `ms`. @template {any[]} A @param {(...args: A) => unknown} what @param {number} ms @param {A} args */
    async until(what, ms, ...args) {
        for (const end = Date.now() + ms; ;) {
            if (await this.run(what, ...args).catch(() => false)) return true;
            if (Date.now() > end) return false;
            await wait(20);
        }
    }

    /** @param {string} selector @returns {Promise<{x: number, y: number}>} */
    async place(selector) {
        const at = await this.run((/** @type {string} */ s) => {
            const e = document.querySelector(s);
            if (!e) return null;
            e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
            const r = e.getBoundingClientRect();
            return { x: r.x + r.width / 2, y: r.y + r.height / 2 };
        }, selector);
        if (!at) throw new Error(`nothing fits ${selector}`);
        return at;
    }

    /** @param {string} type @param {{x: number, y: number}} at @param {number} [buttons] @param {number} [clickCount] */
    mouse(type, at, buttons = 0, clickCount = 0) {
        return this.send("Input.dispatchMouseEvent", { type, ...at, button: type === "mouseMoved" && !buttons ? "none" : "left", buttons, clickCount });
    }

    /** @param {string | {x: number, y: number}} what */
    async click(what) {
        const selector = typeof what === "string" ? what : "", where = () => (typeof what === "string" ? this.place(what) : what);
        if (this.touching) {
            const at = await where();
            // The browser makes a click from the touch after a while, and the click of an earlier touch may come first,
            // so this waits for a click on the wanted element.
            const clicked = this.run((/** @type {string} */ selector) => new Promise((done) => {
                addEventListener("click", (e) => (!selector || /** @type {Element} */ (e.target).closest(selector)) && done(true), true);
                setTimeout(done, 3000);
            }), selector);
            await this.touch("touchStart", [at]);
            await this.touch("touchEnd", []);
            await clicked;
        } else {
            // What the page shows meanwhile may move the element away from the pointer.
            for (let tries = 0, missed = true; missed && tries < 3; tries++) {
                const at = await where(), mark = `${++this.clicks}`;
                await this.run((/** @type {string} */ selector, /** @type {string} */ mark) => addEventListener("click", (e) => {
                    if (!selector || /** @type {Element} */ (e.target).closest(selector)) document.documentElement.dataset.clicked = mark;
                }, true), selector, mark);
                await this.mouse("mouseMoved", at);
                await this.mouse("mousePressed", at, 1, 1);
                await this.mouse("mouseReleased", at, 0, 1);
                missed = selector !== "" && (await this.run((/** @type {string} */ mark) => document.documentElement.dataset.clicked !== mark, mark).catch(() => false));
            }
        }
        await this.frame();
    }

    frame() {
        return this.run(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));
    }

    /** @param {{x: number, y: number}} from @param {{x: number, y: number}} to @param {number} [steps] */
    async drag(from, to, steps = 12) {
        const at = (/** @type {number} */ i) => ({ x: from.x + ((to.x - from.x) * i) / steps, y: from.y + ((to.y - from.y) * i) / steps });
        if (this.touching) {
            await this.touch("touchStart", [from]);
            for (let i = 1; i <= steps; i++) await this.touch("touchMove", [at(i)]);
            // After a fling the browser would ignore the next tap, so the finger rests before it is lifted.
            await new Promise((done) => setTimeout(done, 200));
            await this.touch("touchMove", [to]);
            await this.touch("touchEnd", []);
        } else {
            await this.mouse("mouseMoved", from);
            await this.mouse("mousePressed", from, 1, 1);
            for (let i = 1; i <= steps; i++) await this.mouse("mouseMoved", at(i), 1);
            await this.mouse("mouseReleased", to, 0, 1);
        }
        await this.frame();
    }

    /** @param {string} type @param {{x: number, y: number}[]} touchPoints */
    touch(type, touchPoints) {
        return this.send("Input.dispatchTouchEvent", { type, touchPoints });
    }

    /** @param {string} key */
    async press(key) {
        const parts = key.split(/\+(?=.)/), name = parts.pop() ?? "";
        const modifiers = parts.reduce((sum, m) => sum + (MODIFIERS[/** @type {keyof typeof MODIFIERS} */ (m.toLowerCase())] ?? 0), 0);
        const known = KEYS[name], plain = !(modifiers & 7);
        const what = known
            ? { key: name, code: known.code, windowsVirtualKeyCode: known.keyCode, text: plain ? known.text : undefined }
            : { key: name, code: "Key" + name.toUpperCase(), windowsVirtualKeyCode: name.toUpperCase().charCodeAt(0), text: plain ? name : undefined };
        await this.send("Input.dispatchKeyEvent", { type: what.text ? "keyDown" : "rawKeyDown", modifiers, ...what });
        await this.send("Input.dispatchKeyEvent", { type: "keyUp", modifiers, ...what, text: undefined });
        await this.frame();
    }

    /** @param {string} text */
    type(text) {
        return this.send("Input.insertText", { text });
    }

    /** @param {string} selector @param {string[]} files */
    async choose(selector, files) {
        const { root } = await this.send("DOM.getDocument", { depth: 0 });
        const { nodeId } = await this.send("DOM.querySelector", { nodeId: root.nodeId, selector });
        await this.send("DOM.setFileInputFiles", { files, nodeId });
    }

    /** @param {string} selector @param {string[]} files */
    async drop(selector, files) {
        const at = await this.place(selector), data = { items: [], files, dragOperationsMask: 1 };
        for (const type of ["dragEnter", "dragOver", "drop"]) await this.send("Input.dispatchDragEvent", { type, ...at, data });
    }

    /** @param {number} width @param {number} height @param {boolean} [touch] */
    async size(width, height, touch = false) {
        this.touching = touch;
        this.screen = { width, height };
        await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: touch ? 2 : 1, mobile: touch });
        await this.send("Emulation.setTouchEmulationEnabled", { enabled: touch, maxTouchPoints: touch ? 5 : 1 });
    }

    /** @param {{scheme?: "light" | "dark", motion?: "reduce" | "no-preference", print?: boolean}} how */
    prefer({ scheme = "light", motion = "no-preference", print = false }) {
        return this.send("Emulation.setEmulatedMedia", {
            media: print ? "print" : "",
            features: [{ name: "prefers-color-scheme", value: scheme }, { name: "prefers-reduced-motion", value: motion }],
        });
    }

    /** @param {boolean} offline */
    async offline(offline) {
        const how = { offline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
        for (const session of [this.session, ...this.workers]) await this.send("Network.emulateNetworkConditions", how, session).catch(() => {});
    }

    /** @param {string} dir */
    downloads(dir) {
        return this.browser.send("Browser.setDownloadBehavior", { behavior: "allow", browserContextId: this.context, downloadPath: dir });
    }

    /** `whole`: the picture shows the whole page, not only the screen. @param {string} path @param {boolean} [whole] */
    async shot(path, whole = false) {
        const { width, height } = this.screen;
        // Chromium's own way to capture beyond the screen tells the page other widths meanwhile, so the screen is
        // enlarged.
        if (whole) await this.size(width, Math.min(8000, await this.run(() => document.documentElement.scrollHeight)), this.touching);
        const { data } = await this.send("Page.captureScreenshot", { format: "png" });
        if (whole) await this.size(width, height, this.touching);
        writeFileSync(path, Buffer.from(data, "base64"));
    }

    /** Memory after a garbage collection. outside: bytes of what objects hold outside of the heap (WebAssembly's memory, buffers). */
    async memory() {
        let heap = 0, outside = 0;
        for (const session of [this.session, ...this.workers]) {
            await this.send("HeapProfiler.collectGarbage", {}, session).catch(() => {});
            const used = await this.send("Runtime.getHeapUsage", {}, session).catch(() => null);
            heap += used?.usedSize ?? 0;
            outside += used?.backingStorageSize ?? 0;
        }
        const { nodes, jsEventListeners } = await this.send("Memory.getDOMCounters");
        return { heap, outside, nodes, listeners: jsEventListeners };
    }

    async close() {
        await this.browser.send("Target.disposeBrowserContext", { browserContextId: this.context });
    }
}
