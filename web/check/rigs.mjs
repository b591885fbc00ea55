// SPDX-License-Identifier: GPL-3.0-or-later
// Checks rigs and changes that actions.mjs does not try. Each check begins with a rig of its own.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { GOLD, ROOM, TWO, focus, native, rigOf, rigWith, says, showsCards } from "./actions.mjs";
import { count, openFile, rested, set, silent, textOf, valueOf, visit } from "./visit.mjs";

/** @typedef {import("./browser.mjs").Page} Page */

const PRICE = '<tariff kind="flat" price="0.2 USD/kWh"/>';

/** Makes a rig by the questions at the top. @param {Page} page @param {Record<string, string | number>} [answers] */
async function begin(page, answers = {}) {
    const all = { count: 2, card: "gpu/rtx-3090", model: "training", country: "us", ...answers };
    for (const [id, value] of Object.entries(all)) await set(page, `#${id}`, value);
    await anew(page, () => page.click("#start"));
}
/**
 * Calls `comes`, which gives the page another rig, and waits until the page has written that rig into its commands and
 * then into its address. A page still at work on the rig before would write that one into its commands.
 * @param {Page} page @param {() => Promise<unknown>} comes
 */
async function anew(page, comes) {
    await rested(page);
    await page.run(() => document.querySelector("#command")?.replaceChildren());
    await comes();
    await page.until(() => document.querySelector("#command")?.textContent !== "", 60000);
    return rested(page);
}

