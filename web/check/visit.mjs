// SPDX-License-Identifier: GPL-3.0-or-later

/** @typedef {import("./browser.mjs").Page} Page */
/** @typedef {{name: string, width: number, height: number, touch?: boolean, scheme?: "light" | "dark", motion?: "reduce" | "no-preference"}} Screen */

export const DESK = { name: "1280", width: 1280, height: 900 };
const PATIENCE_MS = 60000;

/** @param {import("./browser.mjs").Browser} browser @param {string} url @param {Screen} [screen] */
export async function visit(browser, url, screen = DESK) {
    const page = await browser.page();
    await page.size(screen.width, screen.height, screen.touch);
    await page.prefer(screen);
    await page.open(url);
    return page;
}

/** @param {Page} page @param {number} [ms] */
export const ready = (page, ms = PATIENCE_MS) => page.until(() => ["ready", "resting"].includes(document.documentElement.dataset.state ?? ""), ms);
/** @param {Page} page @param {number} [ms] */
export const rested = (page, ms = PATIENCE_MS) => page.until(() => document.documentElement.dataset.state === "resting", ms);

/** @param {Page} page @param {string} selector @returns {Promise<string>} */
export const textOf = (page, selector) => page.run((s) => document.querySelector(s)?.textContent ?? "", selector);
/** @param {Page} page @param {string} selector */
export const count = (page, selector) => page.run((s) => document.querySelectorAll(s).length, selector);
/** @param {Page} page @param {string} selector @returns {Promise<string>} */
export const valueOf = (page, selector) => page.run((s) => /** @type {HTMLInputElement} */ (document.querySelector(s)).value, selector);

/** A user's input causes the events input and change. @param {Page} page @param {string} selector @param {string | number} value */
export const set = (page, selector, value) => page.run((s, v) => {
    const e = /** @type {HTMLInputElement} */ (document.querySelector(s));
    e.value = v;
    for (const type of ["input", "change"]) e.dispatchEvent(new Event(type, { bubbles: true }));
}, selector, String(value));

/** Opens a file, and waits until the page has its text, from which a rig is taken at once. @param {Page} page @param {string} file */
export async function openFile(page, file) {
    await page.run(() => {
        const { text } = Blob.prototype, { dataset } = document.documentElement;
        delete dataset.read;
        /** @this {Blob} */
        Blob.prototype.text = async function () {
            Blob.prototype.text = text;
            const read = await text.call(this);
            setTimeout(() => (dataset.read = ""));
            return read;
        };
    });
    await page.choose("#open", [file]);
    await page.until(() => document.documentElement.dataset.read !== undefined, PATIENCE_MS);
}

/** The page must have written nothing to the console and requested nothing but its own file. @param {import("./tally.mjs").Tally} tally @param {Page} page @param {string} what @param {string} url */
export function silent({ check }, page, what, url) {
    const others = page.asked.filter((a) => a.split("#")[0] !== url);
    check(`${what}: nothing in the console`, !page.said.length, page.said.slice(0, 5).join("\n"));
    check(`${what}: no request`, !others.length, others.slice(0, 5).join("\n"));
}
