// SPDX-License-Identifier: GPL-3.0-or-later
import { $, button, make } from "./dom.js";
import { Cooling } from "./fans.js";
import { number } from "./rig.js";
import { t } from "./words.js";

/** @typedef {{id: string, label: string, unit: string, low: number, high: number, step: number, value: number, digits: number, write: (v: number, by: number, own: number[]) => void, own?: number[], told?: string}} Slider
 * own: values of single elements, if they differ; told: these values as text. write also gets by how much the slider has moved since the user took hold of it, and what `own` was then. */

export class Panel {
    /** @param {import("./rig.js").Rig} rig @param {{changed: (more: boolean) => void, hold: () => void, tell: (text: string) => void}} acts */
    constructor(rig, acts) {
        this.rig = rig;
        this.acts = acts;
        this.cooling = new Cooling(rig, { ...acts, edit: (change) => this.edit(change) });
        /** True if the last drawing was left out because a slider or a point is being moved. */
        this.late = false;
        /** Upper end of the slider of the price. It stays while the price changes, so that the slider can go back. */
        this.dearest = 0;
    }

    /** @returns {Slider[]} */
    sliders() {
        const { rig } = this, found = [];
        const cards = rig.all("gpu"), limits = rig.limits();
        if (limits) found.push(this.limit(cards, limits));
        const gap = cards.length > 1 ? rig.gap() : undefined;
        if (gap !== undefined) {
            let most = gap;
            while (most < 8 && rig.spread(/** @type {Document} */ (rig.document.cloneNode(true)), most + 1)) most++;
            if (most > 0)
                found.push({ id: "gap", label: "Free slots between cards", unit: "", low: 0, high: most, step: 1, digits: 0, value: gap, write: (/** @type {number} */ v) => void rig.spread(rig.document, v) });
        }
        const outdoor = rig.all("outdoor")[0];
        if (outdoor && rig.value(outdoor, "mean") && !rig.all("room")[0]?.hasAttribute("temperature"))
            found.push({ id: "outdoor", label: "Outdoors", unit: "°C", low: -10, high: 45, step: 1, digits: 0, value: number(rig.value(outdoor, "mean")) ?? 20,
                write: (/** @type {number} */ v) => outdoor.setAttribute("mean", `${v} degC`) });
        const room = rig.all("room")[0];
        if (room)
            found.push({ id: "room", label: "Room", unit: "°C", low: 10, high: 45, step: 0.5, digits: 1, value: number(rig.value(room, "temperature")) ?? this.roomNow ?? 25,
                write: (/** @type {number} */ v) => room.setAttribute("temperature", `${v} degC`) });
        const work = rig.all("workload")[0], whole = work && rig.whole(work);
        if (work && whole?.hasAttribute("load"))
            found.push({ id: "duty", label: "Time with work", unit: "%", low: 5, high: 100, step: 5, digits: 0, value: number(rig.value(work, "load")) ?? 100,
                write: (/** @type {number} */ v) => work.setAttribute("load", `${v} %`) });
        const tariff = rig.all("tariff")[0], price = (tariff && rig.value(tariff, "price"))?.match(/^([\d.]+) (\w+)\/kWh$/);
        if (tariff && price) {
            const size = (this.dearest = Math.max(this.dearest, 10 ** Math.ceil(Math.log10(Number(price[1]) || 0.1))));
            found.push({ id: "price", label: "Electricity price", unit: `${price[2]}/kWh`, low: 0, high: size, step: size / 100, digits: size > 1 ? 1 : 2, value: Number(price[1]),
                write: (/** @type {number} */ v) => tariff.setAttribute("price", `${+v.toPrecision(4)} ${price[2]}/kWh`) });
        }
        const fans = rig.all("fan").filter((f) => f.parentElement?.tagName === "chassis" && (rig.value(f, "sensor") ?? "none") === "none" && !f.hasAttribute("speed"));
        if (fans.length)
            found.push({ id: "fans", label: "Case fans", unit: "%", low: 20, high: 100, step: 5, digits: 0, value: number(rig.value(fans[0], "duty")) ?? 100,
                write: (/** @type {number} */ v) => fans.forEach((f) => f.setAttribute("duty", `${v} %`)) });
        return found;
    }

