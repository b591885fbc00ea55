// SPDX-License-Identifier: GPL-3.0-or-later
// build.mjs WEB JA.mo: makes the page in the folder WEB, with three compressed data files: parts (the catalogue and the
// time zones), ja (the translations) and engine.wasm. The page is made twice: site/, for any web host, and
// wattsink.html, one file that loads nothing else.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { unlzma } from "./lzma.js";

const [out, mo] = process.argv.slice(2);
const here = new URL(".", import.meta.url).pathname;
const text = (/** @type {string} */ file) => readFileSync(file, "utf8");
const hashOf = (/** @type {string} */ s) => `'sha256-${createHash("sha256").update(s).digest("base64")}'`;

// The references of sources would be a large part of the catalogue. Only those stay that state a spread, such as
// "1-3 W" or "+-1 mm", because sim/net/spread.c reads it, and of those the text from the first number on; not
// beside a spread of its own for the only value.
const withoutReferences = (/** @type {string} */ xml) => xml.replace(/<source\b[^>]*>/g, (source) =>
    / kind="assumed"/.test(source) && / ref="[^"]*(\d-\d|\+-)/.test(source) && !(/ for="[^" ]*"/.test(source) && / spread="[^"]*\d/.test(source))
        ? source.replace(/ ref="(?![^"]*spread \+-)[^"\d]* (?=[^\s"\d]*\d)/, ' ref="') : source.replace(/ ref="[^"]*"/, ' ref="-"'));

/** Sources of one kind that state nothing else become one, which names the values of all. @param {string} xml */
function withFewSources(xml) {
    /** @type {Map<string, string[]>} */
    const named = new Map();
    const plain = /<source for="([^"]*)" kind="([a-z]+)" ref="-" ?\/>/g;
    for (const [, names, kind] of xml.matchAll(plain)) named.set(kind, [...(named.get(kind) ?? []), names]);
    return xml.replace(plain, (_, _names, kind) => {
        const all = named.get(kind);
        named.delete(kind);
        return all ? `<source for="${all.join(" ")}" kind="${kind}" ref="-"/>` : "";
    });
}

/** @param {string} dir @returns {string} */
function packParts(dir) {
    let all = "";
    for (const entry of readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const path = join(dir, entry.name);
        if (entry.isDirectory()) all += packParts(path);
        else if (path.endsWith(".xml"))
            all += `${path}\0${withFewSources(withoutReferences(text(path).replace(/<!--[^]*?-->/g, "").replace(/>\s+</g, "><").replace(/\s+/g, " ")))}\0`;
    }
    return all;
}

/** Each line has a rule and the names of the zones where it holds from now on: it is the last line of their TZif files. The changes in the past would be far more data. @param {string} dir */
function packZones(dir) {
    /** @type {Map<string, string[]>} */
    const zones = new Map();
    for (const name of /** @type {string[]} */ (readdirSync(dir, { recursive: true })).sort()) {
        if (/^(posix|right)(\/|$)/.test(name) || statSync(join(dir, name)).isDirectory()) continue;
        const file = readFileSync(join(dir, name)), rule = file.toString("latin1").split("\n").at(-2);
        if (file.toString("latin1", 0, 4) === "TZif" && rule) zones.set(rule, [...(zones.get(rule) ?? []), name]);
    }
    if (!zones.size) throw new Error(`no time zones below ${dir} (Debian: tzdata)`);
    return `zones\0${[...zones].map(([rule, names]) => [rule, ...names].join(" ")).join("\n")}\0`;
}

/** Packs only translations whose English text is in the engine, in the form that catalogue.c reads. @param {Buffer} file @param {Buffer} engine */
function packWords(file, engine) {
    const hash = (/** @type {Buffer} */ b) => {
        const h = b.reduce((sum, c) => Math.imul(sum ^ c, 16777619) >>> 0, 2166136261);
        return (h ^ (h >>> 24)) & 0xffffff;
    };
    const entry = (/** @type {number} */ table, /** @type {number} */ i) => {
        const at = file.readUInt32LE(file.readUInt32LE(table) + 8 * i + 4);
        return file.subarray(at, at + file.readUInt32LE(file.readUInt32LE(table) + 8 * i));
    };
    /** @type {{hash: number, other: Buffer}[]} */
    const rows = [];
    for (let i = 0; i < file.readUInt32LE(8); i++) {
        const english = entry(12, i);
        if (english.length && engine.includes(english)) rows.push({ hash: hash(english), other: entry(16, i) });
    }
    if (new Set(rows.map((row) => row.hash)).size < rows.length) throw new Error("two texts have one hash: change catalogue.c's");
    if (rows.length > 4096) throw new Error("more texts than catalogue.c has room for");
    const head = Buffer.alloc(4 + 3 * rows.length);
    head.writeUInt32LE(rows.length, 0);
    rows.forEach((row, i) => head.writeUIntLE(row.hash, 4 + 3 * i, 3));
    return Buffer.concat([head, ...rows.flatMap((row) => [row.other, Buffer.from([0])])]);
}

