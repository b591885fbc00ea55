// SPDX-License-Identifier: GPL-3.0-or-later
// numbers.mjs BUILD [RIG...]: the page's engine gives the numbers of the program: the steady point and the summary of one
// day, of each scenario or of the rigs named. Only the C library's functions may differ (exp, pow and their like: musl's in
// the page), so that numbers may differ by 1e-9 of their size; each rig that is not equal to the last bit is named.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { startEngine } from "./engine.mjs";
import { tally } from "./tally.mjs";

const MOST_REL = 1e-9;
// Keys that hold differences of nearly equal energies, as shares of what passed: their size says nothing about their
// accuracy, their distance does.
const RESIDUALS = /\.(residual_rel|splitting_rel)$/, MOST_RESIDUAL = 1e-9;

/** @typedef {{rel: number, where: string, bad: string[]}} Distance */

/** How far two JSON values are from each other. @param {any} native @param {any} ours @param {string} [at] @param {Distance} [far] */
export function distance(native, ours, at = "", far = { rel: 0, where: "", bad: [] }) {
    if (at.endsWith(".wall_clock_s") || Object.is(native, ours)) return far;
    const kinds = [native, ours].map((v) => (Array.isArray(v) ? "array" : v === null ? "null" : typeof v));
    if (kinds[0] !== kinds[1]) far.bad.push(`${at}: ${kinds[0]}, in the page ${kinds[1]}`);
    else if (kinds[0] === "object" || kinds[0] === "array")
        for (const key of new Set([...Object.keys(native), ...Object.keys(ours)])) distance(native[key], ours[key], `${at}.${key}`, far);
    else if (kinds[0] === "number") {
        const off = Math.abs(native - ours), rel = off / Math.max(Math.abs(native), Math.abs(ours));
        if (RESIDUALS.test(at) ? off > MOST_RESIDUAL : !(rel <= MOST_REL)) far.bad.push(`${at}: ${native}, in the page ${ours}`);
        if (!RESIDUALS.test(at) && rel > far.rel) Object.assign(far, { rel, where: at });
        else if (!far.where) far.where = at;
    } else far.bad.push(`${at}: ${native}, in the page ${ours}`);
    return far;
}

/** Runs the program. @param {string} program @param {string[]} args @returns {Promise<{code: number, out: string}>} */
const native = (program, args) => new Promise((done) => {
    const env = { ...process.env, LC_ALL: "C" };
    delete env.SOURCE_DATE_EPOCH; // the engine asks the clock how old prices are
    execFile(program, args, { env, maxBuffer: 1 << 26 }, (error, out) => done({ code: error ? Number(error.code ?? 1) : 0, out }));
});

/** All files beside a rig: those that it may name. @param {string} rig */
const beside = (rig) => Object.fromEntries(readdirSync(dirname(rig)).filter((f) => /\.(csv|txt|epw)$/.test(f))
    .map((f) => [f, readFileSync(join(dirname(rig), f), "utf8")]));

const scenarios = () => readdirSync("scenarios", { withFileTypes: true }).filter((e) => e.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((e) => readdirSync(join("scenarios", e.name)).filter((f) => f.endsWith(".xml")).sort().map((f) => join("scenarios", e.name, f)));

const { ok, notOk, end } = tally();

// The comparison itself: it sees what it should, and lets pass what it may.
const sample = { a: [1, { b: 2.5, c: "x", d: null, residual_rel: 1e-16 }], wall_clock_s: 3 };
/** @param {string} what @param {any} other @param {number} bad */
const sees = (what, other, bad) => (distance(sample, other).bad.length === bad ? ok : notOk)(`the comparison ${bad ? "sees" : "allows"} ${what}`);
sees("another clock", { ...sample, wall_clock_s: 9 }, 0);
sees("another last bit", { ...sample, a: [1, { ...sample.a[1], b: 2.5 + 4.5e-16 }] }, 0);
sees("another residual", { ...sample, a: [1, { ...sample.a[1], residual_rel: -3e-15 }] }, 0);
sees("a number off by 2e-9", { ...sample, a: [1, { ...sample.a[1], b: 2.5 + 5e-9 }] }, 1);
sees("another text", { ...sample, a: [1, { ...sample.a[1], c: "y" }] }, 1);
sees("a number in the place of null", { ...sample, a: [1, { ...sample.a[1], d: 0 }] }, 1);
sees("a missing key", { a: sample.a.slice(0, 1), wall_clock_s: 3 }, 1);

const build = process.argv[2], program = join(build, "wattsink"), rigs = process.argv.slice(3);
if (!rigs.length) rigs.push(...scenarios());
const ask = await startEngine(join(build, "web/site"));
const scratch = mkdtempSync(join(tmpdir(), "numbers-"));
let equal = 0, most = { rel: 0, what: "" };

/** @param {string} what @param {any} theirs @param {any} ours */
function judge(what, theirs, ours) {
    const far = distance(theirs, ours);
    if (far.rel > most.rel) most = { rel: far.rel, what: `${what}${far.where}` };
    if (far.bad.length) notOk(what, far.bad.slice(0, 10).join("\n"));
    else if (far.where) ok(`${what}: not to the last bit: ${far.rel.toExponential(1)} in ${far.where.slice(1)}`);
    else {
        equal++;
        ok(what);
    }
}

try {
    for (const [i, rig] of rigs.entries()) {
        const xml = readFileSync(rig, "utf8"), dir = join(scratch, String(i)), files = beside(rig);
        const steady = native(program, ["steady", rig, "--json", "-q"]);
        const day = native(program, ["run", rig, "--for", "1d", "--leap", "-o", dir, "-q"]);
        const ours = await ask("command", { argv: ["steady", "rig.xml", "--json", "-q"], files: { ...files, "rig.xml": xml } });
        const theirs = await steady, name = `${basename(dirname(rig))}/${basename(rig)}`;
        if (ours.code !== theirs.code) notOk(`${name}, steady`, `exit code ${theirs.code}, in the page ${ours.code}: ${ours.err}`);
        else if (ours.code === 0) judge(`${name}, steady`, JSON.parse(theirs.out), JSON.parse(ours.out));
        else ok(`${name}, steady: no point, exit code ${ours.code} in both`);
        const run = await ask("run", { xml: xml, seconds: 86400, files });
        const code = (await day).code;
        if (run.status !== code) notOk(`${name}, a day`, `exit code ${code}, in the page ${run.status}: ${run.why}`);
        else if (code === 0) // the option --for is part of the rig's digest; the page sets the time of the run alone
            judge(`${name}, a day`, { ...JSON.parse(readFileSync(join(dir, "summary.json"), "utf8")), digest: run.summary.digest }, run.summary);
        else ok(`${name}, a day: exit code ${code} in both`);
        rmSync(dir, { recursive: true, force: true });
    }
} finally {
    rmSync(scratch, { recursive: true, force: true });
}
console.log(`${equal} of ${2 * rigs.length} summaries equal to the last bit; farthest ${most.rel.toExponential(1)}, ${most.what || "none"}`);
end();
