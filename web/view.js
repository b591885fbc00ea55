// SPDX-License-Identifier: GPL-3.0-or-later
// Puts what the engine drew into the page: the machine, whose cards are moved by dragging or by keys, the verdict, and
// messages about mistakes.
import { $, make, shape } from "./dom.js";
import { t } from "./words.js";

/** @returns {Map<string, string>} */
function tiles() {
    return new Map([...$("verdict").querySelectorAll(".tiles div")].map((d) => [d.querySelector("dt")?.textContent ?? "", shown(d)]));
}
/** The text of a tile without its ± and without the value before the change. @param {Element} tile */
function shown(tile) {
    return [...(tile.querySelector("dd")?.childNodes ?? [])].filter((n) => !(n instanceof HTMLElement)).map((n) => n.textContent).join("").trim();
}

export class View {
    /** @param {{move: (id: string, slot: number) => void, choose: (id: string) => void, remove: (id: string) => void, places: (id: string) => number[]}} acts */
    constructor(acts) {
        this.acts = acts;
        /** @type {Map<string, string>} */
        this.before = new Map();
        this.chosen = this.offered = "";
        /** @type {{id: string, slot: number, why: string} | undefined} */
        this.refused = undefined;
        /** @type {{id: string, from: number, moved: boolean, group: SVGGElement | null} | undefined} */
        this.drag = undefined;
        const machine = $("machine");
        machine.addEventListener("pointerdown", (e) => this.take(e));
        machine.addEventListener("pointermove", (e) => this.carry(e));
        machine.addEventListener("pointerup", (e) => this.drop(e));
        machine.addEventListener("pointercancel", () => this.clear());
        machine.addEventListener("keydown", (e) => this.key(e));
    }

    hold() {
        this.before = tiles();
        [this.refused, this.offered] = [undefined, ""];
    }

    /** The reason stays at the place where the card was put, until the user does something else. @param {{id: string, slot: number}} move @param {string} why */
    refuse({ id, slot }, why) {
        this.tellRefusal((this.refused = { id, slot, why }));
    }
    /** @returns {SVGSVGElement | null} */
    svg = () => $("machine").querySelector("svg[data-pitch]");
    tellRefusal(refused = this.refused) {
        const machine = $("machine"), svg = this.svg();
        for (const old of machine.querySelectorAll(".refusal, .refused")) old.remove();
        if (!refused || !svg) return;
        const { id, slot, why } = refused, { at, frame } = this.frame(svg, id, slot, "place refused"), inside = machine.getBoundingClientRect(), box = frame.getBoundingClientRect();
        const note = make("p", { class: "refusal", role: "alert" }, make("b", {}, `${id}, ${t("slot")} ${slot}: `), why);
        machine.append(note);
        // The note's left end comes first, because its width and so its height depend on it.
        note.style.left = `${Math.max(0, Math.min(box.left - inside.left, inside.width - note.offsetWidth))}px`;
        note.style.top = `${(at < Number(svg.dataset.slotsY) + Number(svg.dataset.slots) * Number(svg.dataset.pitch) * 0.6 ? box.bottom + 6 : box.top - note.offsetHeight - 6) - inside.top}px`;
    }
    /** @param {SVGSVGElement} svg @param {string} id @param {number} slot @param {string} look */
    frame(svg, id, slot, look) {
        const pitch = Number(svg.dataset.pitch), at = Number(svg.dataset.slotsY) + (slot - 1) * pitch, box = this.group(id)?.getBBox() ?? svg.getBBox();
        return { at, frame: shape(svg, "path", { class: look, d: `M${box.x} ${at}h${box.width}v${Math.max(pitch, 6)}h${-box.width}z` }) };
    }

    /** @param {import("./engine.js").Point} point */
    show(point) {
        const mistakes = point.messages.filter((m) => m.severity === 0);
        $("messages").textContent = [...mistakes.map((m) => (m.line ? `rig.xml:${m.line}:${m.column}: ` : "") + m.text), ...(point.why ? [point.why] : [])].join("\n");
        const usable = point.status === 0 && point.machine && point.verdict;
        for (const id of ["machine", "verdict"]) $(id).classList.toggle("waits", !usable);
        if (!usable) return this.sentence($("machine").firstChild ? t("The last rig that works is shown.") : mistakes[0]?.text ?? point.why ?? "");
        const focused = document.activeElement?.closest("#machine [data-id]")?.getAttribute("data-id");
        if (!this.drag) $("machine").innerHTML = point.machine ?? "";
        $("verdict").innerHTML = point.verdict ?? "";
        const head = $("verdict").querySelector(".headline");
        this.sentence(head?.textContent ?? "");
        head?.remove();
        for (const tile of $("verdict").querySelectorAll(".tiles div")) {
            const was = this.before.get(tile.querySelector("dt")?.textContent ?? "");
            if (was !== undefined && was !== shown(tile)) tile.querySelector("dd")?.append(make("span", { class: "before", title: t("before") }, was));
        }
        this.mark();
        this.offer();
        this.tellRefusal();
        if (focused) this.group(focused)?.focus();
    }

