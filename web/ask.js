// SPDX-License-Identifier: GPL-3.0-or-later
// Questions of the user: a few rigs are compared, each with one change of the rig that is shown; better power limits
// are searched; or a week is run.
import { $, age, button, make, report, shape } from "./dom.js";
import { WITH } from "./engine.js";
import { number } from "./rig.js";
import { language, t } from "./words.js";

const WEEK_S = 7 * 86400;
/** Attributes of a PSU that stay when its part is replaced, because they say how it is connected. All others describe the PSU itself, so they are removed. */
const PLACE = ["id", "feeds", "on", "redundant", "imbalance", "fails-at", "cables"];
/** @typedef {{name: string, xml: string, x?: number}} Case */
/** @typedef {Record<string, number>} Spread */

/** @param {string} xml @param {(d: Document) => boolean | void} change @returns {string | undefined} undefined: the change does not fit */
function changed(xml, change) {
    const d = new DOMParser().parseFromString(xml, "text/xml");
    return change(d) === false ? undefined : new XMLSerializer().serializeToString(d);
}

/** A value with its range, in one of two forms as wsk_is_uneven decides: "399 ±50 W", or "399 W (249–415)" if the ends are unequally far.
 * @param {number} value @param {number | undefined} low @param {number | undefined} high @param {number} digits @param {string} unit */
function ranged(value, low, high, digits, unit) {
    const shown = value.toFixed(digits), least = 10 ** -digits;
    if (low === undefined || high === undefined || (high - low) / 2 < least / 2) return `${shown} ${unit}`;
    const below = value - low, above = high - value;
    return Math.abs(above - below) >= least && Math.max(above, below) > 1.5 * Math.min(above, below)
        ? `${shown} ${unit} (${low.toFixed(digits)}–${high.toFixed(digits)})` : `${shown} ±${((high - low) / 2).toFixed(digits)} ${unit}`;
}

export class Questions {
    /** @param {import("./rig.js").Rig} rig @param {import("./engine.js").Engine} engine @param {(xml: string) => void} use @param {(cases: Case[] | "week", searched?: string) => void} asked */
    constructor(rig, engine, use, asked) {
        this.rig = rig;
        this.engine = engine;
        this.use = use;
        this.asked = asked;
        /** The question whose answer is shown or awaited, and the rig that it is about. @type {{xml: string} | undefined} */
        this.now = undefined;
        /** The rig that the answer shown is about. */
        this.about = "";
        $("cancel").addEventListener("click", () => engine.stop());
        this.draw();
    }

    /** @param {() => Promise<void> | void} act */
    async ask(act) {
        this.drop();
        const mine = (this.now = { xml: this.rig.xml });
        if ($("answer").classList.contains("old")) this.clear();
        this.about = mine.xml;
        try {
            await act();
        } catch (error) {
            const why = /** @type {Error} */ (error).message;
            if (this.now === mine) $("answer").replaceChildren(make("p", {}, why === "stopped" ? t("Cancelled.") : `${t("does not work")}: ${why}`));
        } finally {
            if (this.now === mine) $("progress").hidden = true;
        }
    }
    /** Ends the question that is being answered, if there is one. Its answer is not shown. */
    drop() {
        const runs = !$("progress").hidden;
        this.now = undefined;
        if (runs) this.about = "";
        $("progress").hidden = true;
        if (runs) this.engine.stop();
        return runs;
    }
    /** An answer is about the rig for which it was asked, and so comes only while that one is shown. */
    keep() {
        if (this.now?.xml !== this.rig.xml && this.drop()) $("answer").replaceChildren(make("p", {}, t("Cancelled.")));
        else age($("answer"), this.about !== "" && this.about !== this.rig.xml, t("About the rig before your change."));
    }
    clear() {
        $("answer").replaceChildren();
        $("answer").classList.remove("old");
    }

    draw() {
        /** @type {[string, string, () => void][]} */
        const questions = [["ask-limit", "Power limit: work and cost", () => this.compare(this.limits(), `${t("Power limit, all cards")}, W`)], ["better", "Find better limits", () => this.better()], ["ask-space", "Free slots between cards", () => this.compare(this.spacings())],
            ["ask-psu", "Bronze to Titanium", () => this.compare(this.badges())], ["ask-hot", "What if it is 35 °C?", () => this.hot()], ["week", "Run a week", () => this.week()]];
        $("questions").replaceChildren(...questions.map(([id, label, act]) => button(id, t(label), () => this.ask(act))));
    }

