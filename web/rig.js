// SPDX-License-Identifier: GPL-3.0-or-later
// The rig: its XML as the user would write it, changed by attributes and elements, with undo. The engine alone knows what is right.

/** A number with the unit behind it, as attributes have them: "350 W". @param {string | null | undefined} s */
export function number(s) {
    const v = parseFloat(s ?? "");
    return Number.isFinite(v) ? v : undefined;
}

/** Slot pitch of a computer case, mm. */
const SLOT_MM = 20.32;

export class Rig {
    constructor() {
        /** @type {string[]} */
        this.past = [];
        /** @type {string[]} */
        this.future = [];
        this.xml = "";
        this.document = new DOMParser().parseFromString("<rig/>", "text/xml");
        /** The rig with all values, as the engine resolved it. */
        this.resolved = this.document;
    }

    /** Takes another rig's text. Text that is no XML is taken too: the engine says where its mistake is. @param {string} xml @param {boolean} [keep] */
    set(xml, keep = true) {
        if (keep && this.xml && xml !== this.xml) {
            this.past.push(this.xml);
            this.future = [];
            if (this.past.length > 200) this.past.shift();
        }
        this.xml = xml;
        this.document = new DOMParser().parseFromString(xml, "text/xml");
    }

    /** Changes the document and takes its text. `more`: part of the change before, so that one undo takes back both. @param {(document: Document) => void} change @param {boolean} [more] */
    change(change, more = false) {
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
    undo() {
        return this.step(this.past, this.future);
    }
    redo() {
        return this.step(this.future, this.past);
    }

    /** The elements of a name, in their order. @param {string} name @param {Document} [of] */
    all(name, of = this.document) {
        return [...of.getElementsByTagName(name)];
    }
    /** The element of the user's rig with this id. Ids that he did not write count the elements of a name. @param {string} id */
    byId(id) {
        const whole = this.all("*", this.resolved).find((e) => e.getAttribute("id") === id);
        return whole && this.all(whole.tagName)[this.all(whole.tagName, this.resolved).indexOf(whole)];
    }
    /** The same element with all its values. @param {Element} element */
    whole(element) {
        return this.all(element.tagName, this.resolved)[this.all(element.tagName).indexOf(element)];
    }
    /** The value that an attribute has, written or not. @param {Element | undefined} element @param {string} name */
    value(element, name) {
        return element && (element.getAttribute(name) ?? this.whole(element)?.getAttribute(name));
    }
    /** @param {Element} card */
    slot(card) {
        return number(this.value(card, "slot")) ?? 1;
    }
    /** Slots that a card takes. @param {Element} card */
    slots(card) {
        const own = number(this.value(card, "slots")) ?? 2, cooler = [...(this.whole(card)?.getElementsByTagName("cooler") ?? [])][0];
        // On a rail with wide places a card takes one, however thick it is.
        const pitch = number(this.value(card.parentElement ?? undefined, "pitch")) ?? SLOT_MM;
        return Math.max(1, Math.ceil(((number(cooler?.getAttribute("slots")) ?? own) * SLOT_MM - 2) / pitch));
    }
    /** Whether the card would stand at these slots without another card there. @param {Element | null} card @param {number} slot @param {number} slots */
    free(card, slot, slots) {
        const chassis = card?.parentElement ?? this.all("chassis")[0], last = number(this.value(chassis, "slots")) ?? 8;
        return slot >= 1 && slot + slots - 1 <= last &&
            this.all("gpu").every((other) => other === card || other.parentElement !== chassis || this.slot(other) + this.slots(other) <= slot || this.slot(other) >= slot + slots);
    }
}