    /** @param {string} text */
    sentence(text) {
        $("sentence").classList.add("told");
        if ($("sentence").textContent !== text) $("sentence").textContent = text;
    }

    /** @param {string} id @returns {SVGGElement | null} */
    group(id) {
        return $("machine").querySelector(`[data-id="${CSS.escape(id)}"]`);
    }
    /** @param {string} [id] */
    mark(id = this.chosen) {
        this.chosen = id;
        for (const g of $("machine").querySelectorAll(".part-of")) g.classList.toggle("chosen", g.getAttribute("data-id") === id);
    }

    /** @param {PointerEvent} e */
    slotAt(e) {
        const svg = this.svg(), to = svg?.getScreenCTM()?.inverse();
        if (!svg || !to) return undefined;
        const y = new DOMPoint(e.clientX, e.clientY).matrixTransform(to).y, top = Number(svg.dataset.slotsY), pitch = Number(svg.dataset.pitch);
        const slot = Math.floor((y - top) / pitch) + 1;
        return slot >= 1 && slot <= Number(svg.dataset.slots) ? { svg, slot } : undefined;
    }

    /** @param {PointerEvent} e */
    take(e) {
        const group = /** @type {SVGGElement | null} */ (/** @type {Element} */ (e.target).closest(".part-of"));
        this.drag = { id: group?.getAttribute("data-id") ?? "", from: e.clientY, moved: false, group };
        // A finger that moves on the drawing scrolls the page. It does not drag: the user taps a card and then a place.
        if (e.pointerType !== "touch") group?.setPointerCapture(e.pointerId);
    }
    /** @param {PointerEvent} e */
    carry(e) {
        const drag = this.drag;
        if (!drag?.group || e.pointerType === "touch" || (!drag.moved && Math.abs(e.clientY - drag.from) < 5)) return;
        drag.moved = true;
        drag.group.classList.add("dragged");
        drag.group.setAttribute("transform", `translate(0 ${(e.clientY - drag.from) * this.scale()})`);
        this.unframe();
        const at = this.slotAt(e);
        if (at) this.frame(at.svg, drag.id, at.slot, "place");
    }
    /** The drawing is of an older rig, whose ids may now be those of other parts. */
    stale = () => $("machine").classList.contains("waits");
    scale() {
        const svg = this.svg();
        return svg ? svg.viewBox.baseVal.height / Math.max(1, svg.getBoundingClientRect().height) : 1;
    }
    /** @param {PointerEvent} e */
    drop(e) {
        const drag = this.drag, at = this.slotAt(e), touch = e.pointerType === "touch", { chosen } = this;
        this.clear();
        if (this.stale()) return;
        this.offered = "";
        if (drag?.moved && at) this.acts.move(drag.id, at.slot);
        else if (drag?.group && !drag.moved) {
            this.mark(drag.id);
            // The first tap on a card frames the places that are free for it, the second tap leads to its fields.
            if (!touch || chosen === drag.id) this.acts.choose(drag.id);
            else this.offer(drag.id);
        } else if (drag && touch && chosen) {
            this.mark("");
            if (at) this.acts.move(chosen, at.slot);
        }
    }
    /** @param {string} [id] */
    offer(id = this.offered) {
        const svg = this.svg();
        this.offered = id;
        for (const slot of id && svg ? this.acts.places(id) : []) this.frame(/** @type {SVGSVGElement} */ (svg), id, slot, "place");
    }
    unframe() {
        for (const place of $("machine").querySelectorAll(".place:not(.refused)")) place.remove();
    }
    clear() {
        this.unframe();
        this.drag?.group?.classList.remove("dragged");
        this.drag?.group?.removeAttribute("transform");
        this.drag = undefined;
    }

    /** Arrow keys move a card to the next slot where it fits, Delete removes a part, Enter chooses a part. @param {KeyboardEvent} e */
    key(e) {
        const id = /** @type {Element} */ (e.target).closest(".part-of")?.getAttribute("data-id");
        if (!id || this.stale()) return;
        if (e.key === "ArrowUp" || e.key === "ArrowDown") this.acts.move(id, e.key === "ArrowUp" ? -Infinity : Infinity);
        else if (e.key === "Delete") e.repeat || this.acts.remove(id); // a repeated key would remove the next part, which may have this part's id by then
        else if (e.key === "Enter" || e.key === " ") {
            this.mark(id);
            this.acts.choose(id);
        } else return;
        e.preventDefault();
    }
}
