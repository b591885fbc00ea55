// SPDX-License-Identifier: GPL-3.0-or-later
// Rigs and changes that the walk of actions.mjs does not meet. Each check begins with a rig of its own.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { native, rigOf, rigWith, says, showsCards } from "./actions.mjs";
import { count, openFile, rested, set, silent, textOf, visit } from "./visit.mjs";

/** @typedef {import("./browser.mjs").Page} Page */

/** Makes a rig by the questions at the top. @param {Page} page @param {Record<string, string | number>} [answers] */
async function begin(page, answers = {}) {
    const all = { count: 2, card: "gpu/rtx-3090", model: "training", country: "us", ...answers };
    for (const [id, value] of Object.entries(all)) await set(page, `#${id}`, value);
    await page.click("#start");
    return showsCards(page, all.count);
}

/** @param {Page} page @param {string} dir @returns {[string, () => Promise<unknown>][]} */
function checks(page, dir) {
    const open = async (/** @type {string} */ name, /** @type {string} */ xml) => {
        const path = join(dir, name);
        writeFileSync(path, xml);
        await openFile(page, path);
        return rested(page);
    };
    return [
        ["a country that is none of those named makes a rig, too", async () => {
            await begin(page, { count: 3, country: "" });
            return (!(await textOf(page, "#messages")).trim() && (await native(page, dir, /^wattsink new --gpus 3 --gpu gpu\/rtx-3090 -o/))) || textOf(page, "#messages");
        }],
        ["no rig is made of no card", async () => {
            await begin(page);
            const before = await rigOf(page);
            await set(page, "#card", "");
            await page.click("#start");
            return (await page.run(() => document.querySelector("#card:invalid") !== null)) && !(await textOf(page, "#messages")).trim() && (await rigOf(page)) === before;
        }],
    ];
}

/** @param {import("./tally.mjs").Tally} tally @param {import("./all.mjs").How} how only: a piece of a check's name */
export async function check(tally, { browser, url, shots, only }) {
    const dir = mkdtempSync(join(tmpdir(), "rigs-")), page = await visit(browser, url);
    try {
        await rested(page);
        for (const [name, act] of checks(page, dir)) {
            if (!name.includes(only)) continue;
            const is = await act().catch((error) => `${error.stack ?? error}`);
            tally.check(`rigs: ${name}`, is === true, is || "");
            if (is !== true) await page.shot(join(shots, `failed-${name.replace(/\W+/g, "-").slice(0, 40)}.png`), true).catch(() => {});
        }
        silent(tally, page, "rigs", url);
    } finally {
        await page.close();
        rmSync(dir, { recursive: true, force: true });
    }
}
