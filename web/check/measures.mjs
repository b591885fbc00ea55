// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the size of the page and how fast it answers. Times are longer on a busy machine, so they are printed, and
// fail only if they miss their goal by the factor FAR_OFF.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { startEngine } from "./engine.mjs";
import { DESK, ready, rested, set, silent, visit } from "./visit.mjs";

/** @typedef {import("./browser.mjs").Page} Page */

const SIZE_KB = 600, PAINT_MS = 1000, WEEK_S = 5;
const RATES = [{ cards: 1, goal: 30 }, { cards: 4, goal: 30 }, { cards: 8, goal: 15 }];
const FAR_OFF = 4;

/** Each move of the slider follows when the answer to the move before is shown. @param {Page} page @param {number} moves @param {number} most_ms @returns {Promise<{moves: number, ms: number, longest_ms: number}>} */
const slide = (page, moves, most_ms) => page.run(async (most, ms) => {
    const root = document.documentElement, slider = /** @type {HTMLInputElement} */ (document.querySelector("#limit"));
    const low = Number(slider.min), high = Number(slider.max), step = Number(slider.step), began = performance.now();
    let done = 0, longest = 0, value = Number(slider.value), way = -step;
    while (done < most && performance.now() - began < ms) {
        if (value + way < low || value + way > high) way = -way;
        value += way;
        const from = performance.now(), now = /** @type {HTMLInputElement} */ (document.querySelector("#limit"));
        now.value = String(value);
        now.dispatchEvent(new Event("input", { bubbles: true }));
        if (root.dataset.state === "busy")
            await new Promise((shown) => {
                const watch = new MutationObserver(() => root.dataset.state !== "busy" && (watch.disconnect(), shown(null)));
                watch.observe(root, { attributeFilter: ["data-state"] });
            });
        longest = Math.max(longest, performance.now() - from);
        done++;
    }
    document.querySelector("#limit")?.dispatchEvent(new Event("change", { bubbles: true }));
    return { moves: done, ms: performance.now() - began, longest_ms: longest };
}, moves, most_ms);

/** @param {Page} page @param {number} cards */
async function make(page, cards) {
    await set(page, "#count", cards);
    await page.click("#start");
    await page.until((n) => document.querySelectorAll("#machine .part-of[data-id^=gpu]").length === n && document.documentElement.dataset.state === "resting", 60000, cards);
}

/** Memory of the processes of the pages, bytes. It contains WebAssembly's memory, which the browser does not report. @param {import("./browser.mjs").Browser} browser */
async function processMemory(browser) {
    const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
    return processInfo.filter((/** @type {any} */ p) => p.type === "renderer").reduce((/** @type {number} */ sum, /** @type {any} */ p) =>
        sum + 1024 * Number(/RssAnon:\s*(\d+)/.exec(readFileSync(`/proc/${p.id}/status`, "utf8"))?.[1] ?? NaN), 0);
}

/** Processor time of the processes of the pages, s. On a busy machine it says more than elapsed time. @param {import("./browser.mjs").Browser} browser */
async function processTime(browser) {
    const { processInfo } = await browser.send("SystemInfo.getProcessInfo"), ticks_s = 1 / 100; // Linux counts in units of 10 ms
    return processInfo.filter((/** @type {any} */ p) => p.type === "renderer").reduce((/** @type {number} */ sum, /** @type {any} */ p) => {
        const fields = readFileSync(`/proc/${p.id}/stat`, "utf8").replace(/^.*\) /s, "").split(" ");
        return sum + ticks_s * (Number(fields[11]) + Number(fields[12]));
    }, 0);
}

/** @param {string} build @returns {Promise<number[]>} seconds */
async function spans(build) {
    const ask = await startEngine(join(build, "web/site")), taken = [];
    const { out } = await ask("command", { argv: ["new", "--gpus", "4", "--gpu", "gpu/rtx-3090", "--country", "us"], files: {} });
    for (const days of [7, 365]) {
        const from = process.cpuUsage();
        await ask("run", { xml: out, seconds: days * 86400 });
        const { user, system } = process.cpuUsage(from);
        taken.push((user + system) / 1e6);
    }
    return taken;
}

