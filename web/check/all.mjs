// SPDX-License-Identifier: GPL-3.0-or-later
// all.mjs BUILD [PART[:WHAT]...]: checks the page that `make web` left in BUILD/web. WHAT selects something within a
// part (each part's `only`). Pictures go to BUILD/web/shots. WATTSINK_SOAK in the environment selects the long form.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { Browser } from "./browser.mjs";
import { check as numbers } from "./numbers.mjs";
import { check as measures } from "./measures.mjs";
import { check as actions } from "./actions.mjs";
import { check as rigs } from "./rigs.mjs";
import { check as hostile } from "./hostile.mjs";
import { tally } from "./tally.mjs";

/** @typedef {{build: string, only: string, browser: Browser, url: string, shots: string, long: boolean}} How */

/** @type {Record<string, (t: import("./tally.mjs").Tally, how: How) => Promise<void>>} */
const parts = { numbers, measures, actions, rigs, hostile };

const [build, ...named] = process.argv.slice(2), counts = tally();
const shots = resolve(build, "web/shots"), url = "file://" + resolve(build, "web/wattsink.html");
mkdirSync(shots, { recursive: true });
const browser = await Browser.start();
try {
    for (const name of named.length ? named : Object.keys(parts)) {
        const [part, only = ""] = name.split(":"), began = Date.now();
        if (!(part in parts)) counts.notOk(`there is no part ${part}`, Object.keys(parts).join(" "));
        else if (!browser && part !== "numbers") counts.skip(`${part}: no chromium`);
        else await parts[part](counts, { build, only, browser: /** @type {Browser} */ (browser), url, shots, long: !!process.env.WATTSINK_SOAK });
        counts.note(`${part}: ${((Date.now() - began) / 1000).toFixed(0)} s`);
    }
} catch (error) {
    counts.notOk("the checks run to their end", error instanceof Error ? error.stack : error);
} finally {
    await browser?.close();
}
counts.end();
