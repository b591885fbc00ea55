// SPDX-License-Identifier: GPL-3.0-or-later
// Cooling: the cooler of a card, and the curve of its fans or of fans of the chassis, drawn with two to five points.
import { button, make, shape } from "./dom.js";
import { t } from "./words.js";

/** @typedef {[number, number]} Knot */
/** `full` is the full speed, rpm. @typedef {{full: number, points: Knot[]}} Curve */

const KNOTS_LEAST = 2, KNOTS_MOST = 5, ALL = "*";
/** Size and margins of the drawing, in the drawing's own units. */
const W = 380, H = 190, LEFT = 42, RIGHT = 22, TOP = 12, BOTTOM = 26;
/** Curves for a fan that is made to follow another sensor. Air and coolant are cooler than chips, so their curve begins lower. */
const BEGINS = { chips: "40 degC:30 %, 80 degC:100 %", streams: "25 degC:30 %, 45 degC:100 %" };
const SENSORS = [["none", "fixed speed"], ["gpu", "hottest GPU"], ["cpu", "CPU"], ["inlet", "air that enters"], ["coolant", "coolant"]];

/** The share is linear between the points, and constant outside of them. @param {Knot[]} points @param {number} c */
export function shareAt(points, c) {
    const i = points.findIndex((p) => p[0] >= c);
    if (i <= 0) return points[i < 0 ? points.length - 1 : 0][1];
    const [[c0, s0], [c1, s1]] = [points[i - 1], points[i]];
    return s0 + ((s1 - s0) * (c - c0)) / (c1 - c0);
}
/** Points whose removal changes the curve least are removed first, until five remain. @param {Knot[]} points */
export function simplify(points) {
    const kept = [...points];
    while (kept.length > KNOTS_MOST) {
        const loss = kept.map((p, i) => (i && i < kept.length - 1 ? Math.abs(p[1] - shareAt([kept[i - 1], kept[i + 1]], p[0])) : Infinity));
        kept.splice(loss.indexOf(Math.min(...loss)), 1);
    }
    return kept;
}
/** The point moves in whole degrees and percent, and only as far as the curve does not fall. @param {Knot[]} points @param {number} i @param {number} c @param {number} share @param {number[]} range @returns {Knot[]} */
export function moved(points, i, c, share, [low, high]) {
    const clamp = (/** @type {number} */ v, /** @type {number} */ least, /** @type {number} */ most) => Math.min(Math.max(v, least), Math.max(least, most));
    const [before, after] = [points[i - 1], points[i + 1]];
    /** @type {Knot} */
    const to = [clamp(Math.round(c), before ? Math.floor(before[0]) + 1 : low, after ? Math.ceil(after[0]) - 1 : high), clamp(Math.round(100 * share) / 100, before?.[1] ?? 0, after?.[1] ?? 1)];
    return points.map((p, k) => (k === i ? to : p));
}

export class Cooling {
    /** @param {import("./rig.js").Rig} rig @param {{changed: (more: boolean) => void, hold: () => void, edit: (change: () => void) => void}} acts */
    constructor(rig, acts) {
        this.rig = rig;
        this.acts = acts;
        /** The curves in use, by the id of a card or fan. @type {Record<string, Curve>} */
        this.curves = {};
        this.of = ALL;
        /** The points that are shown. `at`, below: index of the point on which the buttons act. @type {Knot[]} */
        this.points = [];
        this.at = 0;
        this.held = false;
        /** @type {any} */
        this.summary = undefined;
    }

