// SPDX-License-Identifier: GPL-3.0-or-later
// Opens damaged and hostile rigs, as files and in the address. The page must say what is wrong, write nothing to the
// console, request nothing, take no element of the rig into itself, and answer afterwards.
import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { ready, rested, silent, textOf, visit } from "./visit.mjs";

const BASES = ["single-3090", "quad-3090-blower", "time-of-use-night/evening", "water-3090", "h100-4u"];
const NUMBERS = ["0", "-1", "1e308", "-1e308", "1e-308", "NaN", "inf", "99999999999999999999", "0x10", "", "1 W", "1,5", "350 350", "1e9999"];
const PIECES = ["<script>document.title='owned'</script>", "<img src=x onerror=\"document.title='owned'\"/>", "\"/><svg onload=\"document.title='owned'\"/>",
    "<!DOCTYPE rig [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>", "<!ENTITY x SYSTEM \"file:///etc/passwd\">", "<?xml-stylesheet href=\"http://example.invalid/x.css\"?>",
    "<style>@import url(http://example.invalid/x.css)</style>", "&lt;script&gt;", "]]>", "<![CDATA[", "\0", "\uFEFF", "\u202E", "𝕏", "javascript:alert(1)", "%s%n%p", "<gpu part=\"../../gpu/x\"/>", "<a>".repeat(600)];

/** The numbers are the same each time (xorshift), so that a failure can be repeated. @param {number} seed */
function random(seed) {
    let s = seed;
    return (/** @type {number} */ below) => {
        s ^= s << 13;
        s ^= s >>> 17;
        s ^= s << 5;
        return (s >>> 0) % below;
    };
}