    /** Where the cards have unlike limits, or one that not all can have, the slider moves each of them by as much, so that none is set to the limit of another. @param {Element[]} cards @param {{low: number, high: number}} limits @returns {Slider} */
    limit(cards, limits) {
        const { rig } = this, all = cards.map((c) => number(rig.value(c, "power-limit") ?? rig.value(c, "tdp")) ?? limits.high), least = Math.min(...all), most = Math.max(...all);
        const apart = least !== most || least < limits.low || most > limits.high, told = least === most ? undefined : `${least.toFixed(0)}–${most.toFixed(0)} W`;
        return { id: "limit", label: "Power limit, all cards", unit: "W", ...limits, step: 5, digits: 0, value: most, told, own: apart ? all : undefined,
            write: (v, by, own) => cards.forEach((c, i) => {
                const [low, high] = rig.ends(c), w = own.length ? +Math.min(Math.max(own[i] + by, low), high).toFixed(1) : v;
                c.setAttribute("power-limit", `${w} W`);
            }) };
    }

    /** @param {import("./engine.js").Point} point */
    take(point) {
        this.cooling.take(point);
        this.roomNow = point.summary?.room?.mean_c ?? this.roomNow;
    }
    /** The field that is being edited keeps the focus. */
    draw() {
        // A slider that is being moved is not replaced, because that would end the movement.
        this.late = $("turn").querySelector("input[type=range]:active") !== null || this.cooling.held;
        if (this.late) return;
        const focused = document.activeElement?.id;
        $("turn").replaceChildren(...this.sliders().map((s) => this.slider(s)), make("h2", {}, t("Cooling")), make("div", { id: "cooling" }, ...this.cooling.draw()),
            make("h2", {}, t("Parts")), ...this.parts());
        if (focused && $("turn").contains(document.getElementById(focused) ?? null)) $(focused).focus();
    }

    /** @param {Slider} s */
    slider(s) {
        const value = Math.min(Math.max(s.value, s.low), s.high), input = /** @type {HTMLInputElement} */ (make("input", { type: "range", id: s.id, min: `${s.low}`, max: `${s.high}`, step: `${s.step}`, value: `${value}` }));
        const out = make("output", { for: s.id }, s.told ?? `${s.value.toFixed(s.digits)} ${s.unit}`), now = () => this.sliders().find((one) => one.id === s.id);
        let held = false, at = Number(input.value), from = at, own = s.own ?? [];
        input.addEventListener("input", () => {
            if (!held) {
                this.acts.hold();
                [from, own] = [at, now()?.own ?? []];
            }
            at = Number(input.value);
            // The slider is looked up anew, because its elements were replaced if the document has changed since.
            this.rig.change(() => now()?.write(at, at - from, own), held);
            out.textContent = (own.length && (now()?.told ?? `${now()?.value.toFixed(s.digits)} ${s.unit}`)) || `${at.toFixed(s.digits)} ${s.unit}`;
            input.setAttribute("aria-valuetext", out.textContent);
            held = true;
            this.acts.changed(true);
        });
        input.addEventListener("change", () => {
            held = false;
            this.acts.changed(false); // redraws the panel, so that the fields of the parts show the new value
        });
        input.setAttribute("aria-valuetext", out.textContent ?? "");
        return make("div", { class: "slide" }, make("label", { for: s.id }, t(s.label)), out, input);
    }

    parts() {
        const { rig } = this, rows = [], heads = make("div", { class: "heads", "aria-hidden": "true" }, make("span"), make("span", {}, t("Slot")), make("span", {}, t("Limit, W")), make("span"));
        for (const [name, label] of [["chassis", "Chassis"], ["cpu", "CPU"], ["psu", "PSU"], ["fan", "Fans"], ["gpu", "Card"]])
            rig.all(name).forEach((e, i) => {
                if (name === "gpu" && !i) rows.push(heads);
                if (name !== "fan" || (e.parentElement?.tagName === "chassis" && e.hasAttribute("part"))) rows.push(this.part(e, `${name}-${i}`, t(label)));
            });
        rows.push(make("div", { class: "tools" }, button("add-gpu", t("Add a card"), () => this.addCard()), button("add-psu", t("Add a PSU"), () => this.copy("psu"))));
        return rows;
    }