    /** @param {(d: Document, v: any) => boolean | void} change @param {[string, any, number?][]} values @returns {Case[]} */
    cases(change, values) {
        return values.flatMap(([name, v, x]) => {
            const xml = changed(this.rig.xml, (d) => change(d, v));
            return xml ? [{ name, xml, x }] : [];
        });
    }
    limits() {
        const range = this.rig.limits(), values = range ? Array.from({ length: 9 }, (_, i) => Math.round(range.low + ((range.high - range.low) * i) / 8)) : [];
        return this.cases((d, w) => [...d.getElementsByTagName("gpu")].forEach((g) => g.setAttribute("power-limit", `${w} W`)), values.map((w) => [`${w} W`, w, w]));
    }
    spacings() {
        return this.cases((d, gap) => this.rig.spread(d, gap), [0, 1, 2, 3].map((gap) => [t("free slots: ") + gap, gap]));
    }
    badges() {
        const watts = this.rig.all("psu").map((p) => number(this.rig.value(p, "rated")) ?? 0), parts = [...$("list-psu").children].map((o) => o.getAttribute("value") ?? "");
        return this.cases((d, badge) => {
            const sizes = parts.filter((p) => p.startsWith(`psu/tier-${badge}-`)).map((p) => number(p.replace(/.*-/, "")) ?? 0).sort((a, b) => a - b);
            const fit = watts.map((w) => sizes.find((s) => s >= w));
            [...d.getElementsByTagName("psu")].forEach((p, i) => {
                for (const { name } of [...p.attributes]) if (!PLACE.includes(name)) p.removeAttribute(name);
                p.setAttribute("part", `psu/tier-${badge}-${fit[i]}`);
            });
            return fit.length > 0 && !fit.includes(undefined);
        }, ["bronze", "silver", "gold", "platinum", "titanium"].map((b) => [b[0].toUpperCase() + b.slice(1), b]));
    }
    /** Compares hotter surroundings. In a room with an air conditioner the outdoor temperature is raised, because in a room of fixed temperature the air conditioner would have no effect; in any other rig the room temperature is raised. */
    hot() {
        const { rig } = this, [outdoor] = rig.all("outdoor"), cooled = rig.all("air-conditioner").length && outdoor && rig.value(outdoor, "mean") && !rig.all("room").some((r) => r.hasAttribute("temperature"));
        const [label, name, attribute] = cooled ? ["Outdoors", "outdoor", "mean"] : ["Room", "room", "temperature"];
        return this.compare(this.cases((d, c) => {
            const places = [...d.getElementsByTagName(name)];
            places.forEach((place) => place.setAttribute(attribute, `${c} degC`));
            return places.length > 0;
        }, [20, 25, 30, 35].map((c) => [`${t(label)}: ${c} °C`, c, c])), `${t(label)}, °C`);
    }

    /** axis: label of what varies, for the chart. found: the question, the answer and the uncertainties of a search for limits. @param {Case[]} cases @param {string} [axis] what varies, for the chart @param {{searched: string, told: string, sd: Spread}} [found] what a search says */
    async compare(cases, axis = "", found) {
        if (!cases.length) return $("answer").replaceChildren(make("p", {}, t("No change of this kind fits here.")));
        this.asked(cases, found?.searched);
        const { now } = this, all = [{ name: t("as it is"), xml: this.rig.xml, x: undefined }, ...cases], rows = [], points = [];
        /** @type {string[] | undefined} */
        let known;
        for (const c of all) {
            /** @type {import("./engine.js").Point} */
            const point = await this.engine.call("point", { xml: c.xml, lang: language.now, parts: WITH.ranges });
            if (this.now !== now) return;
            const warnings = point.messages.filter((m) => m.severity === 1).map((m) => m.text);
            known ??= warnings;
            rows.push(this.row(c, point, warnings.filter((w) => !known?.includes(w)), found?.sd));
            const y = point.summary ? throughput(point.summary) : NaN;
            if (c.x !== undefined && y >= 0) points.push({ x: c.x, y, cost: point.summary.cost?.annual });
            $("answer").replaceChildren(...(found ? [make("p", {}, found.told)] : []), this.table(rows), ...(points.length > 2 ? [chart(points, axis, this.rig.all("tariff").length ? point.summary?.cost?.currency ?? "" : "")] : []));
        }
    }