/** @param {import("./tally.mjs").Tally} tally @param {import("./all.mjs").How} how */
export async function check(tally, { build, browser, url, long }) {
    const { check, note } = tally;
    const size = gzipSync(readFileSync(join(build, "web/wattsink.html")), { level: 9 }).length / 1e3;
    check(`${size.toFixed(0)} kB gzipped, at most ${SIZE_KB}`, size <= SIZE_KB);

    const page = await visit(browser, url);
    const began = await page.run(() => performance.timeOrigin);
    await ready(page);
    const first = Date.now() - began, paint = await page.run(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN);
    await rested(page);
    check(`first paint after ${paint.toFixed(0)} ms (goal ${PAINT_MS}), the first rig after ${first.toFixed(0)} ms, all of it after ${(Date.now() - began).toFixed(0)} ms`, paint <= FAR_OFF * PAINT_MS);

    for (const { cards, goal } of RATES) {
        await make(page, cards);
        await slide(page, 20, 2000);
        const from = await processTime(browser), { moves, ms, longest_ms } = await slide(page, 1e6, 4000), each = moves / ((await processTime(browser)) - from);
        check(`${((1000 * moves) / ms).toFixed(0)} updates a second with ${cards} card${cards > 1 ? "s" : ""}, ${each.toFixed(0)} in a second of processor time (goal ${goal}), the longest took ${longest_ms.toFixed(0)} ms`, each >= goal / FAR_OFF);
    }

    await make(page, 4);
    // The page acts every 10 ms while the week runs: the longest pause between two acts is the longest time for which
    // the page could not respond.
    const week = await page.run(async (most) => {
        const answer = /** @type {Element} */ (document.querySelector("#answer"));
        let longest = 0, beat = performance.now();
        const from = beat;
        /** @type {HTMLElement} */ (document.querySelector("#week")).click();
        while (!answer.firstChild && performance.now() - from < most) {
            await new Promise((done) => setTimeout(done, 10));
            longest = Math.max(longest, performance.now() - beat);
            beat = performance.now();
        }
        return { s: (performance.now() - from) / 1000, longest };
    }, 1000 * FAR_OFF * WEEK_S * 2);
    check(`a week of 4 cards in ${week.s.toFixed(1)} s (goal ${WEEK_S}), the page's longest pause ${week.longest.toFixed(0)} ms`, week.s <= FAR_OFF * WEEK_S && week.longest < Math.max(1000, 500 * week.s));
    // A change of the rig ends the week of the rig before, and shows its own result as soon as without a week.
    const moved = await page.run(async () => {
        const slider = /** @type {HTMLInputElement} */ (document.querySelector("#room")), answer = /** @type {Element} */ (document.querySelector("#answer")), took = [];
        let ended = 0;
        const until = async (/** @type {() => boolean} */ is) => {
            const from = performance.now();
            while (!is() && performance.now() - from < 10000) await new Promise((done) => setTimeout(done, 5));
            return performance.now() - from;
        };
        for (let i = 0; i < 5; i++) {
            answer.replaceChildren();
            /** @type {HTMLElement} */ (document.querySelector("#week")).click();
            await until(() => !(/** @type {HTMLElement} */ (document.querySelector("#progress")).hidden));
            slider.value = String(20 + i);
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            took.push(await until(() => document.documentElement.dataset.state !== "busy" && answer.firstChild !== null));
            ended += Number(answer.textContent === "Cancelled.");
        }
        return { ended, longest: Math.max(...took) };
    });
    check(`${moved.ended} of 5 weeks end when the slider moves, and the page shows the new rig within ${moved.longest.toFixed(0)} ms`, moved.ended === 5 && moved.longest < 1000 * FAR_OFF);

    note("processor time without a browser: a week " + (await spans(build)).map((s) => `${s.toFixed(2)} s`).join(", a year "));
    await make(page, 1);
    const moves = long ? 10000 : 600;
    await slide(page, 200, 60000);
    await rested(page);
    const before = { ...(await page.memory()), process: await processMemory(browser) };
    let slid = 0;
    for (let one; slid < moves; slid += one.moves) one = await slide(page, Math.min(200, moves - slid), 50000);
    await rested(page);
    const after = { ...(await page.memory()), process: await processMemory(browser) };
    const grown = (/** @type {"heap" | "outside" | "process" | "nodes" | "listeners"} */ key) => after[key] - before[key];
    const kb = (/** @type {number} */ n) => `${(n / 1e3).toFixed(0)} kB`;
    note(`memory after ${slid} moves: objects ${kb(after.heap)} (${kb(grown("heap"))} more), buffers ${kb(after.outside)} (${kb(grown("outside"))}), the process ${kb(after.process)} (${kb(grown("process"))}), ` +
        `nodes ${after.nodes} (${grown("nodes")}), listeners ${after.listeners} (${grown("listeners")})`);
    // Undo and garbage that is not freed yet vary the memory by less than these limits.
    check("memory does not grow", grown("heap") + grown("outside") < 1e6 && grown("process") < 25e6 && grown("nodes") < 500 && grown("listeners") < 50);
    silent(tally, page, `measured on ${DESK.name} pixels`, url);
    await page.close();
}