    /** @param {Element} e @param {string} id @param {string} label */
    part(e, id, label) {
        const { rig } = this, whole = rig.whole(e);
        const field = (/** @type {string} */ name, /** @type {string} */ value, /** @type {Record<string, string>} */ more, /** @type {(v: string) => void} */ write) => {
            const input = /** @type {HTMLInputElement} */ (make("input", { id: `${id}-${name}`, value, "aria-label": `${label} ${whole?.getAttribute("id") ?? ""} ${t(name)}`, ...more }));
            input.addEventListener("change", () => this.edit(() => write(input.value.trim())));
            return input;
        };
        const set = (/** @type {string} */ name, /** @type {string} */ unit = "") => (/** @type {string} */ v) => (v === "" ? e.removeAttribute(name) : e.setAttribute(name, v + unit));
        const inputs = [field("part", e.getAttribute("part") ?? "", { list: `list-${e.tagName}`, spellcheck: "false", autocomplete: "off" }, set("part"))];
        if (e.tagName === "gpu") {
            inputs.push(field("Slot", `${rig.slot(e)}`, { type: "number", min: "1", max: "64", class: "few" }, set("slot")));
            inputs.push(field("Limit, W", `${number(rig.value(e, "power-limit")) ?? ""}`, { type: "number", min: "1", class: "few", title: t("Limit, W"), placeholder: `${number(rig.value(e, "tdp")) ?? ""}` }, set("power-limit", " W")));
        } else if (e.tagName === "fan") inputs.push(field("count", `${number(rig.value(e, "count")) ?? 1}`, { type: "number", min: "1", max: "64", class: "few" }, set("count")));
        const row = make("div", { class: /gpu|fan/.test(e.tagName) ? "field tight" : "field" }, make("span", {}, whole?.getAttribute("id") ?? label), ...inputs);
        if (e.tagName !== "chassis" && e.tagName !== "cpu") {
            const remove = button(`${id}-remove`, "×", () => this.edit(() => e.remove()));
            remove.setAttribute("aria-label", `${t("Remove")} ${whole?.getAttribute("id") ?? label}`);
            row.append(remove);
        }
        return row;
    }

    /** @param {() => void} change */
    edit(change) {
        this.acts.hold();
        this.rig.change(change);
        this.acts.changed(false);
    }

    /** @param {string} id */
    remove(id) {
        const e = this.rig.byId(id);
        if (e && e.tagName !== "chassis") this.edit(() => e.remove());
    }

    /** @param {string} name @param {(copy: Element) => void} [change] */
    copy(name, change) {
        const last = this.rig.all(name).at(-1);
        if (!last) return this.first(name);
        this.edit(() => {
            const copy = /** @type {Element} */ (last.cloneNode(true));
            copy.removeAttribute("id");
            change?.(copy);
            last.after(document.createTextNode("\n    "), copy);
        });
    }

    /** The first card is the one of the question at the top; the first PSU has the smallest rating with which the cards load it by four fifths at most. @param {string} name */
    first(name) {
        const { rig } = this, [chassis] = rig.all("chassis");
        if (!chassis) return;
        const watts = rig.all("gpu").reduce((sum, g) => sum + (number(rig.value(g, "power-limit") ?? rig.value(g, "tdp")) ?? 300), 150) / 0.8;
        const sizes = [...$("list-psu").children].map((o) => o.getAttribute("value")?.match(/^psu\/tier-gold-(\d+)$/)?.[1]).filter((w) => w !== undefined).map(Number).sort((a, b) => a - b);
        this.edit(() => {
            const e = rig.document.createElement(name);
            if (name === "gpu") for (const [k, v] of [["part", /** @type {HTMLInputElement} */ ($("card")).value.trim()], ["slot", "1"]]) e.setAttribute(k, v);
            else e.setAttribute("part", `psu/tier-gold-${sizes.find((w) => w >= watts) ?? sizes.at(-1)}`);
            chassis.append(document.createTextNode("\n    "), e);
        });
    }

    addCard() {
        const { rig } = this, last = rig.all("gpu").at(-1);
        if (!last) return this.first("gpu");
        const [slot] = rig.places(null, rig.slots(last));
        if (slot) this.copy("gpu", (copy) => copy.setAttribute("slot", `${slot}`));
        else this.acts.tell(t("No place is free for another card."));
    }

    /** A slot of -Infinity or Infinity stands for the next slot before or behind in which the card fits. @param {string} id @param {number} slot @returns {number | undefined} the slot; undefined: it stays */
    move(id, slot) {
        const { rig } = this, card = rig.byId(id);
        if (card?.tagName !== "gpu") return undefined;
        const from = rig.slot(card), free = Number.isFinite(slot) ? [] : rig.places(card, rig.slots(card));
        const to = Number.isFinite(slot) ? slot : slot > 0 ? free.find((s) => s > from) : free.findLast((s) => s < from);
        if (to === undefined || to === from) return undefined;
        this.edit(() => card.setAttribute("slot", `${to}`));
        return to;
    }
}