    /** warnings: those that the rig as it is has not. @param {Case} c @param {import("./engine.js").Point} point @param {string[]} warnings @param {Spread} [sd] */
    row(c, point, warnings, sd) {
        const s = point.summary, money = s?.cost?.annual, u = s?.uncertainty, done = s ? throughput(s) : NaN, work = sd?.work && s ? (done * sd.work) / s.gpus.reduce((/** @type {number} */ sum, /** @type {any} */ g) => sum + g.work_rel, 0) : 0;
        const die = s?.gpus.length ? Math.max(...s.gpus.map((/** @type {any} */ g) => g.die_max_c ?? g.die_mean_c)) : NaN;
        const cells = s
            ? [done >= 0 ? `${done.toFixed(1)}${work ? ` ±${work.toFixed(1)}` : ""} %` : "", die >= -273 ? ranged(die, u?.die_low_c, u?.die_high_c, 1, "°C") : "",
                ranged(s.energy.wall_kwh * 3.6e6 / s.simulated_s, u?.wall_low_w, u?.wall_high_w, 0, "W"), s.noise_dba === null || s.noise_dba === undefined ? "" : `${s.noise_dba.toFixed(0)}${sd?.noise ? ` ±${sd.noise.toFixed(0)}` : ""} dBA`,
                money === null || money === undefined ? "" : ranged(money, u?.annual_low, u?.annual_high, 0, s.cost.currency)]
            : [t("does not work") + ": " + (point.messages.find((m) => m.severity === 0)?.text ?? point.why ?? ""), "", "", "", ""];
        const bad = s?.verdict.overloads ? [...new DOMParser().parseFromString(point.verdict ?? "", "text/html").querySelectorAll(".verdict .bad")] : [];
        const use = make("button", { type: "button", "aria-label": `${t("Use")}: ${c.name}` }, t("Use"));
        use.addEventListener("click", () => this.use(c.xml));
        return make("tr", c.xml === this.rig.xml ? { class: "now" } : {}, make("th", { scope: "row" }, c.name, ...[...bad.map((e) => e.textContent ?? ""), ...warnings].map((w) => make("p", {}, w))), ...cells.map((v) => make("td", {}, v)), make("td", {}, ...(s && c.xml !== this.rig.xml ? [use] : [])));
    }
    /** @param {HTMLElement[]} rows */
    table(rows) {
        const heads = ["Case", "Throughput", "Hottest GPU", "At the wall", "Noise", "A year"].map((h) => make("th", { scope: "col" }, t(h)));
        return make("div", { class: "table", tabindex: "0", role: "group", "aria-label": t("Answer") },
            make("table", {}, make("thead", {}, make("tr", {}, ...heads, make("td"))), make("tbody", {}, ...rows)));
    }

