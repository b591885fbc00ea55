// SPDX-License-Identifier: GPL-3.0-or-later
// Does what people do with the page, by mouse, finger and keyboard, in four sizes and both colour schemes, and takes
// pictures.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { inflateRawSync } from "node:zlib";
import { audit } from "./axe.mjs";
import { wait } from "./browser.mjs";
import { count, openFile, ready, rested, set, silent, textOf, valueOf, visit } from "./visit.mjs";

/** @typedef {import("./browser.mjs").Page} Page */
/** @typedef {import("./visit.mjs").Screen} Screen */

/** @type {{name: string, width: number, height: number, touch: boolean}[]} */
const SIZES = [{ name: "390", width: 390, height: 844, touch: true }, { name: "768", width: 768, height: 1024, touch: false }, { name: "1280", width: 1280, height: 900, touch: false }, { name: "1600", width: 1600, height: 1000, touch: false }];
/** All actions are done on these screens, only the first five on the others. The long form does all actions on all screens. */
const WHOLE = ["390-dark", "1280-light"];

/** @param {Page} page */
const cards = (page) => count(page, '#machine .part-of[data-id^="gpu"]');
/** The number in the first tile whose label contains `label`. @param {Page} page @param {string} label */
export const tile = (page, label) => page.run((l) => {
    const found = [...document.querySelectorAll("#verdict .tiles div")].find((d) => d.querySelector("dt")?.textContent?.includes(l));
    const own = [...(found?.querySelector("dd")?.childNodes ?? [])].filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => n.textContent).join("");
    return parseFloat(own.replace(/,/g, ""));
}, label);
export const HOT = "GPU temperature", WALL = "power at the wall, mean", YEAR = "cost a year", NOISE = "sound";
/** @param {Page} page */
export async function rigOf(page) {
    const hash = await page.run(() => location.hash);
    return inflateRawSync(Buffer.from(hash.slice(3), "base64url")).toString("utf8");
}
/** @param {Page} page @param {number} n */
export const showsCards = async (page, n) => (await page.until((k) => document.querySelectorAll('#machine .part-of[data-id^="gpu"]').length === k, 20000, n)) && rested(page);
/** @param {Page} page @param {string} selector @param {RegExp} what */
export const says = (page, selector, what, ms = 20000) => page.until((s, source, flags) => new RegExp(source, flags).test(document.querySelector(s)?.textContent ?? ""), ms, selector, what.source, what.flags);
/** @param {Page} page @param {string} selector */
export const focus = (page, selector) => page.run((s) => {
    const e = /** @type {HTMLElement} */ (document.querySelector(s));
    e?.focus();
    return document.activeElement === e;
}, selector);
/** @param {Page} page @param {number} i */
const slotOf = async (page, i) => Number(await valueOf(page, `#gpu-${i}-Slot`));
/** @param {Page} page @param {string} id @param {number} slot */
const slotPlace = (page, id, slot) => page.run((card, n) => {
    const svg = /** @type {SVGSVGElement} */ (document.querySelector("#machine svg[data-pitch]"));
    const group = /** @type {SVGGElement} */ (svg.querySelector(`[data-id="${card}"]`)), to = /** @type {DOMMatrix} */ (svg.getScreenCTM());
    const box = group.getBBox(), p = new DOMPoint(box.x + box.width / 3, Number(svg.dataset.slotsY) + (n - 0.5) * Number(svg.dataset.pitch)).matrixTransform(to);
    return { x: p.x, y: p.y };
}, id, slot);

/** @param {Page} page @returns {Promise<[number, number][]>} */
const curve = (page) => page.run(() => [...document.querySelectorAll("#curve .knot")].map((k) => /** @type {[number, number]} */ ([parseFloat(k.getAttribute("aria-valuetext") ?? ""), Number(k.getAttribute("aria-valuenow"))])));
/** @param {Page} page @param {number} i */
const knot = (page, i) => page.run((n) => {
    const box = /** @type {Element} */ (document.querySelector(`#knot-${n} .dot`)).getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}, i);
