// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the page's engine with the program in every scenario. Only functions of the C library (exp, pow and their
// like) may differ, because the page has musl's; so numbers may differ by a relative 1e-9.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { startEngine } from "./engine.mjs";

const MOST = 1e-9;
// A difference of nearly equal numbers has an error that is relative to the size of those numbers, which this table
// gives: [key, size].
// The ends of a range come from a hundred steady points. At some of them a governor switches back and forth, which
// enlarges rounding errors more than a run does, so they may differ RANGE times as much.
const RANGE = 100;
/** @type {[RegExp, (root: any) => number][]} */
const SIZES = [
    [/^\.uncertainty\.die_(k|low_c|high_c)$/, () => RANGE * 300],
    [/^\.uncertainty\.throttle_probability$/, () => RANGE],
    [/\.(residual_rel|splitting_rel|imbalance_rel|[a-z_]*probability)$/, () => 1], // shares of a total; probabilities, which depend on the distance to a limit
    [/\.stored_kwh$/, (root) => root.energy.wall_kwh], // heat stored at the end minus heat stored at the start
    [/\.(die_band_c|die_k|temperature_error_k)$/, () => 300], // differences of absolute temperatures, K
    [/^\.uncertainty\.wall_(low_|high_)?w$/, (root) => (RANGE * root.energy.wall_kwh * 3.6e6) / root.simulated_s],
    [/^\.uncertainty\.annual(_low|_high)?$/, (root) => RANGE * Math.abs(root.cost.annual)],
];

/** @typedef {{rel: number, where: string, bad: string[]}} Distance */

/** @param {any} native @param {any} ours @param {string} [at] @param {Distance} [far] @param {any} [root] */
export function distance(native, ours, at = "", far = { rel: 0, where: "", bad: [] }, root = native) {
    if (at.endsWith(".wall_clock_s") || Object.is(native, ours)) return far;
    const kinds = [native, ours].map((v) => (Array.isArray(v) ? "array" : v === null ? "null" : typeof v));
    if (kinds[0] !== kinds[1]) far.bad.push(`${at}: ${kinds[0]}, in the page ${kinds[1]}`);
    else if (kinds[0] === "object" || kinds[0] === "array")
        for (const key of new Set([...Object.keys(native), ...Object.keys(ours)])) distance(native[key], ours[key], `${at}.${key}`, far, root);
    else if (kinds[0] === "number") {
        const size = SIZES.find(([key]) => key.test(at))?.[1](root) ?? Math.max(Math.abs(native), Math.abs(ours));
        const rel = Math.abs(native - ours) / size;
        if (!(rel <= MOST)) far.bad.push(`${at}: ${native}, in the page ${ours}`);
        if (rel > far.rel || !far.where) Object.assign(far, { rel, where: at });
    } else far.bad.push(`${at}: ${native}, in the page ${ours}`);
    return far;
}

/** @param {string} program @param {string[]} args @returns {Promise<{code: number, out: string}>} */
const native = (program, args) => new Promise((done) => {
    /** @type {NodeJS.ProcessEnv} */
    const env = { ...process.env, LC_ALL: "C" };
    delete env.SOURCE_DATE_EPOCH; // the engine uses the clock for the age of prices
    execFile(program, args, { env, maxBuffer: 1 << 26 }, (error, out) => done({ code: error ? Number(error.code ?? 1) : 0, out }));
});

/** @param {string} rig */
const beside = (rig) => Object.fromEntries(readdirSync(dirname(rig)).filter((f) => /\.(csv|txt|epw)$/.test(f))
    .map((f) => [f, readFileSync(join(dirname(rig), f), "utf8")]));

