// SPDX-License-Identifier: GPL-3.0-or-later
// The rig: its XML as the user would write it, changed by attributes and elements, with undo. Only the engine decides
// whether a rig is valid.

/** @param {string | null | undefined} s */
export function number(s) {
    const v = parseFloat(s ?? "");
    return Number.isFinite(v) ? v : undefined;
}
/** @param {string} s */
const unit = (s) => s.replace(/^\s*[-+\d.]+(e[-+]?\d+)?\s*/i, "");

/** Slot pitch of a computer case, mm. */
const SLOT_MM = 20.32;

/** Whether the file gives the element's id; undefined: the element came with a part. In a resolved rig the elements that the file has carry an attribute for this, `written`. @param {Element} e */
function named(e) {
    const written = e.ownerDocument.documentElement.hasAttribute("written") ? e.getAttribute("written") : e.hasAttribute("id") ? "id" : "";
    return written === null ? undefined : /\bid\b/.test(written);
}
/** @param {Element[]} list */
const nameless = (list) => list.filter((e) => !named(e));

export class Rig {
    constructor() {
        /** @type {string[]} */
        this.past = [];
        /** @type {string[]} */
        this.future = [];
        this.xml = "";
        this.document = new DOMParser().parseFromString("<rig/>", "text/xml");
        this.resolved = this.document;
    }

    /** Text that is not XML is taken too, because the engine reports where its mistake is. @param {string} xml @param {boolean} [keep] */
    set(xml, keep = true) {
        if (keep && this.xml && xml !== this.xml) {
            this.past.push(this.xml);
            this.future = [];
            if (this.past.length > 200) this.past.shift();
        }
        this.xml = xml;
        this.document = new DOMParser().parseFromString(xml, "text/xml");
    }

    /** Text that is not XML gives a document with only a part of it, which must not replace the text. */
    get broken() {
        return this.document.getElementsByTagName("parsererror").length > 0;
    }
    /** `more`: this belongs to the change before, so that one undo takes back both. @param {(document: Document) => void} change @param {boolean} [more] */
    change(change, more = false) {
        if (this.broken) return;
        change(this.document);
        this.set(new XMLSerializer().serializeToString(this.document), !more);
    }

    /** @param {string[]} from @param {string[]} to */
    step(from, to) {
        const xml = from.pop();
        if (xml === undefined) return false;
        to.push(this.xml);
        this.set(xml, false);
        return true;
    }
    undo = () => this.step(this.past, this.future);
    redo = () => this.step(this.future, this.past);

    /** Elements in the rig's file, without those that came with a part. @param {string} name @param {Document} [of] */
    all(name, of = this.document) {
        return [...of.getElementsByTagName(name)].filter((e) => named(e) !== undefined);
    }
    /** @param {string} id */
    resolvedById(id) {
        return [...this.resolved.getElementsByTagName("*")].find((e) => e.getAttribute("id") === id);
    }
    /** If the user gave the element no id, the engine numbered it among the elements of its name, and it is found by that number. @param {string} id */
    byId(id) {
        const own = this.all("*").find((e) => named(e) && e.getAttribute("id") === id), whole = this.resolvedById(id);
        return own ?? (whole && nameless(this.all(whole.tagName))[nameless(this.all(whole.tagName, this.resolved)).indexOf(whole)]);
    }
    /** @param {Element} element @returns {Element | undefined} */
    whole(element) {
        const { tagName } = element;
        return named(element) ? this.all(tagName, this.resolved).find((e) => e.getAttribute("id") === element.getAttribute("id"))
            : nameless(this.all(tagName, this.resolved))[nameless(this.all(tagName)).indexOf(element)];
    }
    /** The element of the user's rig for the fan with this id. It is made if the fan came with its chassis. @param {string} id @returns {Element | undefined} */
    fan(id) {
        const whole = this.resolvedById(id), chassis = whole?.parentElement && this.byId(whole.parentElement.getAttribute("id") ?? "");
        if (this.byId(id) || !whole || !chassis) return this.byId(id);
        const fan = this.document.createElement("fan");
        for (const [k, v] of [["id", id], ["at", whole.getAttribute("at") ?? "front"]]) fan.setAttribute(k, v);
        chassis.prepend(document.createTextNode("\n    "), fan);
        return fan;
    }
    /** The value comes from the user's rig or, if the user wrote none or used another unit, from the resolved rig. @param {Element | undefined} element @param {string} name */
    value(element, name) {
        const own = element?.getAttribute(name), whole = element && this.whole(element)?.getAttribute(name);
        return own && (!whole || number(own) === undefined || unit(own) === unit(whole)) ? own : whole;
    }
    /** Least and highest power limit that a card can have, W. @param {Element} card */
    ends(card) {
        return [["power-limit-min", 0.5], ["power-limit-max", 1]].map(([name, share]) => number(this.value(card, `${name}`)) ?? Number(share) * (number(this.value(card, "tdp")) ?? NaN));
    }
    /** Range of the power limits that all cards can have, W; undefined: there is none. */
    limits() {
        const ends = this.all("gpu").map((g) => this.ends(g));
        const low = Math.max(...ends.map(([least]) => least)), high = Math.min(...ends.map(([, most]) => most));
        return ends.length && high > low ? { low, high } : undefined;
    }
    /** @param {Element} card */
    slot(card) {
        return number(this.value(card, "slot")) ?? 1;
    }
    /** @param {Element} card */
    slots(card) {
        const own = number(this.value(card, "slots")) ?? 2, cooler = [...(this.whole(card)?.getElementsByTagName("cooler") ?? [])][0];
        // A card is 2 mm thinner than its `slots` of SLOT_MM each. In a chassis with a wider pitch it can take fewer.
        const pitch = number(this.value(card.parentElement ?? undefined, "pitch")) ?? SLOT_MM;
        return Math.max(1, Math.ceil(((number(cooler?.getAttribute("slots")) ?? own) * SLOT_MM - 2) / pitch));
    }
    bySlot() {
        return this.all("gpu").sort((a, b) => this.slot(a) - this.slot(b));
    }
    /** @param {Element | null} card @param {number} slots */
    places(card, slots) {
        const chassis = card?.parentElement ?? this.all("chassis")[0], last = number(this.value(chassis, "slots")) ?? 8, others = this.all("gpu").filter((other) => other !== card && other.parentElement === chassis);
        return Array.from({ length: Math.max(0, last - slots + 1) }, (_, i) => i + 1).filter((slot) => others.every((other) => this.slot(other) + this.slots(other) <= slot || this.slot(other) >= slot + slots));
    }
    /** Returns false, without a change, if the cards do not fit with `gap` free slots between them, or if there are several chassis or less than two cards. @param {Document} d @param {number} gap */
    spread(d, gap) {
        const cards = [...d.getElementsByTagName("gpu")], last = number(this.value(this.all("chassis")[0], "slots")) ?? 0;
        let at = 1;
        /** @type {Map<Element, number>} */
        const places = new Map();
        for (const g of this.bySlot()) {
            places.set(g, at);
            at += this.slots(g) + gap;
        }
        if (cards.length < 2 || this.all("chassis").length > 1 || at - gap - 1 > last) return false;
        this.all("gpu").forEach((g, i) => cards[i].setAttribute("slot", `${places.get(g)}`));
        return true;
    }
    /** Returns undefined if the number of free slots is not the same between all cards. */
    gap() {
        const cards = this.bySlot(), gaps = cards.slice(1).map((g, i) => this.slot(g) - this.slot(cards[i]) - this.slots(cards[i]));
        return gaps.every((g) => g === gaps[0]) ? gaps[0] : undefined;
    }
}
