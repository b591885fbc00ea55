// SPDX-License-Identifier: GPL-3.0-or-later
// Keeping a rig: files, the address, the command line; and a log of the user's own machine.
import { $, make, report } from "./dom.js";
import { language, t } from "./words.js";

/** Longest rig that an address is read for, bytes. */
const MOST = 1 << 20;

/** @param {string} xml @returns {Promise<string>} */
export async function toFragment(xml) {
    const packed = new Blob([xml]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    let bytes = "";
    for (const b of new Uint8Array(await new Response(packed).arrayBuffer())) bytes += String.fromCharCode(b);
    return "#r=" + btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
/** The rig in an address; undefined: there is none, or it is damaged. @param {string} hash @returns {Promise<string | undefined>} */
export async function fromFragment(hash) {
    const code = /^#r=([\w-]+)$/.exec(hash)?.[1];
    if (!code) return undefined;
    try {
        const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
        const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader(), parts = [];
        for (let size = 0, next = await reader.read(); !next.done; next = await reader.read()) {
            if ((size += next.value.length) > MOST) return undefined;
            parts.push(next.value);
        }
        return await new Blob(parts).text();
    } catch {
        return undefined;
    }
}

/** Offers a text as a file. @param {string} name @param {string} text */
export function offer(name, text) {
    const url = URL.createObjectURL(new Blob([text], { type: "application/xml" })), link = make("a", { href: url, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A log is everything that is no XML with a rig. @param {string} text */
export function isRig(text) {
    return /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[^]*?-->\s*)*<rig[\s>]/.test(text);
}

/** Fits the rig to a log and shows what was learnt. @param {string} log @param {string} xml @param {import("./engine.js").Engine} engine @param {(xml: string) => void} use */
export async function calibrate(log, xml, engine, use) {
    $("fitted").replaceChildren(make("p", {}, t("Fitting")));
    const answer = await engine.call("command", { argv: ["calibrate", "rig.xml", "--log", "log.csv", "-o", "out"], files: { "rig.xml": xml, "log.csv": log }, lang: language.now });
    const calibrated = answer.files["calibrated.xml"], button = make("button", { type: "button", id: "use-fitted" }, t("Use the calibrated rig"));
    button.addEventListener("click", () => use(calibrated));
    const said = make("pre", { tabindex: "0" }, (answer.err + answer.out).trim()), page = answer.files["report.html"], shown = make("div");
    if (page) report(shown, "calibration", page, await engine.started);
    $("fitted").replaceChildren(said, ...(calibrated ? [button] : []), shown);
    $("log").scrollIntoView();
}

/** The command lines that do the same natively. */
export function commandLines() {
    return "wattsink check rig.xml\nwattsink run rig.xml -o week && wattsink report week";
}
