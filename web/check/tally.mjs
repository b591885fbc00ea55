// SPDX-License-Identifier: GPL-3.0-or-later
// Prints checks as tests/run does: "ok ...", "not ok ..." with the reason, "skip ...". The failures are repeated at the
// end, for the log of .ci/run.

/** @typedef {ReturnType<typeof tally>} Tally */

export function tally() {
    let passed = 0, skipped = 0;
    /** @type {string[]} */
    const failures = [];
    const ok = (/** @type {string} */ name) => {
        passed++;
        console.log(`ok ${name}`);
    };
    const notOk = (/** @type {string} */ name, /** @type {unknown} */ why = "") => {
        const reason = why ? "\n" + String(why).replace(/^/gm, "    ") : "";
        failures.push(`FAIL  ${name}${reason}`);
        console.log(`not ok ${name}${reason}`);
    };
    const skip = (/** @type {string} */ name) => {
        skipped++;
        console.log(`skip ${name}`);
    };
    const check = (/** @type {string} */ name, /** @type {unknown} */ holds, /** @type {unknown} */ why = "") => (holds ? ok(name) : notOk(name, why));
    const note = (/** @type {string} */ text) => console.log(`-- ${text}`);
    const end = () => {
        for (const failure of failures) console.log(failure);
        console.log(`${passed} passed, ${failures.length} failed, ${skipped} skipped`);
        process.exitCode = failures.length || !passed ? 1 : 0;
    };
    return { ok, notOk, skip, check, note, end };
}