    /** @returns {[string, string][]} */
    choices() {
        const { rig } = this, id = (/** @type {Element} */ e) => rig.whole(e)?.getAttribute("id") ?? "";
        const fans = [...rig.resolved.getElementsByTagName("fan")].filter((f) => f.parentElement?.tagName === "chassis");
        return [[ALL, t("all cards")], ...rig.all("gpu").map((g) => /** @type {[string, string]} */ ([id(g), id(g)])),
            ...fans.map((f) => /** @type {[string, string]} */ ([f.getAttribute("id") ?? "", `${f.getAttribute("id")} (${t(f.getAttribute("at") ?? "")})`]))];
    }
    ids() {
        return this.of === ALL ? this.rig.all("gpu").map((g) => this.rig.whole(g)?.getAttribute("id") ?? "") : [this.of];
    }
    isFan = () => this.rig.resolvedById(this.ids()[0] ?? "")?.tagName === "fan";
    range() {
        const streams = /inlet|coolant/.test(this.rig.resolvedById(this.of)?.getAttribute("sensor") ?? ""), cs = this.points.map((p) => p[0]);
        return [Math.min(streams ? 15 : 30, ...cs), Math.max(streams ? 60 : 100, ...cs)];
    }

    /** @returns {HTMLElement[]} */
    draw() {
        const choices = this.choices();
        if (!choices.some(([id]) => id === this.of)) this.of = ALL;
        const known = this.ids().map((id) => this.curves[id]).find(Boolean), select = this.select("cooling-of", "Cooling of", choices, this.of, (of) => (this.of = of, this.show()));
        this.points = known ? simplify(known.points) : [];
        this.at = Math.min(this.at, this.points.length - 1);
        this.edited = false;
        const rows = [make("div", { class: "field" }, make("span", {}, t("for")), select), this.isFan() ? this.follows() : this.cooler()];
        if (!known) return rows;
        this.full = known.full;
        this.before = known.points;
        this.svg = /** @type {SVGSVGElement} */ (shape(make("div"), "svg", { id: "curve", class: "chart", viewBox: `0 0 ${W} ${H}`, role: "group", "aria-label": t("Fan curve") }));
        this.svg.addEventListener("dblclick", (e) => this.insert(this.placeOf(e)));
        this.paint();
        return [...rows, make("div", {}, this.svg), make("div", { class: "tools" }, button("curve-more", t("Add a point"), () => this.insert()), button("curve-less", t("Remove point"), () => this.drop()),
            button("curve-reset", t("Reset"), () => this.reset()))];
    }
    show() {
        const focused = document.activeElement?.id, place = document.getElementById("cooling");
        place?.replaceChildren(...this.draw());
        if (focused) document.getElementById(focused)?.focus();
    }
    /** @param {string} id @param {string} label @param {string[][]} choices @param {string} value @param {(value: string) => void} act */
    select(id, label, choices, value, act) {
        const select = /** @type {HTMLSelectElement} */ (make("select", { id, "aria-label": t(label) }, ...choices.map(([v, l]) => make("option", { value: v }, l))));
        select.value = value;
        select.addEventListener("change", () => act(select.value));
        return select;
    }
    cooler() {
        const cards = () => this.ids().map((id) => this.rig.byId(id)), own = cards()[0]?.querySelector(":scope > cooler")?.getAttribute("part") ?? "";
        const input = /** @type {HTMLInputElement} */ (make("input", { id: "cooler", list: "list-cooler", value: own, placeholder: t("the card's own"), spellcheck: "false", autocomplete: "off", "aria-label": t("Cooler") }));
        input.addEventListener("change", () => this.acts.edit(() => cards().forEach((card) => {
            card?.querySelector(":scope > cooler")?.remove();
            if (input.value.trim()) card?.append(this.rig.document.createElement("cooler"));
            card?.querySelector(":scope > cooler")?.setAttribute("part", input.value.trim());
        })));
        return make("div", { class: "field" }, make("span", {}, t("Cooler")), input);
    }
    follows() {
        const select = this.select("follows", "Follows", SENSORS.map(([v, l]) => [v, t(l)]), this.rig.resolvedById(this.of)?.getAttribute("sensor") ?? "none", (sensor) => this.acts.edit(() => {
            const fan = this.rig.fan(this.of);
            for (const name of ["curve", ...(sensor === "none" ? [] : ["duty", "speed"])]) fan?.removeAttribute(name);
            fan?.setAttribute("sensor", sensor);
            if (this.rig.resolvedById(this.of)?.hasAttribute("curve")) fan?.setAttribute("curve", ["inlet", "coolant"].includes(sensor) ? BEGINS.streams : BEGINS.chips);
        }));
        return make("div", { class: "field" }, make("span", {}, t("follows")), select);
    }