/** @param {string} text @param {(below: number) => number} draw @returns {string} */
function mutate(text, draw) {
    const splice = (/** @type {number} */ at, /** @type {number} */ gone, /** @type {string} */ more) => text.slice(0, at) + more + text.slice(at + gone);
    const pick = (/** @type {RegExp} */ what) => {
        const all = [...text.matchAll(what)];
        return all.length ? all[draw(all.length)] : undefined;
    };
    for (let n = 1 + draw(3); n > 0; n--) {
        const at = draw(text.length + 1), length = draw(40), kind = draw(9);
        const tag = kind < 6 ? pick(/<[^>]*>/g) : undefined, number = pick(/-?\d+(\.\d+)?/g), value = pick(/"[^"]*"/g);
        if (kind === 0) text = splice(at, 1, String.fromCharCode(draw(256)));
        else if (kind === 1) text = splice(at, length, "");
        else if (kind === 2) text = splice(at, 0, text.slice(draw(text.length + 1)).slice(0, length));
        else if (kind === 3 && tag) text = splice(tag.index, tag[0].length, "");
        else if (kind === 4 && tag) text = splice(tag.index, 0, tag[0].repeat(1 + draw(30)));
        else if (kind === 5) text = splice(at, 0, PIECES[draw(PIECES.length)]);
        else if (kind === 6 && value) text = splice(value.index + 1, value[0].length - 2, PIECES[draw(PIECES.length)].replace(/[<"&]/g, (c) => `&#${c.charCodeAt(0)};`));
        else if (number) text = splice(number.index, number[0].length, NUMBERS[draw(NUMBERS.length)]);
    }
    return text;
}

/** @param {import("./browser.mjs").Page} page @param {string} text */
const openText = (page, text) => page.run((content) => {
    const input = /** @type {HTMLInputElement} */ (document.querySelector("#open")), files = new DataTransfer();
    files.items.add(new File([content], "rig.xml"));
    input.files = files.files;
    input.dispatchEvent(new Event("change"));
    return new Promise((done) => setTimeout(done, 20));
}, text);

/** @param {string | Buffer} text */
const pack = (text) => "#r=" + deflateRawSync(text).toString("base64url");
/** @param {import("./browser.mjs").Page} page @param {string} hash */
const openHash = (page, hash) => page.run((h) => {
    location.hash = h;
    return new Promise((done) => setTimeout(done, 20));
}, hash);

/** True if the page shows words and an answer to the last change, and nothing of the file has become part of the page. Otherwise says what is wrong. @param {import("./browser.mjs").Page} page */
async function stands(page) {
    if (!(await ready(page, 30000))) return `it is ${await page.run(() => document.documentElement.dataset.state)} after 30 s`;
    const intruder = await page.run(() => document.title === "owned" || document.querySelector("main script, main style:not([id]), main img[onerror], main svg[onload], main iframe:not(#report)")?.outerHTML.slice(0, 200));
    if (intruder) return `an element of the file is in the page: ${intruder}`;
    return (await textOf(page, "#sentence")).trim() ? true : "it says nothing";
}

/** @param {import("./tally.mjs").Tally} tally @param {import("./all.mjs").How} how only: number of one mutation, whose rig is printed */
export async function check(tally, { browser, url, only, long }) {
    const { check, notOk, ok } = tally, page = await visit(browser, url);
    /** @type {string[]} */
    const bad = [];
    await rested(page);
    const bases = BASES.map((b) => readFileSync(`scenarios/${b.includes("/") ? b : b + "/rig"}.xml`, "utf8"));
    const count = long ? 3000 : 120;
    /** @type {(what: string, open: () => Promise<unknown>) => Promise<void>} */
    const tries = async (what, open) => {
        const is = await open().then(() => stands(page)).catch((error) => String(error));
        if (is !== true) bad.push(`${what}: ${is}`);
    };
    for (let i = 0; i < count && bad.length < 10; i++) {
        if (only && i !== Number(only)) continue;
        const draw = random(2463534242 + i * 7919), rig = mutate(bases[i % bases.length], draw), way = i % 3;
        if (only) console.log(rig);
        if (way === 0) await tries(`file ${i}`, () => openText(page, rig));
        else if (way === 1) await tries(`address ${i}`, () => openHash(page, pack(rig)));
        else await tries(`damaged address ${i}`, () => openHash(page, "#r=" + mutate(pack(bases[i % bases.length]).slice(3), draw).replace(/[\s#]/g, "")));
    }
    check(`${count} damaged rigs: the page says something and answers`, !bad.length, bad.join("\n"));
    /** @type {[string, () => Promise<unknown>][]} */
    const special = [
        ["an address that unpacks to 200 MB", () => openHash(page, pack(Buffer.alloc(2e8, 32)))],
        ["an address of 1 MB", () => openHash(page, "#r=" + "A".repeat(1e6))],
        ["a rig of 20 MB", () => openText(page, bases[0].replace("</rig>", `<!--${" ".repeat(2e7)}--></rig>`))],
        ["a rig 10,000 elements deep", () => openText(page, "<rig>" + "<site>".repeat(1e4))],
        ["a rig of 500 cards", () => openText(page, bases[0].replace(/<gpu[^>]*\/>/, (g) => g.repeat(500)))],
        ["names with markup", () => openText(page, bases[0].replace(/<rig name="[^"]*"/, '<rig name="&lt;img src=x onerror=&quot;document.title=\'owned\'&quot;>"').replace(/<gpu /, '<gpu id="&lt;script>document.title=\'owned\'&lt;/script>" '))],
    ];
    for (const [what, open] of special) {
        const is = await open().then(() => stands(page)).catch((error) => String(error));
        if (is === true) ok(what);
        else notOk(what, is);
    }
    await openText(page, bases[0]);
    check("a good rig is shown afterwards", (await rested(page)) && !(await textOf(page, "#messages")).trim(), await textOf(page, "#messages"));
    silent(tally, page, "hostile rigs", url);
    check("hostile rigs: no dialog, no other page", !page.dialogs.length && (await page.run(() => location.href.split("#")[0])) === url);
    await page.close();
}