/** Runs the commands that the page shows in the program, whose results must be those of the page. what: text that the commands must contain. @param {Page} page @param {string} dir @param {RegExp} what @param {Record<string, string>} [files] files that the commands read, beside the saved one @returns {Promise<true | string>} */
export async function native(page, dir, what, files = {}) {
    const commands = await textOf(page, "#command"), at = mkdtempSync(join(dir, "native-")), program = resolve(process.env.WATTSINK ?? "build/wattsink");
    if (!what.test(commands)) return commands;
    for (const [name, text] of Object.entries(commands.startsWith("#") ? { "rig.xml": await rigOf(page) } : files)) writeFileSync(join(at, name), text);
    const said = execFileSync("sh", ["-ec", `wattsink() { '${program}' "$@"; }\n${commands} --json -q`], { cwd: at, encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
    const told = JSON.parse(said.slice(said.indexOf("{"))), hot = Math.max(...told.gpus.map((/** @type {any} */ g) => g.die_max_c)), year = told.cost.annual;
    return (Math.abs(hot - (await tile(page, HOT))) < 0.06 && Math.abs(year - (await tile(page, YEAR))) < 0.6) || `the program: ${hot} °C, ${year} a year; the page: ${await tile(page, HOT)}, ${await tile(page, YEAR)}\n${commands}`;
}

/** Two cards in a tower. @param {string} site @param {string} parts @param {string} [work] */
export const rigWith = (site, parts, work = 'kind="constant" class="training"') => `<rig name="asked"><site supply="230 V" circuit="32 A">${site}</site><chassis part="chassis/mid-tower"><cpu part="cpu/generic-desktop"/>${parts}</chassis><workload ${work}/><run for="1 d" step="1 s"/></rig>`;
export const ROOM = '<room temperature="25 degC"/>', TWO = '<gpu part="gpu/rtx-3090-blower" slot="1"/><gpu part="gpu/rtx-3090-blower" slot="4"/>', GOLD = '<psu part="psu/tier-gold-1600"/>';

const BROKEN = '<rig name="broken">\n  <site supply="120 V"/>\n  <chassis part="chassis/mid-towr">\n    <psu part="psu/tier-gold-850"/>\n    <gpu part="gpu/rtx-3090" slot="1" power-limit="350"/>\n  </chassis>\n</rig>\n';

/** @param {Page} page @param {{dir: string, screen: Screen, url: string, shot: (name: string) => Promise<void>}} on @returns {[string, () => Promise<unknown>][]} */
function actions(page, { dir, screen, url, shot }) {
    /** @type {Record<string, any>} */
    const kept = {};
    const file = (/** @type {string} */ name, /** @type {string | Uint8Array} */ content) => {
        const path = join(dir, name);
        writeFileSync(path, content);
        return path;
    };
    const undo = async () => (await page.click("#undo"), rested(page));
    return [
        ["shows a rig without a click", async () => (await rested(page)) && (await cards(page)) === 4 && (await textOf(page, "#sentence")).length > 20],
        ["has at least five tiles and no message", async () => (await count(page, "#verdict .tiles div")) >= 5 && !(await textOf(page, "#messages")).trim()],
        ["adds ± and the best changes at rest", async () => ((said) => (/±|\([\d.]+ to [\d.]+\)/.test(said) && /Change 1/.test(said)) || said)(await textOf(page, "#verdict"))],
        ["names each part of the drawing, as a button", () => page.run(() => [...document.querySelectorAll("#machine g.part-of[data-id]")].every((g) => g.getAttribute("role") === "button" && g.getAttribute("tabindex") === "0" && new RegExp(`^${g.getAttribute("data-id")}.*\\d.*${(g.getAttribute("data-id") ?? "").startsWith("gpu") ? "°C, clock \\d+ MHz" : "(°C|%)"}`).test(g.querySelector("title")?.textContent ?? "")))],
        ["fits the width", () => page.run(() => document.documentElement.scrollWidth <= innerWidth)],
        ["the power limit, drawn down: cooler, less power", async () => {
            kept.hot = await tile(page, HOT);
            kept.wall = await tile(page, WALL);
            kept.limit = Number(await valueOf(page, "#limit"));
            const at = await page.place("#limit"), box = await page.run(() => document.querySelector("#limit")?.getBoundingClientRect().toJSON());
            const share = await page.run(() => ((e) => (Number(e.value) - Number(e.min)) / (Number(e.max) - Number(e.min)))(/** @type {HTMLInputElement} */ (document.querySelector("#limit"))));
            const x = (/** @type {number} */ s) => box.x + 8 + s * (box.width - 16);
            await page.drag({ x: x(share), y: at.y }, { x: x(Math.max(0.05, share - 0.3)), y: at.y });
            await ready(page);
            return Number(await valueOf(page, "#limit")) < kept.limit && (await tile(page, HOT)) < kept.hot && (await tile(page, WALL)) < kept.wall;
        }],
        ["the value before stays beside the new one", async () => (await count(page, "#verdict .before")) > 0],
        ["one undo takes back the whole movement", async () => {
            await undo();
            const [limit, hot] = [Number(await valueOf(page, "#limit")), await tile(page, HOT)];
            return (limit === kept.limit && hot === kept.hot) || `${limit} W, ${hot} °C instead of ${kept.limit} W, ${kept.hot} °C`;
        }],
        ["redo does it again", async () => {
            await page.click("#redo");
            await rested(page);
            return Number(await valueOf(page, "#limit")) < kept.limit && (await tile(page, WALL)) < kept.wall;
        }],
        ["Control+Z undoes", async () => {
            await focus(page, "#limit");
            await page.press("Control+z");
            await rested(page);
            return Number(await valueOf(page, "#limit")) === kept.limit;
        }],
        ["a slider moves by arrow keys", async () => {
            const before = Number(await valueOf(page, "#limit"));
            await focus(page, "#limit");
            for (let i = 0; i < 3; i++) await page.press("ArrowLeft");
            await ready(page);
            const after = Number(await valueOf(page, "#limit"));
            return before - after === 3 * Number(await page.run(() => document.querySelector("#limit")?.getAttribute("step")));
        }],
        ["it keeps the focus", () => page.run(() => document.activeElement?.id === "limit")],
        ["a hotter room: hotter cards", async () => {
            const before = await tile(page, HOT);
            await set(page, "#room", 38);
            await ready(page);
            await shot("hot");
            return (await tile(page, HOT)) > before + 3;
        }],
        ["the room cools down again", async () => {
            await set(page, "#room", 25);
            return (await ready(page)) && (await tile(page, HOT)) < 80;
        }],
        ["twice the price: twice the cost", async () => {
            await set(page, "#price", 0.2);
            await rested(page);
            const before = await tile(page, YEAR);
            await set(page, "#price", 0.4);
            await rested(page);
            return Math.abs((await tile(page, YEAR)) / before - 2) < 0.01;
        }],
        ["the commands do what the page shows", () => native(page, dir, /new --gpus 4 .*--set 'tariff.price=0.4 USD\/kWh'/s)],
        [screen.touch ? "a card is tapped, then its place" : "a card is dragged to another slot", async () => {
            const from = await slotOf(page, 3), to = 8;
            await page.place('#machine [data-id="gpu3"]');
            const a = await slotPlace(page, "gpu3", from), b = await slotPlace(page, "gpu3", to);
            if (screen.touch) {
                await page.click(a);
                const frames = await count(page, "#machine .place");
                if (!frames || (await page.run(() => document.activeElement?.id === "gpu-3-part"))) return `${frames} free places are framed`;
                await page.click(await slotPlace(page, "gpu3", to));
            } else {
                await page.drag(a, b);
            }
            await rested(page);
            return (await slotOf(page, 3)) === to || `slot ${from} became ${await slotOf(page, 3)}`;
        }],
        ["a card cannot stand on another: it goes back, with the reason", async () => {
            const from = await slotOf(page, 3);
            await page.place('#machine [data-id="gpu3"]');
            if (screen.touch) { // on a touch screen a place with another card cannot be tapped; instead a slot is typed, which is refused like any wrong value
                await set(page, "#gpu-3-Slot", await slotOf(page, 0));
                await says(page, "#messages", /\S/);
                const said = await textOf(page, "#messages");
                return (await undo(), said.length > 10);
            }
            const to = await slotOf(page, 0);
            await page.drag(await slotPlace(page, "gpu3", from), await slotPlace(page, "gpu3", to));
            await says(page, "#machine .refusal", /\S/);
            await rested(page);
            await shot("put-back");
            const said = await textOf(page, "#machine .refusal"), far = await page.run(() => {
                const [note, frame] = [".refusal", ".place.refused"].map((s) => /** @type {Element} */ (document.querySelector("#machine " + s)).getBoundingClientRect());
                return Math.min(Math.abs(note.top - frame.bottom), Math.abs(frame.top - note.bottom));
            });
            return (new RegExp(`^gpu3, slot ${to}: .*gpu0`).test(said) && far < 20 && (await slotOf(page, 3)) === from && !(await textOf(page, "#messages")).trim()) || `"${said}", ${far} px from the frame, slot ${await slotOf(page, 3)}`;
        }],
        ["the next change takes the refusal away", async () => {
            await set(page, "#price", 0.3);
            return (await rested(page)) && (await count(page, ".refusal")) === 0;
        }],
        ["a card with no place further on stays, and the page says so there", async () => {
            const from = await slotOf(page, 0);
            await focus(page, '#machine [data-id="gpu0"]');
            await page.press("ArrowUp");
            return (await says(page, "#machine .refusal", /no free place/)) && (await slotOf(page, 0)) === from;
        }],
        ["arrows move a card", async () => {
            const from = await slotOf(page, 3);
            await focus(page, '#machine [data-id="gpu3"]');
            await page.press("ArrowUp");
            await rested(page);
            return (await slotOf(page, 3)) < from;
        }],
        ["the moved card keeps the focus", () => page.run(() => document.activeElement?.closest("[data-id]")?.getAttribute("data-id") === "gpu3")],
        ["a point of the fan curve is drawn up: faster fans, cooler cards, more noise", async () => {
            kept.rig = await rigOf(page);
            const [hot, noise] = [await tile(page, HOT), await tile(page, NOISE)], before = await curve(page);
            await page.place("#knot-3");
            const at = await knot(page, 3);
            await page.drag(at, { x: at.x, y: at.y - 25 });
            await rested(page);
            await shot("curve");
            const after = await curve(page);
            return (after[3][1] > before[3][1] + 5 && after[3][0] === before[3][0] && (await tile(page, HOT)) < hot && (await tile(page, NOISE)) >= noise && /fan-curve="[^"]*rpm"/.test(await rigOf(page))) || `${before} became ${after}; ${hot} °C, ${noise} dBA became ${await tile(page, HOT)}, ${await tile(page, NOISE)}`;
        }],
        ["a curve cannot fall: a point stops at its neighbours", async () => {
            await page.place("#knot-1");
            const at = await knot(page, 1);
            await page.drag(at, { x: at.x + 300, y: at.y - 300 });
            await rested(page);
            const now = await curve(page);
            return (now.every(([c, s], i) => !i || (c > now[i - 1][0] && s >= now[i - 1][1])) && now[1][1] === now[2][1]) || String(now);
        }],
        ["one undo takes back a drawn movement", async () => {
            await undo();
            await undo();
            return (await rigOf(page)) === kept.rig;
        }],
        ["a point moves by arrow keys and keeps the focus", async () => {
            const before = await curve(page);
            await focus(page, "#knot-2");
            for (const key of ["ArrowUp", "ArrowUp", "ArrowLeft", "PageDown"]) await page.press(key);
            await rested(page);
            const after = await curve(page), most = Math.max(before[1][1], before[2][1] + 2 - 10);
            return (after[2][0] === before[2][0] - 1 && after[2][1] === most && (await page.run(() => document.activeElement?.id === "knot-2"))) || `${before} became ${after}`;
        }],
        ["Delete takes a point away, a button adds one: two to five", async () => {
            const counts = [];
            for (let i = 0; i < 5; i++) await page.press("Delete");
            counts.push((await curve(page)).length);
            for (let i = 0; i < 5; i++) await page.click("#curve-more");
            counts.push((await curve(page)).length);
            await page.click("#curve-less");
            counts.push((await curve(page)).length);
            await rested(page);
            return String(counts) === "2,5,4" || String(counts);
        }],
        ["the program takes the drawn curve", () => native(page, dir, /gpu\[\*\]\.cooler\.fan-curve=/)],
        ["the card's own curve again", async () => {
            await page.click("#curve-reset");
            return (await rested(page)) && !/fan-curve/.test(await rigOf(page));
        }],
        ["a curve for one card alone", async () => {
            await set(page, "#cooling-of", "gpu2");
            await focus(page, "#knot-4");
            for (let i = 0; i < 3; i++) await page.press("ArrowLeft");
            await rested(page);
            const rig = await rigOf(page);
            return (rig.match(/fan-curve/g) ?? []).length === 1 && (await undo(), await undo(), await undo(), await set(page, "#cooling-of", "*"), true);
        }],
        ["another cooler, and the card's own again", async () => {
            await set(page, "#cooler", "cooler/aio-240");
            await rested(page);
            const rig = await rigOf(page), said = await textOf(page, "#messages");
            await undo();
            return ((rig.match(/<cooler part="cooler\/aio-240"\/>/g) ?? []).length === 4 && !said.trim()) || said;
        }],
        ["no free slots between the cards, and more again", async () => {
            const slots = async () => String(await Promise.all([0, 1, 2, 3].map((i) => slotOf(page, i))));
            await set(page, "#gap", 0);
            await rested(page);
            const near = await slots();
            await set(page, "#gap", 1);
            await rested(page);
            return `${near} ${await slots()}` === "1,2,3,4 1,3,5,7" || `${near} ${await slots()}`;
        }],
        ["Enter on a card leads to its fields", async () => {
            await focus(page, '#machine [data-id="gpu1"]');
            await page.press("Enter");
            return page.run(() => document.activeElement?.id === "gpu-1-part");
        }],
        ["Delete takes a card out", async () => {
            await focus(page, '#machine [data-id="gpu1"]');
            await page.press("Delete");
            return showsCards(page, 3);
        }],
        ["undo brings it back", async () => (await undo()) && (await cards(page)) === 4],
        ["a card is added", async () => {
            await page.click("#gpu-3-remove");
            await showsCards(page, 3);
            await page.click("#add-gpu");
            return showsCards(page, 4);
        }],
        ["a button takes a card out", async () => {
            await page.click("#gpu-0-remove");
            return showsCards(page, 3);
        }],
        ["a PSU is added", async () => {
            await page.click("#add-psu");
            await rested(page);
            return (await count(page, '#machine .part-of[data-id^="psu"]')) === 2;
        }],
        ["and taken out", async () => {
            await page.click("#psu-1-remove");
            await rested(page);
            return (await count(page, '#machine .part-of[data-id^="psu"]')) === 1;
        }],
        ["another card is chosen", async () => {
            await set(page, "#gpu-0-part", "gpu/rtx-4090");
            await rested(page);
            return (await rigOf(page)).includes("gpu/rtx-4090") && !(await textOf(page, "#messages")).trim();
        }],
        ["an unknown card is refused with its place and a name like it", async () => {
            await set(page, "#gpu-0-part", "gpu/rtx-409");
            await says(page, "#messages", /rtx-4/);
            await shot("refused");
            return /\d+:\d+/.test(await textOf(page, "#messages")) && /did you mean/i.test(await textOf(page, "#messages")) || (await textOf(page, "#messages"));
        }],
        ["undo takes the message away", async () => (await undo()) && !(await textOf(page, "#messages")).trim()],
        ["a limit typed for one card", async () => {
            await set(page, "#gpu-1-Limit\\,\\ W", 250);
            await rested(page);
            return (await rigOf(page)).includes('power-limit="250 W"');
        }],
        ["a limit that no card has is refused", async () => {
            await set(page, "#gpu-1-Limit\\,\\ W", 5000);
            await says(page, "#messages", /\S/);
            return (await textOf(page, "#messages")).includes("5000");
        }],
        ["and taken back", async () => (await undo()) && !(await textOf(page, "#messages")).trim()],
        ["two cards that decode in Japan: yen, 100 V", async () => {
            await set(page, "#count", 2);
            await set(page, "#card", "gpu/rtx-4090");
            await set(page, "#model", "decode");
            await set(page, "#country", "jp");
            await page.click("#start");
            await showsCards(page, 2);
            return /JPY/.test(await textOf(page, "#verdict")) && /"100 V"/.test(await rigOf(page));
        }],
        ["a language model: tokens a second", async () => {
            const model = await page.run(() => [.../** @type {NodeListOf<HTMLOptionElement>} */ (document.querySelectorAll("#model option"))].map((o) => o.value).find((v) => /llama.*8b/.test(v)) ?? "");
            await set(page, "#model", model);
            await page.click("#start");
            await says(page, "main", /tokens/);
            await rested(page);
            await shot("tokens");
            return /\d tokens/.test(await textOf(page, "#sentence")) || `${model}: ${await textOf(page, "#sentence")}`;
        }],
        ["an unknown card in the question is refused with a name like it", async () => {
            await set(page, "#card", "gpu/rtx-309");
            await page.click("#start");
            return says(page, "#messages", /rtx-309/);
        }],
        ["four cards again", async () => {
            for (const [id, v] of /** @type {[string, string][]} */ ([["count", "4"], ["card", "gpu/rtx-3090"], ["model", "training"], ["country", "us"]])) await set(page, `#${id}`, v);
            await page.click("#start");
            return (await showsCards(page, 4)) && !(await textOf(page, "#messages")).trim();
        }],
        ["hotter outdoors: a dearer year of cooling", async () => {
            const before = await tile(page, YEAR);
            await set(page, "#outdoor", 40);
            await rested(page);
            return (await tile(page, YEAR)) > before && (await undo());
        }],
        ["work and cost over the power limit: a table and a chart", async () => {
            await page.click("#ask-limit");
            await page.until(() => document.querySelectorAll("#answer tbody tr").length >= 8, 60000);
            await shot("limits");
            return (await count(page, "#answer svg")) > 0;
        }],
        ["less power, less work: throughput falls with the limit", () => page.run(() => {
            const work = [...document.querySelectorAll("#answer tbody tr")].slice(1).map((r) => parseFloat(r.querySelector("td")?.textContent ?? ""));
            return work.length > 5 && work.every((w, i) => !i || w >= work[i - 1] - 1e-9);
        })],
        ["each row has its command", () => page.until(() => { // rows may still come
            const lines = (document.querySelector("#command")?.textContent ?? "").split("\n").filter((l) => /^wattsink steady .*power-limit=\d+ W'.* # \d+ W$/.test(l));
            return lines.length > 0 && lines.length === document.querySelectorAll("#answer tbody tr").length - 1;
        }, 60000)],
        ["a row of the answer is used", async () => {
            const before = await rigOf(page);
            await page.click("#answer tbody tr:nth-child(3) button");
            await rested(page);
            return (await rigOf(page)) !== before;
        }],
        ["a search for limits is cancelled", async () => {
            await page.run(() => document.querySelector("#answer")?.replaceChildren());
            await page.click("#better");
            const seen = await page.until(() => !(/** @type {HTMLElement} */ (document.querySelector("#progress")).hidden), 5000);
            await page.run(() => /** @type {HTMLElement} */ (document.querySelector("#cancel")).click());
            return seen && (await says(page, "#answer", /Cancelled/)) && (await page.run(() => /** @type {HTMLElement} */ (document.querySelector("#progress")).hidden));
        }],
        ["better limits are found by keyboard: of each card, with what they change and ±", async () => {
            await page.run(() => document.querySelector("#answer")?.replaceChildren());
            await focus(page, "#better");
            await page.press("Enter");
            const moved = await page.until(() => /** @type {HTMLProgressElement} */ (document.querySelector("#progress progress")).value > 0, 60000);
            if (!(await page.until(() => document.querySelectorAll("#answer tbody tr").length === 2, 120000))) return textOf(page, "#answer");
            await shot("better");
            const told = await textOf(page, "#answer p"), cells = await page.run(() => [...document.querySelectorAll("#answer tbody tr:nth-child(2) td")].map((d) => d.textContent ?? ""));
            return (moved && (told.match(/gpu\d: \d+ W/g) ?? []).length === 4 && cells.slice(0, 5).every((c) => /^[\d.]+ (±[\d.]+ |\S+ \([\d.]+–[\d.]+\)$)/.test(c))) || `${told} / ${cells}`;
        }],
        ["the program finds the same limits", async () => {
            const command = (await textOf(page, "#command")).split("\n").filter((l) => !l.startsWith("wattsink steady ")).join("\n").replace(/^wattsink optimise .*/m, "$& --json -q"), at = mkdtempSync(join(dir, "search-")), program = resolve(process.env.WATTSINK ?? "build/wattsink");
            if (command.includes("#")) writeFileSync(join(at, "rig.xml"), await rigOf(page));
            const said = execFileSync("sh", ["-ec", `wattsink() { '${program}' "$@"; }\n${command}`], { cwd: at, encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
            const theirs = [...(/"simplest": \{"set": \[(.*?)\], "/s.exec(said)?.[1] ?? "").matchAll(/=(\d+)W/g)].map((m) => m[1]), ours = [...(await textOf(page, "#answer p")).matchAll(/gpu\d: (\d+) W/g)].map((m) => m[1]);
            if (/"as_is_compared": "(as-good|better)"/.test(said) !== (await textOf(page, "#answer p")).includes("better than those of the rig")) return `another verdict on the rig as it is: ${said}`;
            return (theirs.length === 4 && String(theirs) === String(ours)) || `${theirs} / ${ours}: ${command}`;
        }],
        ["they are used by one click, and undone by one", async () => {
            const before = await rigOf(page), ours = [...(await textOf(page, "#answer p")).matchAll(/gpu\d: (\d+) W/g)].map((m) => m[1]);
            await page.click("#answer tbody tr:nth-child(2) button");
            await rested(page);
            const used = [...(await rigOf(page)).matchAll(/<gpu [^>]*power-limit="(\d+) W"/g)].map((m) => m[1]);
            await undo();
            return (String(used) === String(ours) && (await rigOf(page)) === before) || `${used} / ${ours}`;
        }],
        ["free slots between cards are compared", async () => {
            await page.click("#ask-space");
            return page.until(() => /0|free/.test(document.querySelector("#answer")?.textContent ?? ""), 60000);
        }],
        ["Bronze to Titanium: the wall's power falls", async () => {
            await page.click("#ask-psu");
            await page.until(() => document.querySelectorAll("#answer tbody tr").length === 6, 60000);
            return page.run(() => {
                const watts = [...document.querySelectorAll("#answer tbody tr")].slice(1).map((r) => parseFloat(r.querySelectorAll("td")[2]?.textContent ?? ""));
                return watts.every((w, i) => !i || w <= watts[i - 1]) || watts.join(" ");
            });
        }],
        ["35 °C outdoors is the dearest of the answers", async () => { // it need not be the one with the hottest GPU, because the air conditioner holds the temperature of the room
            await page.click("#ask-hot");
            await page.until(() => document.querySelectorAll("#answer tbody tr").length === 5, 60000);
            return page.run(() => {
                const years = [...document.querySelectorAll("#answer tbody tr")].slice(1).map((r) => parseFloat(r.querySelectorAll("td")[4]?.textContent ?? ""));
                return years.every((y, i) => !i || y >= years[i - 1]) || years.join(" ");
            });
        }],
        ["a week is cancelled", async () => {
            await page.run(() => document.querySelector("#answer")?.replaceChildren());
            await page.click("#week");
            const seen = await page.until(() => !(/** @type {HTMLElement} */ (document.querySelector("#progress")).hidden), 5000);
            await page.run(() => /** @type {HTMLElement} */ (document.querySelector("#cancel")).click());
            return seen && (await says(page, "#answer", /Cancelled/)) && (await page.run(() => /** @type {HTMLElement} */ (document.querySelector("#progress")).hidden));
        }],
        ["the page goes on afterwards", async () => {
            await set(page, "#room", 24);
            return rested(page);
        }],
        ["a week is run, and its report shown in the page", async () => {
            await page.run(() => document.querySelector("#answer")?.replaceChildren());
            await page.click("#week");
            const seen = await page.until(() => document.querySelector("#report")?.shadowRoot?.querySelector("svg"), 60000);
            await shot("report");
            return seen && (await page.run(() => document.documentElement.scrollWidth <= innerWidth)) || (seen ? "wider than the screen" : "no report");
        }],
        ["the fans of a server's wall take another curve", async () => {
            await openFile(page, resolve("scenarios/h100-4u/rig.xml"));
            await showsCards(page, 8);
            const hot = await tile(page, HOT);
            await set(page, "#cooling-of", "fan0");
            for (const [id, key] of [["#knot-3", "ArrowLeft"], ["#knot-2", "PageUp"], ["#knot-1", "PageUp"]]) {
                await focus(page, id);
                await page.press(key);
            }
            await rested(page);
            await shot("wall");
            return ((await tile(page, HOT)) < hot - 1 && /<fan id="fan0" at="wall" curve="/.test(await rigOf(page))) || `${hot} became ${await tile(page, HOT)}`;
        }],
        ["they run at a fixed speed, then follow the air that enters", async () => {
            const hot = await tile(page, HOT);
            await set(page, "#follows", "none");
            await rested(page);
            const cold = await tile(page, HOT), knots = await count(page, ".knot");
            await set(page, "#follows", "inlet");
            await rested(page);
            return (cold < hot && knots === 0 && (await curve(page)).length === 2 && !(await textOf(page, "#messages")).trim()) || `${hot}, ${cold}, ${knots}`;
        }],
        ["a file with a rig is opened", async () => {
            await openFile(page, resolve("scenarios/quad-3090-15a/350.xml"));
            return showsCards(page, 4);
        }],
        ["its sentence is the program's", async () => {
            const path = file("same.xml", await rigOf(page));
            const told = JSON.parse(execFileSync(process.env.WATTSINK ?? "build/wattsink", ["steady", path, "--json", "-q"], { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } }));
            const plain = (/** @type {string} */ s) => s.replace(/[−]/g, "-").replace(/ /g, " ").trim();
            return plain(told.verdict.text).startsWith(plain(await textOf(page, "#sentence"))) || `${await textOf(page, "#sentence")} / ${told.verdict.text}`;
        }],
        ["a broken rig: every mistake, with its place", async () => {
            await openFile(page, file("broken.xml", BROKEN));
            await says(page, "#messages", /mid-towr/);
            await shot("broken");
            const said = await textOf(page, "#messages");
            return (/3:\d+/.test(said) && /5:\d+/.test(said) && /did you mean/.test(said) && /last rig that works/.test(await textOf(page, "#sentence"))) || said;
        }],
        ["a file that is no XML", async () => {
            await openFile(page, file("torn.xml", "<rig name='x'><site"));
            return says(page, "#messages", /\d+:\d+/);
        }],
        ["an empty file and a binary one are refused in words", async () => {
            await openFile(page, file("empty.xml", ""));
            const empty = await says(page, "#messages", /\S/);
            await openFile(page, file("bytes.xml", Uint8Array.from({ length: 3000 }, (_, i) => (i * 7919) & 255)));
            return empty && says(page, "#messages", /\S/);
        }],
        ["a rig of last use is opened again", async () => {
            await openFile(page, resolve("scenarios/single-3090/rig.xml"));
            return (await showsCards(page, 1)) && !(await textOf(page, "#messages")).trim();
        }],
        ["where a card does not fit whole, the reason stands at that place", async () => {
            const last = await page.run(() => Number(/** @type {SVGSVGElement} */ (document.querySelector("#machine svg[data-pitch]")).dataset.slots)), from = await slotOf(page, 0);
            await page.place('#machine [data-id="gpu0"]');
            const a = await slotPlace(page, "gpu0", from), b = await slotPlace(page, "gpu0", last);
            if (screen.touch) {
                await page.click(a);
                await page.click(b);
            } else {
                await page.drag(a, b);
            }
            await says(page, "#machine .refusal", /\S/);
            await rested(page);
            await shot("no-room");
            const is = await page.run(() => {
                const note = document.querySelector("#machine .refusal"), [n, f] = [note, document.querySelector("#machine .place.refused")].map((e) => e?.getBoundingClientRect());
                return n && f ? { said: note?.textContent ?? "", far: Math.min(Math.abs(n.top - f.bottom), Math.abs(f.top - n.bottom)), inside: n.left >= 0 && n.right <= innerWidth } : null;
            });
            return (is && new RegExp(`^gpu0, slot ${last}: `).test(is.said) && is.far < 20 && is.inside && (await slotOf(page, 0)) === from) || JSON.stringify(is);
        }],
        ["the saved file is a rig that the program accepts", async () => {
            const down = mkdtempSync(join(dir, "down-"));
            await page.downloads(down);
            await page.click("#save");
            for (let i = 0; i < 100 && !readdirSync(down).includes("rig.xml"); i++) await wait(50);
            execFileSync(process.env.WATTSINK ?? "build/wattsink", ["check", join(down, "rig.xml")], { stdio: "ignore" });
            return readFileSync(join(down, "rig.xml"), "utf8") === (await rigOf(page));
        }],
        ["the address keeps the rig over a reload", async () => {
            await set(page, "#room", 31.5);
            await rested(page);
            const [sentence, rig] = [await textOf(page, "#sentence"), await rigOf(page)];
            await page.click("#share");
            await page.reload();
            await rested(page);
            return sentence === (await textOf(page, "#sentence")) && rig === (await rigOf(page)) && Number(await valueOf(page, "#room")) === 31.5;
        }],
        ["another address shows another rig at once", async () => {
            const one = await page.run(() => location.hash);
            await set(page, "#room", 20);
            await rested(page);
            await page.run((h) => void (location.hash = h), one);
            return page.until(() => /** @type {HTMLInputElement} */ (document.querySelector("#room")).value === "31.5", 20000);
        }],
        ["a damaged address shows the first rig", async () => {
            await page.open("about:blank");
            await page.open(url + "#r=notarig");
            return (await rested(page)) && (await cards(page)) === 4;
        }],
        ["without a network it starts as well", async () => {
            await page.offline(true);
            await page.reload();
            const there = await rested(page);
            await page.offline(false);
            return there && (await cards(page)) === 4;
        }],
        ["Japanese", async () => {
            kept.sentence = await textOf(page, "#sentence");
            await set(page, "#lang", 1);
            await rested(page);
            await shot("ja");
            const left = await page.run(() => [...document.querySelectorAll("button, label > span, h2, h3, #sentence, dt")].map((e) => e.textContent ?? "").filter((s) => /[a-z]{4}/.test(s) && !/[ぁ-んァ-ン一-龠]/.test(s)));
            return ((await page.run(() => document.documentElement.lang === "ja")) && !left.length) || left.join(", ");
        }],
        ["it fits the width, too", () => page.run(() => document.documentElement.scrollWidth <= innerWidth)],
        ["and English again", async () => {
            await set(page, "#lang", 0);
            await rested(page);
            return (await textOf(page, "#sentence")) === kept.sentence;
        }],
        ["throughput with heat and limits is the program's", async () => {
            const text = rigWith('<room temperature="32 degC"/>', GOLD + '<fan part="fan/generic-120-1500" at="front" count="3"/><gpu part="gpu/rtx-3090" slot="1" power-limit="209 W"/><gpu part="gpu/rtx-3090" slot="4" power-limit="209 W"/>'), path = file("throttles.xml", text);
            const told = JSON.parse(execFileSync(process.env.WATTSINK ?? "build/wattsink", ["steady", path, "--json", "-q"], { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } }));
            await openFile(page, path);
            await rested(page);
            await page.click("#ask-hot");
            await page.until(() => document.querySelectorAll("#answer tbody tr").length === 5, 60000);
            const ours = parseFloat(await textOf(page, "#answer tbody td")), theirs = /Throughput (\d+) %/.exec(told.verdict.text)?.[1];
            return (Math.abs(ours - Number(theirs)) <= 0.55 && told.work.lost_fraction > 0.05 && told.work.lost_to_limit_fraction > 0.05) || `${ours} % / ${told.verdict.text}`;
        }],
        ["values in other units are shown in the page's", async () => {
            await openFile(page, file("units.xml", rigWith('<room temperature="77 degF"/><tariff kind="flat" price="310 EUR/MWh"/>', '<psu part="psu/tier-gold-1600" rated="1.6 kW"/><gpu part="gpu/rtx-3090-blower" slot="1" power-limit="0.3 kW"/><gpu part="gpu/rtx-3090-blower" slot="4" power-limit="0.3 kW"/>', 'kind="constant" class="training" load="0.8"')));
            await rested(page);
            const is = String(await page.run(() => ["limit", "room", "duty", "price", "gpu-0-Limit, W"].map((id) => /** @type {HTMLInputElement | null} */ (document.getElementById(id))?.value)));
            await page.click("#ask-psu");
            return (is === "300,25,80,0.31,300" && (await page.until(() => document.querySelectorAll("#answer tbody tr").length === 6, 60000))) || is;
        }],
        ["the price goes down to 0 and back up, with a chart of each", async () => {
            const most = await page.run(() => /** @type {HTMLInputElement} */ (document.querySelector("#price")).max);
            await set(page, "#price", 0);
            await rested(page);
            await page.click("#ask-limit");
            await page.until(() => document.querySelectorAll("#answer tbody tr").length === 10, 60000);
            const drawn = await page.run(() => document.querySelector("#answer svg")?.outerHTML ?? "");
            await set(page, "#price", 0.9);
            await rested(page);
            return (most === "1" && /class="line cost"/.test(drawn) && !/NaN/.test(drawn) && (await rigOf(page)).includes('"0.9 EUR/kWh"')) || `${most} ${drawn}`;
        }],
        ["a search for limits ends when its rig is changed", async () => {
            await page.click("#better");
            await page.until(() => /** @type {HTMLProgressElement} */ (document.querySelector("#progress progress")).value > 0, 60000);
            await undo();
            return (await says(page, "#answer", /^Cancelled\.$/)) && (await page.run(() => /** @type {HTMLElement} */ (document.querySelector("#progress")).hidden));
        }],
        ["a new question ends the one that runs, and rigs have no answers of others", async () => {
            await page.click("#week");
            await page.click("#ask-hot");
            if (!(await page.until(() => document.querySelectorAll("#answer tbody tr").length === 5, 60000))) return textOf(page, "#answer");
            await set(page, "#room", 30);
            await page.click("#ask-limit");
            await openFile(page, file("cards.xml", rigWith(ROOM, GOLD + TWO)));
            await rested(page);
            return (!(await textOf(page, "#answer")) && (await count(page, "#verdict .before")) === 0) || `${await textOf(page, "#answer")} / ${await textOf(page, "#verdict")}`;
        }],
        ["an answer waits while another is cancelled", async () => {
            await page.click("#week");
            await page.until(() => /** @type {HTMLProgressElement} */ (document.querySelector("#progress progress")).value > 0, 60000);
            await page.drop("#drop", [resolve("scenarios/own-card/log.csv")]);
            await page.until(() => /./.test(document.querySelector("#fitted")?.textContent ?? ""), 20000);
            await page.run(() => /** @type {HTMLElement} */ (document.querySelector("#cancel")).click());
            return (await says(page, "#answer", /^Cancelled\.$/)) && (await page.until(() => document.querySelector("#fitted pre") !== null, 60000));
        }],
        ["each PSU of the answers has its rating at least, and one that is too small says so", async () => {
            await openFile(page, file("small.xml", rigWith(ROOM, '<psu part="psu/tier-gold-450"/>' + TWO)));
            await rested(page);
            await page.click("#ask-psu");
            await page.until(() => document.querySelectorAll("#answer tbody tr").length === 6, 60000);
            const small = ((await textOf(page, "#answer")).match(/too small/gi) ?? []).length;
            await openFile(page, file("large.xml", rigWith(ROOM, '<psu part="psu/server-titanium-3000"/>' + TWO)));
            await rested(page);
            await page.click("#ask-psu");
            return (small === 6 && (await says(page, "#answer", /No change of this kind fits/))) || `${small} ${await textOf(page, "#answer")}`;
        }],
        ["cards are compared over the limits that all can have", async () => {
            await openFile(page, file("mixed.xml", rigWith(ROOM, GOLD + '<gpu part="gpu/rtx-3090" slot="1"/><gpu part="gpu/gtx-1080" slot="5"/>')));
            await rested(page);
            const ends = await page.run(() => ((e) => [e.min, e.max])(/** @type {HTMLInputElement} */ (document.querySelector("#limit"))));
            await page.click("#ask-limit");
            await page.until(() => document.querySelectorAll("#answer tbody tr").length === 10, 60000);
            const rows = await page.run(() => [...document.querySelectorAll("#answer tbody tr")].map((r) => r.textContent ?? ""));
            return (Number(ends[1]) < 300 && rows.every((r) => !/does not work/.test(r))) || `${ends} ${rows}`;
        }],
        ["a rig without cards has answers without their columns", async () => {
            await openFile(page, file("none.xml", rigWith(ROOM, GOLD)));
            await rested(page);
            await page.click("#ask-hot");
            await page.until(() => document.querySelectorAll("#answer tbody tr").length === 5, 60000);
            return ((said) => !/Infinity|NaN/.test(said) || said)(await textOf(page, "#answer"));
        }],
        ["the program takes two cards out as well", async () => {
            for (const [id, v] of /** @type {[string, string][]} */ ([["count", "4"], ["card", "gpu/rtx-3090"], ["model", "training"], ["country", "us"]])) await set(page, `#${id}`, v);
            await page.click("#start");
            await showsCards(page, 4);
            for (const i of [3, 2]) {
                await page.click(`#gpu-${i}-remove`);
                await showsCards(page, i);
            }
            return native(page, dir, /gpu\[3\]=none' --set 'gpu\[2\]=none/);
        }],
        ["text that is not XML stays as it is", async () => {
            const text = "<rig name='x'><site supply='120 V'><chassis><gpu part='gpu/rtx-3090'/>";
            await openFile(page, file("open.xml", text));
            await says(page, "#messages", /\d+:\d+/);
            if (await count(page, "#gpu-0-remove")) await page.click("#gpu-0-remove");
            await page.run(() => /** @type {HTMLElement} */ (document.querySelector("#add-gpu")).click());
            await focus(page, '#machine [data-id="gpu0"]');
            await page.press("ArrowDown");
            await rested(page);
            return (await rigOf(page)) === text || rigOf(page);
        }],
        ["a log dropped on the page calibrates the rig", async () => {
            await openFile(page, resolve("scenarios/own-card/rig.xml"));
            await showsCards(page, 1);
            if (await textOf(page, "#fitted")) return "another rig still has the calibration of the one before";
            kept.own = await rigOf(page);
            await page.drop("#drop", [resolve("scenarios/own-card/log.csv")]);
            const there = await page.until(() => document.querySelector("#use-fitted"), 60000);
            await shot("fitted");
            return (there && /calibrate rig\.xml --log log\.csv/.test(await textOf(page, "#command"))) || (await textOf(page, "#fitted")) + (await textOf(page, "#command"));
        }],
        ["the calibrated rig is used", async () => {
            await page.click("#use-fitted");
            await rested(page);
            return (await rigOf(page)) !== kept.own;
        }],
        ["a log that is none is refused in words", async () => {
            await page.choose("#open", [file("none.csv", "this, is, no log\n1, 2, 3\n")]);
            return says(page, "#fitted", /log\.csv|none\.csv|column/);
        }],
        ["every control is reached by Tab, has a name and shows its focus", () => tabs(page)],
    ];
}

/** True if the focus reaches each control once by Tab and is visible there, or what is wrong. @param {Page} page @returns {Promise<true | string>} */
async function tabs(page) {
    await page.run(() => {
        /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
        scrollTo(0, 0);
    });
    const wanted = await page.run(() => [...document.querySelectorAll("button, input, select, #machine .part-of")].filter((e) => !/** @type {HTMLButtonElement} */ (e).disabled && e.checkVisibility() && /** @type {HTMLElement} */ (e).tabIndex >= 0).length);
    const seen = new Set(), bad = [];
    for (let i = 0; i < 2 * wanted && seen.size < wanted + 20; i++) {
        await page.press("Tab");
        const at = await page.run(() => {
            const e = document.activeElement;
            if (!e || e === document.body) return null;
            const of = getComputedStyle(e), around = e.closest("label.button") ?? e, outer = getComputedStyle(around);
            const marked = [of, outer].some((s) => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0) || e.closest("#machine, #curve") !== null;
            return { id: e.id || e.getAttribute("data-id") || `${e.tagName} ${e.textContent?.slice(0, 20)}`, marked };
        });
        if (!at) continue; // after the last control of the page the browser's own controls get the focus
        if (seen.has(at.id)) break;
        seen.add(at.id);
        if (!at.marked) bad.push(`${at.id} shows no focus`);
    }
    if (seen.size < wanted) bad.push(`${seen.size} of ${wanted} controls are reached`);
    const { nodes } = await page.send("Accessibility.getFullAXTree");
    for (const n of nodes)
        if (["button", "textbox", "slider", "spinbutton", "combobox", "link"].includes(n.role?.value) && !n.ignored && !n.name?.value) bad.push(`a ${n.role.value} without a name`);
    return bad.length ? bad.join("\n") : true;
}

/** @param {import("./tally.mjs").Tally} tally @param {import("./all.mjs").How} how only: a screen, such as "390-dark" */
export async function check(tally, { build, browser, url, shots, only, long }) {
    const dir = mkdtempSync(join(tmpdir(), "actions-")), { check, note, notOk } = tally;
    mkdirSync(shots, { recursive: true });
    let done = 0;
    try {
        for (const size of SIZES)
            for (const scheme of /** @type {("light" | "dark")[]} */ (["light", "dark"])) {
                /** @type {Screen} */
                const screen = { ...size, name: `${size.name}-${scheme}`, scheme, motion: scheme === "dark" ? "reduce" : "no-preference" };
                if (only && screen.name !== only) continue;
                const page = await visit(browser, url, screen), whole = long || only || WHOLE.includes(screen.name);
                const shot = async (/** @type {string} */ name) => {
                    await rested(page, 5000);
                    await page.shot(join(shots, `${screen.name}-${name}.png`), true);
                };
                const list = actions(page, { dir, screen, url, shot });
                for (const [name, act] of whole ? list : list.slice(0, 5)) {
                    const is = await act().catch((error) => `${error.stack ?? error}`);
                    check(`${screen.name}: ${name}`, is === true, is || "");
                    if (is !== true) await shot("failed-" + name.replace(/\W+/g, "-").slice(0, 40)).catch(() => {});
                    done++;
                    if (name === list[2][0]) {
                        await shot("start");
                        await audit(tally, page, `${screen.name}, at the start`, build);
                    }
                    if (["a broken rig: every mistake, with its place", "better limits are found by keyboard: of each card, with what they change and ±", "work and cost over the power limit: a table and a chart", "a week is run, and its report shown in the page", "Japanese"].includes(name))
                        await audit(tally, page, `${screen.name}, after "${name}"`, build);
                }
                if (screen.motion === "reduce") check(`${screen.name}: nothing moves by itself`, await page.run(() => !document.getAnimations().some((a) => Number(a.effect?.getComputedTiming().duration) > 20)));
                silent(tally, page, screen.name, url);
                if (page.dialogs.length) notOk(`${screen.name}: no dialog`, page.dialogs.join("\n"));
                await page.close();
            }
    } finally {
        rmSync(dir, { recursive: true, force: true });
    }
    note(`${done} actions; pictures in ${shots}`);
}