    /** @param {import("./engine.js").Point} point */
    take(point) {
        if (point.curves) this.curves = point.curves;
        this.summary = point.summary;
        this.mark();
    }
    mark() {
        this.svg?.querySelector(".now")?.remove();
        const [id] = this.ids(), card = this.summary?.gpus?.find((/** @type {any} */ g) => g.id === id), fan = this.summary?.fans?.find((/** @type {any} */ f) => f.id === id);
        const share = (card?.fan_mean_rpm ?? fan?.rpm_mean) / (this.full ?? 1);
        if (!this.svg || !Number.isFinite(share)) return;
        if (card) shape(this.svg, "circle", { class: "now", cx: this.x(card.die_mean_c), cy: this.y(share), r: 5 });
        else shape(this.svg, "path", { class: "now", d: `M${LEFT} ${this.y(share)}H${W - RIGHT}` });
    }

    /** @param {number} c */
    x(c) {
        const [low, high] = this.range();
        return LEFT + ((W - LEFT - RIGHT) * (Math.min(Math.max(c, low), high) - low)) / (high - low);
    }
    /** @param {number} share */
    y(share) {
        return H - BOTTOM - (H - TOP - BOTTOM) * Math.min(share, 1);
    }
    /** @param {MouseEvent} e @returns {Knot} */
    placeOf(e) {
        const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(this.svg?.getScreenCTM()?.inverse()), [low, high] = this.range();
        return [low + ((high - low) * (p.x - LEFT)) / (W - LEFT - RIGHT), (H - BOTTOM - p.y) / (H - TOP - BOTTOM)];
    }

    /** @param {boolean} [focused] whether the point that is edited gets the focus */
    paint(focused = false) {
        const svg = this.svg, [low, high] = this.range();
        if (!svg) return;
        focused ||= svg.contains(document.activeElement);
        const path = (/** @type {Knot[]} */ points) => "M" + [[low, points[0][1]], ...points, [high, points[points.length - 1][1]]].map(([c, s]) => `${this.x(c)} ${this.y(s)}`).join("L");
        svg.replaceChildren();
        for (const share of [0, 0.5, 1]) {
            shape(svg, "path", { class: "g", d: `M${LEFT} ${this.y(share)}H${W - RIGHT}` });
            shape(svg, "text", { class: "e", x: LEFT - 5, y: this.y(share) + 4 }, `${100 * share} %`);
        }
        for (let c = Math.ceil(low / 20) * 20; c <= high; c += 20) shape(svg, "text", { class: "c", x: this.x(c), y: H - 8 }, `${c} °C`);
        if (this.edited) shape(svg, "path", { class: "was", d: path(this.before ?? this.points) });
        shape(svg, "path", { class: "line", d: path(this.edited ? this.points : this.before ?? this.points) });
        this.mark();
        this.points.forEach(([c, s], i) => {
            const told = `${c.toFixed(0)} °C, ${this.isFan() ? `${Math.round(100 * s)} %` : `${Math.round(s * (this.full ?? 0))} rpm`}`;
            const knot = shape(svg, "g", { class: i === this.at ? "knot chosen" : "knot", id: `knot-${i}`, tabindex: 0, role: "slider", "aria-label": `${t("Point")} ${i + 1}/${this.points.length}`, "aria-valuemin": 0, "aria-valuemax": 100,
                "aria-valuenow": Math.round(100 * s), "aria-valuetext": told });
            shape(knot, "title", {}, told);
            shape(knot, "circle", { class: "hit", cx: this.x(c), cy: this.y(s), r: 20 });
            shape(knot, "circle", { class: "dot", cx: this.x(c), cy: this.y(s), r: 6 });
            if (i === this.at) shape(svg, "text", { class: this.x(c) > W / 2 ? "e told" : "told", x: this.x(c) + (this.x(c) > W / 2 ? -10 : 10), y: Math.max(this.y(s) - 9, 11) }, told);
            knot.addEventListener("pointerdown", (e) => this.grab(/** @type {PointerEvent} */ (e), i));
            knot.addEventListener("focus", () => (this.at = i));
            knot.addEventListener("keydown", (e) => this.key(/** @type {KeyboardEvent} */ (e), i));
        });
        if (focused) /** @type {SVGElement | null} */ (svg.querySelector(`#knot-${this.at}`))?.focus({ preventScroll: true });
    }