const scenarios = () => readdirSync("scenarios", { withFileTypes: true }).filter((e) => e.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((e) => readdirSync(join("scenarios", e.name)).filter((f) => f.endsWith(".xml")).sort().map((f) => join("scenarios", e.name, f)));

/** The function distance must find the differences that count and accept the others. @param {import("./tally.mjs").Tally} tally */
function checkDistance({ check }) {
    const sample = { a: [1, { b: 2.5, c: "x", d: null, residual_rel: 1e-16 }], energy: { wall_kwh: 8, stored_kwh: 1e-12 }, uncertainty: { wall_w: 9 }, simulated_s: 14400, wall_clock_s: 3 };
    const inner = (/** @type {object} */ more) => ({ ...sample, a: [1, { .../** @type {object} */ (sample.a[1]), ...more }] });
    /** @type {[string, any, number][]} */
    const others = [
        ["another clock", { ...sample, wall_clock_s: 9 }, 0],
        ["another last bit", inner({ b: 2.5 + 4.5e-16 }), 0],
        ["another residual", inner({ residual_rel: -3e-15 }), 0],
        ["stored heat off by what rounding leaves", { ...sample, energy: { wall_kwh: 8, stored_kwh: 3e-12 } }, 0],
        ["stored heat off by 2e-9 of what passed", { ...sample, energy: { wall_kwh: 8, stored_kwh: 1.6e-8 } }, 1],
        ["a range of power off by 5e-8 of that power, 2,000 W", { ...sample, uncertainty: { wall_w: 9 + 1e-4 } }, 0],
        ["a range of power off by 2e-7 of that power", { ...sample, uncertainty: { wall_w: 9 + 4e-4 } }, 1],
        ["a number off by 2e-9", inner({ b: 2.5 + 5e-9 }), 1],
        ["another text", inner({ c: "y" }), 1],
        ["a number in the place of null", inner({ d: 0 }), 1],
        ["a missing key", { ...sample, a: [1] }, 1],
    ];
    for (const [what, other, bad] of others) check(`the comparison ${bad ? "sees" : "allows"} ${what}`, distance(sample, other).bad.length === bad);
}

/** The search for limits tells, as optimise does, what every limit would overload or trip. @param {import("./tally.mjs").Tally} tally @param {import("./engine.mjs").Ask} ask */
async function checkBurdens({ check }, ask) {
    const xml = readFileSync("scenarios/single-3090/rig.xml", "utf8"), part = 'part="psu/tier-gold-850"';
    for (const [watts, burden] of [[850, "none"], [150, "trip"]]) { // the card and the rest of the rig take at least 170 W
        const answer = await ask("limits", { xml: xml.replace(part, `${part} rated="${watts} W"`) });
        check(`a PSU of ${watts} W: the burden of the best limits is "${burden}"`, answer.burden === burden);
    }
}

/** @param {import("./tally.mjs").Tally} tally @param {{build: string, only: string, long: boolean}} how long: a day of each rig, not only of one rig in each folder */
export async function check(tally, { build, only, long }) {
    const { ok, notOk, note } = tally, program = join(build, "wattsink"), rigs = scenarios().filter((r) => r.includes(only));
    checkDistance(tally);
    const ask = await startEngine(join(build, "web/site")), scratch = mkdtempSync(join(tmpdir(), "numbers-"));
    let equal = 0, judged = 0, most = { rel: 0, what: "none" };
    const judge = (/** @type {string} */ what, /** @type {any} */ theirs, /** @type {any} */ ours) => {
        const far = distance(theirs, ours);
        judged++;
        if (far.rel > most.rel) most = { rel: far.rel, what: `${what}: ${far.where.slice(1)}` };
        if (far.bad.length) return notOk(what, far.bad.slice(0, 10).join("\n"));
        if (!far.where) equal++;
        ok(far.where ? `${what}: not to the last bit: ${far.rel.toExponential(1)} in ${far.where.slice(1)}` : what);
    };
    try {
        if (!only) await checkBurdens(tally, ask);
        for (const [i, rig] of rigs.entries()) {
            const xml = readFileSync(rig, "utf8"), dir = join(scratch, String(i)), files = beside(rig), name = `${basename(dirname(rig))}/${basename(rig)}`;
            const steady = native(program, ["steady", rig, "--json", "-q"]);
            const whole = long || only || !i || dirname(rigs[i - 1]) !== dirname(rig);
            const day = whole && native(program, ["run", rig, "--for", "1d", "--leap", "-o", dir, "-q"]);
            const ours = await ask("command", { argv: ["steady", "rig.xml", "--json", "-q"], files: { ...files, "rig.xml": xml } });
            const theirs = await steady;
            if (ours.code !== theirs.code) notOk(`${name}, steady`, `exit code ${theirs.code}, in the page ${ours.code}: ${ours.err}`);
            else if (ours.code === 0) judge(`${name}, steady`, JSON.parse(theirs.out), JSON.parse(ours.out));
            else ok(`${name}, steady: no point, exit code ${ours.code} in both`);
            if (!day) continue;
            const run = await ask("run", { xml, seconds: 86400 }), { code } = await day;
            if (run.status !== code) notOk(`${name}, a day`, `exit code ${code}, in the page ${run.status}: ${run.why}`);
            else if (code === 0) // the option --for is part of the digest of the program's rig, while the page sets only the time of the run
                judge(`${name}, a day`, { ...JSON.parse(readFileSync(join(dir, "summary.json"), "utf8")), digest: run.summary.digest }, run.summary);
            else ok(`${name}, a day: exit code ${code} in both`);
            rmSync(dir, { recursive: true, force: true });
        }
    } finally {
        rmSync(scratch, { recursive: true, force: true });
    }
    note(`${equal} of ${judged} summaries are equal to the last bit; farthest ${most.rel.toExponential(1)} in ${most.what}`);
}
