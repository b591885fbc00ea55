// SPDX-License-Identifier: GPL-3.0-or-later
// Saves and opens the rig as a file, in the address of the page and as a command line; and reads a log of the user's
// own machine.
import { $, age, button, make, report } from "./dom.js";
import { language, t } from "./words.js";

/** Largest rig that is read from the address of the page, bytes after decompression. */
const MOST = 1 << 20;

/** @param {string} xml @returns {Promise<string>} */
export async function toFragment(xml) {
    const packed = new Blob([xml]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    let bytes = "";
    for (const b of new Uint8Array(await new Response(packed).arrayBuffer())) bytes += String.fromCharCode(b);
    return "#r=" + btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
/** Returns undefined if the address has no rig, or a damaged one. @param {string} hash @returns {Promise<string | undefined>} */
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

/** @param {string} name @param {string} text */
export function offer(name, text) {
    const url = URL.createObjectURL(new Blob([text], { type: "application/xml" })), link = make("a", { href: url, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** @param {string} text */
export const isRig = (text) => /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[^]*?-->\s*)*<rig[\s>]/.test(text);

/** The log and the rig of the calibration that is shown. */
const calibrated = { log: "", xml: "" };
/** @param {string} shown the rig that is shown */
export const keepCalibration = (shown) => age($("fitted"), calibrated.xml !== shown, t("About the rig before your change."));
/** The calibration that is shown, in the language that is now chosen. @param {import("./engine.js").Engine} engine @param {(xml: string) => void} use */
export const calibrateAgain = async (engine, use) => void ($("fitted").firstChild && (await calibrate(calibrated.log, calibrated.xml, engine, use)));

/** @param {string} log @param {string} xml @param {import("./engine.js").Engine} engine @param {(xml: string) => void} use */
export async function calibrate(log, xml, engine, use) {
    Object.assign(calibrated, { log, xml });
    $("fitted").classList.remove("old");
    const fitting = make("p", {}, t("Fitting"));
    $("fitted").replaceChildren(fitting);
    const answer = await engine.call("command", { argv: ["calibrate", "rig.xml", "--log", "log.csv", "-o", "out"], files: { "rig.xml": xml, "log.csv": log }, lang: language.now });
    if (!fitting.isConnected) return;
    const better = answer.files["calibrated.xml"];
    const said = make("pre", { tabindex: "0" }, (answer.err + answer.out).trim()), page = answer.files["report.html"], shown = make("div");
    if (page) report(shown, "calibration", page, await engine.started);
    $("fitted").replaceChildren(said, ...(better ? [button("use-fitted", t("Use the calibrated rig"), () => use(better))] : []), shown);
}

/** @typedef {{xml: string, argv?: string[], file?: string}} Start */

/** Elements of which there may be several. */
const MANY = ["chassis", "gpu", "psu", "fan", "loop", "radiator", "pump", "storage", "memory", "load"];
/** @param {Element | null} e @returns {string} */
const levels = (e) => (e?.parentElement ? [levels(e.parentElement), e.tagName].filter(Boolean).join(".") : "");
/** An element without an id of its own is named by its number in the file, because the engine's ids follow the slots and so may change hands. @param {Element} e @returns {string} */
function pathOf(e) {
    if (e.tagName === "cooler" && e.parentElement) return `${pathOf(e.parentElement)}.cooler`;
    if (!MANY.includes(e.tagName)) return e.tagName;
    const id = e.getAttribute("id"), alike = [...e.ownerDocument.getElementsByTagName(e.tagName)].filter((other) => levels(other) === levels(e));
    return id ? `${e.tagName}[${id}]` : `${/gpu|psu|chassis/.test(e.tagName) ? e.tagName : levels(e)}[${alike.indexOf(e)}]`;
}
/** @param {Element} e */
const attributes = (e) => [...e.attributes].map((a) => [a.name, a.value]);
/** @param {Element} to @returns {string[] | undefined} */
function added(to) {
    if (!/^(gpu|psu|fan)$/.test(to.tagName) || !to.parentElement || to.children.length || to.hasAttribute("feeds")) return undefined;
    return [`${pathOf(to.parentElement)}.${to.tagName}+=${attributes(to).sort(([k]) => (k === "part" ? -1 : 1)).map(([k, v]) => (k === "part" ? v : `${k}=${v.replaceAll(" ", "")}`)).join(" ")}`];
}
/** A new element takes the place of another, if that is the last of its name, so that the numbers of the others stay. @param {Element} from @param {Element} to @returns {string[] | undefined} */
function replaced(from, to) {
    const last = [from, to].every((e) => e.ownerDocument.getElementsByTagName("chassis").length === 1 && [...(e.parentElement?.children ?? [])].findLast((c) => c.tagName === e.tagName) === e), more = last ? added(to) : undefined;
    return more && [...more, `${pathOf(from)}=none`];
}
/** Returns arguments of --set that change one element, with all that it contains, into the other; undefined: --set cannot do that. @param {Element | undefined} from @param {Element | undefined} to @param {import("./rig.js").Rig} rig @returns {string[] | undefined} */
function changes(from, to, rig) {
    if (!to) return from && /^(gpu|psu|fan)$/.test(from.tagName) ? [`${pathOf(from)}=none`] : undefined;
    const path = pathOf(to);
    if (from && pathOf(from) !== path) return undefined;
    if (!from && !to.hasAttribute("part") && /^(fan|cooler)$/.test(to.tagName)) return attributes(to).filter(([k]) => k !== "id" && k !== "at").map(([k, v]) => `${path}.${k}=${v}`);
    if (!from && to.tagName === "cooler" && to.attributes.length === 1) return [`${path}=${to.getAttribute("part")}`];
    if (!from) return added(to);
    const all = attributes(to).filter(([k, v]) => from.getAttribute(k) !== v).sort(([k]) => (k === "kind" ? -1 : 1)).map(([k, v]) => `${path}.${k}=${v}`);
    // A change of the kind drops attributes that the new kind does not have, and keeps the others. No attribute can be
    // removed by --set, but it can get the value that holds without it.
    for (const [k] of attributes(from).filter(([k]) => !to.hasAttribute(k))) {
        const now = from.getAttribute("kind") === to.getAttribute("kind") ? undefined : rig.whole(to)?.getAttribute(k);
        if (now) all.push(`${path}.${k}=${now}`);
        else if (now === undefined) return replaced(from, to);
        else if (!/^checkpoint-/.test(k)) return undefined;
    }
    for (const name of new Set([...from.children, ...to.children].map((c) => c.tagName))) {
        const [old, now] = [from, to].map((e) => [...e.children].filter((c) => c.tagName === name));
        for (let i = 0; i < Math.max(old.length, now.length); i++) {
            const more = changes(old[i], now[i], rig);
            if (!more) return undefined;
            all.push(...more);
        }
    }
    return all;
}
/** Assignments that are equal for all cards become one for all cards. @param {string[]} sets @param {number} cards */
function together(sets, cards) {
    const to = (/** @type {string} */ s) => s.replace(/^gpu\[[\w-]+\]\./, "gpu[*].");
    const all = new Set(sets.filter((s) => to(s) !== s && sets.filter((other) => to(other) === to(s)).length === cards).map(to));
    return [...new Set(sets.map((s) => (all.has(to(s)) ? to(s) : s)))];
}
/** @param {string} s */
const quoted = (s) => (/^[\w./:=+-]+$/.test(s) ? s : `'${s.replaceAll("'", "'\\''")}'`);

export class Commands {
    /** @param {import("./rig.js").Rig} rig */
    constructor(rig) {
        this.rig = rig;
        /** @type {Start | undefined} */
        this.start = undefined;
        /** What the user asked last: the rigs to compare with the rig asked about, or "week" to run it for a week; undefined: nothing yet. @type {{name: string, xml: string}[] | "week" | undefined} */
        this.asked = undefined;
        this.searched = this.log = "";
        /** The rig that was asked about. */
        this.about = "";
    }
    /** Returns the assignments that make this rig from its start; undefined: no assignments do, so the commands need the saved file. @param {string} xml @param {string} [from] */
    sets(xml, from = this.start?.xml) {
        const [a, b] = [from ?? "", xml].map((s) => new DOMParser().parseFromString(s, "text/xml").documentElement), all = from === undefined ? undefined : changes(a, b, Object.assign(Object.create(this.rig), { document: b.ownerDocument }));
        // A part that is removed renumbers those behind it, so the last one goes first.
        const gone = all?.filter((s) => s.endsWith("]=none")).reverse();
        return all && together([...all.filter((s) => !gone?.includes(s)), ...gone ?? []], this.rig.all("gpu").length).map((s) => ` --set ${quoted(s)}`).join("");
    }
    text() {
        const { start, rig } = this, known = start && this.sets(rig.xml) !== undefined, from = known ? start.xml : rig.xml;
        const file = known && start.file ? quoted(start.file) : "rig.xml", now = this.about === rig.xml, lines = known ? [] : [`# ${t("rig.xml is the file that Save gives")}`], sets = this.sets(rig.xml, from) ?? "";
        lines.push(`wattsink steady ${file}${sets}`);
        if (now && this.asked === "week") lines.push(`wattsink run ${file}${sets} --for 7d --leap -o week && wattsink report week`);
        else for (const { name, xml } of now && Array.isArray(this.asked) ? this.asked : []) {
            const more = this.sets(xml, from);
            if (more !== undefined) lines.push(`wattsink steady ${file}${more}  # ${name}`);
        }
        if (now && this.searched) lines.push(`wattsink optimise ${file}${sets} ${this.searched}`);
        if (this.log) lines.push(`wattsink calibrate ${file}${sets} --log ${quoted(this.log)} -o out`);
        if (!known || !start.argv) return lines.join("\n");
        // `wattsink new` refuses to replace a rig.xml that exists. The other commands are therefore joined to it by &&, so
        // that they do not use that older file.
        const made = `wattsink ${start.argv.map(quoted).join(" ")} -o rig.xml &&`;
        return (lines.length > 1 ? [`${made} {`, ...lines, "}"] : [made, ...lines]).join("\n");
    }
}
