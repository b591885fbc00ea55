// SPDX-License-Identifier: GPL-3.0-or-later
// Lines "ok ..." and "not ok ...", as tests/run counts them, and the exit status that follows from them.

export function tally() {
    let bad = 0, all = 0;
    const ok = (/** @type {string} */ name) => {
        all++;
        console.log(`ok ${name}`);
    };
    const notOk = (/** @type {string} */ name, /** @type {string} */ why = "") => {
        all++;
        bad++;
        console.log(`not ok ${name}`);
        if (why) console.log(why.replace(/^/gm, "    "));
    };
    const check = (/** @type {string} */ name, /** @type {unknown} */ holds, why = "") => (holds ? ok(name) : notOk(name, String(why)));
    const end = () => {
        process.exitCode = bad || !all ? 1 : 0;
    };
    return { ok, notOk, check, end };
}