/** @param {Page} page @param {string} dir @returns {[string, () => Promise<unknown>][]} */
function checks(page, dir) {
    const open = async (/** @type {string} */ name, /** @type {string} */ xml) => {
        const path = join(dir, name);
        writeFileSync(path, xml);
        return anew(page, () => openFile(page, path));
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
        ["language models: the commands give the page's numbers", async () => {
            for (const model of ["model/llama-3.1-8b", "model/gpt-oss-20b"]) { // of the classes decode and moe-decode
                await begin(page, { model });
                const is = await native(page, dir, /new --gpus 2 .*workload\.kind=inference.*model\/(llama-3\.1-8b|gpt-oss-20b)/s);
                if (is !== true) return is;
            }
            return true;
        }],
        ["unlike cards without ids change their order: the commands give the page's numbers", async () => {
            const parts = GOLD + '<gpu part="gpu/gtx-1080" slot="1"/><gpu part="gpu/rtx-3090" slot="3"/>', xml = rigWith(ROOM + PRICE, parts);
            await open("order.xml", xml);
            await set(page, "#gpu-0-Slot", 6);
            await rested(page);
            await set(page, "#gpu-1-Limit\\,\\ W", 250);
            await rested(page);
            const is = await native(page, dir, /gpu.*slot=6.*gpu.*power-limit=250 W/, { "order.xml": xml });
            if (is !== true) return is;
            await page.click("#gpu-0-remove");
            await showsCards(page, 1);
            return native(page, dir, /wattsink steady /, { "order.xml": xml });
        }],
        ["an answer about the rig before a change says so, cannot be used, and leaves the commands; undo brings it back", async () => {
            await open("asked.xml", rigWith(ROOM + PRICE, GOLD + TWO));
            await page.click("#ask-limit");
            await page.until(() => document.querySelectorAll("#answer tbody tr").length === 10, 60000);
            const state = () => page.run(() => [/before your change/.test(document.querySelector("#answer")?.textContent ?? ""), document.querySelectorAll("#answer button:enabled").length, (document.querySelector("#command")?.textContent ?? "").split("\n").length].join());
            const asked = await state();
            await set(page, "#room", 31);
            await rested(page);
            const changed = await state();
            await page.click("#undo");
            await rested(page);
            return `${asked} ${changed} ${await state()}` === "false,9,10 true,0,1 false,9,10" || `${asked} ${changed} ${await state()}`;
        }],
        ["a calibration of the rig before a change says so, and cannot be used", async () => {
            await anew(page, () => openFile(page, resolve("scenarios/own-card/rig.xml")));
            await page.drop("#drop", [resolve("scenarios/own-card/log.csv")]);
            await page.until(() => document.querySelector("#use-fitted:enabled"), 60000);
            await set(page, "#room", 31);
            await rested(page);
            return (await says(page, "#fitted", /before your change/)) && (await count(page, "#use-fitted:disabled")) === 1;
        }],
        ["without a room no other temperature of it is asked about", async () => {
            await open("roomless.xml", rigWith(PRICE, GOLD + TWO));
            await page.click("#ask-hot");
            return (await says(page, "#answer", /\S/)) && /No change of this kind fits/.test(await textOf(page, "#answer"));
        }],
        ["hotter beside an air conditioner: hotter outdoors, and a dearer year", async () => {
            await open("cooled.xml", rigWith('<room volume="30 m3" conductance="40 W/K"><outdoor mean="20 degC" swing="5 K"/><air-conditioner capacity="3 kW"/></room>' + PRICE, GOLD + TWO));
            await page.click("#ask-hot");
            await page.until(() => document.querySelectorAll("#answer tbody tr").length === 5, 60000);
            const rows = await page.run(() => [...document.querySelectorAll("#answer tbody tr")].map((r) => [r.querySelector("th")?.textContent ?? "", parseFloat(r.querySelectorAll("td")[4]?.textContent ?? "")]));
            return (rows.slice(1).every(([name, year], i) => /Outdoors/.test(String(name)) && Number(year) >= Number(rows[Math.max(i, 1)][1])) && Number(rows[4][1]) > Number(rows[0][1])) || rows.join("; ");
        }],
        ["a warning that only a case has stands in its row", async () => {
            await open("indoors.xml", rigWith('<room volume="30 m3" conductance="40 W/K"><air-conditioner capacity="3 kW"/></room>' + PRICE, GOLD + TWO));
            await page.click("#ask-hot");
            await page.until(() => document.querySelectorAll("#answer tbody tr").length === 5, 60000);
            return ((said) => (said.match(/air-conditioner0 has no effect/g) ?? []).length === 4 || said)(await textOf(page, "#answer"));
        }],
        ["unlike power limits are shown, and a key moves each by a step, within what its card can have", async () => {
            const limits = async () => [...(await rigOf(page)).matchAll(/power-limit="([\d.]+) W"/g)].map((m) => m[1]).join();
            const step = async (/** @type {string} */ key) => {
                await focus(page, "#limit");
                await page.press(key);
                await rested(page);
                return `${await textOf(page, "#turn output[for=limit]")} ${await limits()}`;
            };
            await open("limits.xml", rigWith(ROOM + PRICE, GOLD + '<gpu part="gpu/gtx-1080" slot="1" power-limit="130 W"/><gpu part="gpu/rtx-3090" slot="4" power-limit="275 W"/>'));
            const is = [await textOf(page, "#turn output[for=limit]"), await step("ArrowLeft"), await step("ArrowLeft")];
            await open("beyond.xml", rigWith(ROOM + PRICE, GOLD + '<gpu part="gpu/gtx-1080" slot="1" power-limit="103 W"/><gpu part="gpu/rtx-3090" slot="4" power-limit="350 W"/>'));
            is.push(await step("ArrowLeft"));
            return is.join("; ") === "130–275 W; 125–270 W 125,270; 120–265 W 120,265; 100–345 W 100,345" || is.join("; ");
        }],
        ["cards that have changed places keep their free slots", async () => {
            await open("swapped.xml", rigWith(ROOM + PRICE, GOLD + '<gpu part="gpu/rtx-3090-blower" slot="4"/><gpu part="gpu/rtx-3090-blower" slot="1"/>'));
            const gap = await textOf(page, "#turn output[for=gap]");
            await set(page, "#gap", 2);
            await rested(page);
            const slots = String(await Promise.all([0, 1].map((i) => valueOf(page, `#gpu-${i}-Slot`))));
            return `${gap.trim()} ${slots}` === "1 5,1" || `${gap} ${slots}`;
        }],
        ["commands that follow `wattsink new` do nothing where a rig.xml exists already", async () => {
            await begin(page);
            const at = mkdtempSync(join(dir, "twice-")), program = resolve(process.env.WATTSINK ?? "build/wattsink");
            const results = async () => spawnSync("sh", ["-c", `wattsink() { '${program}' "$@"; }\n${await textOf(page, "#command")}`], { cwd: at, encoding: "utf8", env: { ...process.env, LC_ALL: "C" } }).stdout.match(/steady operating point/g)?.length ?? 0;
            const one = await results();
            await begin(page, { card: "gpu/rtx-4090" });
            await page.click("#ask-space");
            await says(page, "#command", /# free slots: 1/);
            const two = await results();
            rmSync(join(at, "rig.xml"));
            const three = await results();
            return (one === 1 && two === 0 && three > 2) || `${one} ${two} ${three}`;
        }],
        ["Bronze to Titanium: the wall's power falls where the PSU states its own efficiency, and so do the commands", async () => {
            const xml = rigWith(ROOM + PRICE, GOLD.replace("/>", ' rated="1500 W" efficiency-20="80 %" efficiency-50="82 %" efficiency-100="80 %"/>') + TWO);
            await open("own.xml", xml);
            await page.click("#ask-psu");
            await page.until(() => document.querySelectorAll("#answer tbody tr").length === 6, 60000);
            const watts = await page.run(() => [...document.querySelectorAll("#answer tbody tr")].map((r) => parseFloat(r.querySelectorAll("td")[2]?.textContent ?? "")));
            const commands = (await textOf(page, "#command")).split("\n").filter((l) => /# [A-Z]/.test(l)), at = mkdtempSync(join(dir, "badges-")), program = resolve(process.env.WATTSINK ?? "build/wattsink");
            writeFileSync(join(at, "own.xml"), xml);
            const theirs = commands.map((c) => /max (\d+) W at the wall/.exec(spawnSync("sh", ["-c", `wattsink() { '${program}' "$@"; }\n${c}`], { cwd: at, encoding: "utf8", env: { ...process.env, LC_ALL: "C" } }).stdout)?.[1]);
            return (watts.every((w, i) => !i || w < watts[i - 1]) && String(theirs) === String(watts.slice(1))) || `${watts} / ${theirs} ${commands.join("\n")}`;
        }],
        ["Bronze to Titanium: a machine without a PSU of its own has no other badge", async () => {
            await open("bare.xml", rigWith(ROOM + PRICE, TWO));
            await page.click("#ask-psu");
            return says(page, "#answer", /^No change of this kind fits here\.$/);
        }],
        ["Delete in a drawing of an older rig takes nothing out", async () => {
            await open("named.xml", rigWith(ROOM + PRICE, GOLD + TWO, 'kind="constant" class="training" gpus="gpu0 gpu1"'));
            for (let i = 0; i < 2; i++) {
                await focus(page, '#machine [data-id="gpu0"]');
                await page.press("Delete");
                await says(page, "#messages", /gpu1/);
                await rested(page);
            }
            return ((await rigOf(page)).match(/<gpu /g) ?? []).length === 1 || rigOf(page);
        }],
        ["the last card and the last PSU are taken out and added again", async () => {
            await begin(page, { count: 1 });
            const before = await rigOf(page);
            for (const button of ["#gpu-0-remove", "#add-gpu", "#psu-0-remove", "#add-psu"]) {
                await anew(page, () => page.click(button));
                await rested(page);
            }
            const after = await rigOf(page);
            return (/<gpu part="gpu\/rtx-3090" slot="1"\/>/.test(after) && /<psu part="psu\/tier-gold-\d+"\/>/.test(after) && after !== before && !(await textOf(page, "#messages")).trim()) || after + (await textOf(page, "#messages"));
        }],
        ["in another language no answer stays, and every label is translated", async () => {
            await begin(page);
            await page.click("#ask-space");
            await page.until(() => document.querySelectorAll("#answer tbody tr").length > 1, 60000);
            await set(page, "#lang", 1);
            await rested(page);
            const left = await page.run(() => [...document.querySelectorAll("#answer *, #turn [aria-label]")].map((e) => e.getAttribute("aria-label") ?? e.textContent ?? "").filter((s) => /\b(part|count|Throughput)\b/.test(s)));
            await set(page, "#lang", 0);
            return (await rested(page)) && (!left.length || left.join(", "));
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