/** The content as a .lzma file, with its size in the header. lc=4, pb=0: a byte is predicted from four bits of the byte before and not from its position, which packs wasm best. @param {Buffer} bytes */
function pack(bytes) {
    const file = join(out, "unpacked");
    writeFileSync(file, bytes);
    const { status, stdout, stderr } = spawnSync("xz", ["--format=lzma", "--lzma1=preset=9e,lc=4,pb=0", "-c", file], { maxBuffer: 1 << 26 });
    rmSync(file);
    if (status !== 0) throw new Error(`xz (Debian: xz-utils) failed: ${stderr}`);
    stdout.writeBigUInt64LE(BigInt(bytes.length), 5);
    if (!bytes.equals(unlzma(stdout))) throw new Error("lzma.js does not give back what xz packed");
    return stdout;
}

/** The same script without comments and with short names, which makes it smaller. @param {string} script @param {string} scope */
function minify(script, scope) {
    const { status, stdout, stderr } = spawnSync("terser", ["--compress", "passes=3", "--mangle", scope], { input: script, encoding: "utf8", maxBuffer: 1 << 26 });
    if (status !== 0) throw new Error(`terser (Debian: terser) failed: ${stderr}`);
    return stdout;
}

// The modules of the page, each after those that it imports. In the single file they are joined to one script, in which
// names need no import and no export.
const modules = ["dom", "words", "lzma", "engine", "rig", "fans", "turn", "view", "ask", "keep", "main"];
const bundle = () => minify(modules.map((m) => text(join(here, m + ".js")).replace(/^import [^;]*;\n/gm, "").replace(/^export /gm, "")).join("\n"), "--module");

const engine = readFileSync(join(out, "engine.wasm"));
const data = { "engine.wasm": engine, parts: Buffer.from(packParts("parts") + packZones("/usr/share/zoneinfo")), ja: packWords(readFileSync(mo), engine) };
const page = text(join(here, "page.html")), style = text(join(here, "page.css")).replace(/\/\*[^]*?\*\/\n?/g, "").replace(/([{},;])\n/g, "$1"),
    worker = minify(text(join(out, "engine.js")) + text(join(here, "worker.js")), "--toplevel");
// If a rig is not XML, Chromium's parser makes a document with style attributes, and would report them in the console
// without unsafe-inline.
const policy = (/** @type {string} */ script, /** @type {string} */ styles, /** @type {string} */ connect) =>
    `default-src 'none'; script-src ${script} 'wasm-unsafe-eval'; worker-src blob:; style-src ${styles}; style-src-attr 'unsafe-inline'; img-src data: blob:; ` +
    `connect-src ${connect}; base-uri 'none'; form-action 'none'`;
const fill = (/** @type {Record<string, string>} */ by) => page.replace(/<!--(\w+)-->/g, (_, /** @type {string} */ name) => by[name] ?? (name === "rig" ? "<!--rig-->" : ""));

mkdirSync(join(out, "site"), { recursive: true });
let inline = "";
for (const [name, bytes] of Object.entries(data)) {
    const packed = pack(bytes);
    writeFileSync(join(out, "site", name + ".lzma"), packed);
    inline += `<script type="application/octet-stream" id="${name}">${packed.toString("base64")}</script>\n`;
}
// "</" in the worker's text could end the script element that holds it.
inline += `<script type="text/plain" id="worker">${worker.replace(/<\//g, "<\\/")}</script>\n`;
const script = bundle();
writeFileSync(join(out, "wattsink.html"), fill({
    policy: policy(hashOf(script), hashOf(style), "'none'"),
    style: `<style>${style}</style>`, data: inline, script: `<script type="module">${script}</script>`,
}));
writeFileSync(join(out, "site", "index.html"), fill({
    policy: policy("'self'", "'self'", "'self'"),
    style: '<link rel="stylesheet" href="page.css">', script: '<script type="module" src="main.js"></script>',
}));
writeFileSync(join(out, "site", "page.css"), style);
writeFileSync(join(out, "site", "worker"), worker);
for (const m of modules) writeFileSync(join(out, "site", m + ".js"), text(join(here, m + ".js")));
const kb = (/** @type {Buffer} */ b) => (pack(b).length / 1e3).toFixed(0);
console.log(`  WEB  wattsink.html: ${(gzipSync(readFileSync(join(out, "wattsink.html")), { level: 9 }).length / 1e3).toFixed(0)} kB gzipped (` +
    Object.entries(data).map(([n, b]) => `${n} ${kb(b)}`).join(", ") + `, worker ${kb(Buffer.from(worker))}, page ${kb(Buffer.from(script + style))})`);