    /** @param {string} op @param {object} args @param {(answer: any) => Promise<void>} show */
    async long(op, args, show) {
        const progress = /** @type {HTMLProgressElement} */ ($("progress").querySelector("progress"));
        $("progress").hidden = false;
        progress.value = 0;
        const answer = await this.engine.call(op, { xml: this.rig.xml, lang: language.now, ...args }, (share) => (progress.value = share));
        $("progress").hidden = true;
        await show(answer);
    }
    week() {
        this.asked("week");
        return this.long("run", { seconds: WEEK_S }, async ({ html, why }) => {
            if (!html) $("answer").replaceChildren(make("p", {}, why || t("does not work")));
            else report($("answer"), "report", html, await this.engine.started);
        });
    }
    better() {
        const ids = this.rig.all("gpu").map((g) => this.rig.whole(g)?.getAttribute("id") ?? "");
        return this.long("limits", {}, async ({ status, limits, conflicts, burden, unbeaten, sd, question }) => {
            if (!limits) return $("answer").replaceChildren(make("p", {}, status ? t("does not work") : `${t("No limits keep all of this:")} ${conflicts.map((/** @type {[string, number]} */ [limit, by]) => `${limit} (${by})`).join("; ")}`));
            const of = (/** @type {number} */ i) => limits[Math.min(i, limits.length - 1)], watts = ids.map((_, i) => of(i)[0]), name = `${new Set(watts).size > 1 ? watts.join(", ") : watts[0]} W`;
            const burdens = { overload: t("No limits were found with which nothing is overloaded. The best of those with which nothing would trip:"), trip: t("No limits were found with which nothing would trip or shut down from heat. The best of the others:") };
            const warned = burdens[/** @type {keyof typeof burdens} */ (burden)] ?? (unbeaten ? t("No limits are better than those of the rig, as far as the uncertainty tells. The best of the others:") : "");
            const told = ids.map((id, i) => `${id}: ${watts[i]} W${of(i)[1] < of(i)[2] ? ` (${t("as good:")} ${of(i)[1]}–${of(i)[2]} W)` : ""}`).join("; ");
            await this.compare(this.cases((d) => this.rig.all("gpu", d).forEach((g, i) => g.setAttribute("power-limit", `${watts[i]} W`)), [[name, 0]]), "", { searched: question, told: `${warned} ${told}`.trim(), sd });
        });
    }
}

/** Throughput, % of that of unthrottled cards at their default limit; NaN without work. The engine's work without heat has the limits in it. @param {any} summary */
const throughput = ({ work }) => (100 * work.done * (1 - work.lost_to_limit_fraction)) / (work.unthrottled ?? NaN);

/** @param {{x: number, y: number, cost?: number | null}[]} points @param {string} axis @param {string} currency */
function chart(points, axis, currency) {
    const W = matchMedia("(max-width:36rem)").matches ? 360 : 640, H = 290, L = 56, R = 72, T = 34, B = 48, xs = points.map((p) => p.x), low = Math.min(...xs), high = Math.max(...xs);
    const costs = points.map((p) => p.cost ?? NaN), paid = currency && costs.every(Number.isFinite), top = Math.max(...points.map((p) => p.y), 1), least = Math.min(...costs, 0), span = Math.max(...costs, 0) - least || 1;
    const x = (/** @type {number} */ v) => L + ((W - L - R) * (v - low)) / (high - low || 1), y = (/** @type {number} */ share) => H - B - (H - T - B) * share;
    const svg = /** @type {SVGElement} */ (shape(make("div"), "svg", { viewBox: `0 0 ${W} ${H}`, class: "chart", role: "img",
        "aria-label": `${t("Throughput")}: ${points.map((p) => `${p.x}: ${p.y.toFixed(0)} %${paid ? `, ${p.cost?.toFixed(0)} ${currency}` : ""}`).join("; ")}` }));
    for (const share of [0, 0.5, 1]) {
        shape(svg, "path", { class: "g", d: `M${L} ${y(share)}H${W - R}` });
        shape(svg, "text", { class: "e", x: L - 6, y: y(share) + 4 }, `${(top * share).toFixed(0)} %`);
        if (paid) shape(svg, "text", { x: W - R + 10, y: y(share) + 4 }, (least + span * share).toFixed(0));
    }
    shape(svg, "text", { x: 4, y: 16 }, `● ${t("Throughput")}`);
    if (paid) shape(svg, "text", { class: "e", x: W - 4, y: 16 }, `○ ${t("A year")}, ${currency}`);
    const lines = [points.map((p) => [x(p.x), y(p.y / top)]), ...(paid ? [points.map((p, i) => [x(p.x), y((costs[i] - least) / span)])] : [])];
    lines.forEach((at, k) => {
        shape(svg, "path", { class: k ? "line cost" : "line", d: "M" + at.map((p) => p.join(" ")).join("L") });
        for (const [cx, cy] of at) shape(svg, "circle", { class: k ? "dot cost" : "dot", cx, cy, r: 4 });
    });
    points.forEach((p, i) => (i % Math.ceil(points.length / 5) === 0 || i === points.length - 1) && shape(svg, "text", { class: "c", x: x(p.x), y: H - B + 18 }, `${p.x}`));
    shape(svg, "text", { class: "c", x: (L + W - R) / 2, y: H - 6 }, axis);
    return svg;
}
