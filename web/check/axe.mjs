// SPDX-License-Identifier: GPL-3.0-or-later
// Checks names, roles and contrast of the page with axe-core. It runs apart from the page's scripts (an "isolated
// world" of Chromium), because the page's Content-Security-Policy allows no other script.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** @param {import("./tally.mjs").Tally} tally @param {import("./browser.mjs").Page} page @param {string} what @param {string} build */
export async function audit({ check, skip }, page, what, build) {
    const file = join(build, "web/npm/node_modules/axe-core/axe.min.js");
    if (!existsSync(file)) return skip(`${what}: no axe-core (make ${file})`);
    const found = await page.apart(readFileSync(file, "utf8"), `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
        violations.flatMap((v) => v.nodes.slice(0, 4).map((n) => v.id + " (" + v.impact + "): " + n.target.join(" ") + ": " + n.failureSummary.split("\\n").slice(1).join(";"))))`);
    check(`${what}: axe-core finds nothing`, !found.length, found.slice(0, 12).join("\n"));
}