    /** @param {PointerEvent} e @param {number} i */
    grab(e, i) {
        const svg = this.svg, move = (/** @type {PointerEvent} */ m) => this.put(moved(this.points, i, ...this.placeOf(m), this.range()), true);
        if (!svg) return;
        e.preventDefault();
        this.at = i;
        svg.setPointerCapture(e.pointerId); // captured by the drawing, because the point itself is drawn anew at each step
        svg.addEventListener("pointermove", move);
        for (const end of ["pointerup", "pointercancel"])
            svg.addEventListener(end, () => {
                svg.removeEventListener("pointermove", move);
                this.held = false;
            }, { once: true });
        this.paint(true);
    }
    /** @param {KeyboardEvent} e @param {number} i */
    key(e, i) {
        const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 0.01], ArrowDown: [0, -0.01], PageUp: [0, 0.1], PageDown: [0, -0.1] }, step = steps[/** @type {keyof typeof steps} */ (e.key)];
        if (step) this.put(moved(this.points, i, this.points[i][0] + step[0], this.points[i][1] + step[1], this.range()));
        else if (e.key === "Delete") this.drop();
        else return;
        e.preventDefault();
    }
    /** @param {Knot} [place] */
    insert(place) {
        if (this.points.length >= KNOTS_MOST) return;
        const gaps = this.points.slice(1).map((p, i) => p[0] - this.points[i][0]), widest = gaps.indexOf(Math.max(...gaps));
        const c = place ? place[0] : (this.points[widest][0] + this.points[widest + 1][0]) / 2, i = this.points.filter((p) => p[0] < c).length;
        const points = this.points.toSpliced(i, 0, [Math.round(c), shareAt(this.points, c)]);
        if (points.some((p, k) => k && p[0] < points[k - 1][0] + 1)) return;
        this.at = i;
        this.put(place ? moved(points, i, ...place, this.range()) : points);
    }
    drop() {
        if (this.points.length <= KNOTS_LEAST) return;
        const points = this.points.toSpliced(this.at, 1);
        this.at = Math.min(this.at, points.length - 1);
        this.put(points);
    }

    /** held: the movement of the point goes on. @param {Knot[]} points @param {boolean} [held] the movement goes on */
    put(points, held = false) {
        if (`${points}` === `${this.points}`) return;
        if (!this.held) this.acts.hold();
        this.points = points;
        this.edited = true;
        this.rig.change(() => this.ids().forEach((id) => this.write(id, points)), this.held);
        this.held = held;
        this.paint();
        this.acts.changed(true);
    }
    /** @param {string} id @param {Knot[]} points */
    write(id, points) {
        const curve = this.curves[id];
        if (!curve) return;
        curve.points = points;
        const text = (/** @type {(share: number) => string} */ speed) => points.map(([c, s]) => `${+c.toFixed(1)} degC:${speed(s)}`).join(", ");
        if (this.isFan()) return this.rig.fan(id)?.setAttribute("curve", text((s) => `${Math.round(100 * s)} %`));
        const card = this.rig.byId(id);
        if (!card?.querySelector(":scope > cooler")) card?.append(this.rig.document.createElement("cooler"));
        card?.querySelector(":scope > cooler")?.setAttribute("fan-curve", text((s) => `${Math.round(s * curve.full)} rpm`));
    }
    reset() {
        this.acts.edit(() => this.ids().forEach((id) => {
            const e = this.rig.byId(id), cooler = e?.querySelector(":scope > cooler");
            if (this.isFan()) e?.removeAttribute("curve");
            cooler?.removeAttribute("fan-curve");
            if (cooler && !cooler.attributes.length && !cooler.children.length) cooler.remove();
        }));
    }
}
