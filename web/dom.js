// SPDX-License-Identifier: GPL-3.0-or-later
// Finds and makes HTML and SVG elements of the page.

/** @param {string} id */
export function $(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** @param {string} name @param {Record<string, string>} [attributes] @param {(Node | string)[]} children */
export function make(name, attributes = {}, ...children) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    e.append(...children);
    return e;
}

/** @param {string} id @param {string} label @param {() => void} act */
export function button(id, label, act) {
    const b = make("button", { type: "button", id }, label);
    b.addEventListener("click", act);
    return b;
}

/** Marks an answer that is about another rig than the one shown: its buttons would take back what the user has changed since. @param {HTMLElement} answer @param {boolean} old @param {string} told */
export function age(answer, old, told) {
    if (!answer.firstElementChild || old === answer.classList.contains("old")) return;
    answer.classList.toggle("old", old);
    for (const b of answer.querySelectorAll("button")) b.disabled = old;
    if (old) answer.prepend(make("p", { class: "about" }, told));
    else answer.querySelector(".about")?.remove();
}

/** @param {Element} into @param {string} name @param {Record<string, string | number>} attributes @param {string} [text] */
export function shape(into, name, attributes, text = "") {
    const e = /** @type {SVGElement} */ (into.appendChild(document.createElementNS("http://www.w3.org/2000/svg", name)));
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, `${value}`);
    e.textContent = text;
    return e;
}

/** A report is a page of its own, so a shadow tree keeps its ids and styles apart from those of the page. @param {HTMLElement} into @param {string} id @param {string} html @param {string} style */
export function report(into, id, html, style) {
    // The page's policy refuses the report's own style element, so the style comes as a style sheet.
    const page = new DOMParser().parseFromString(html.replace(/<style>[^]*?<\/style>/, ""), "text/html"), sheet = new CSSStyleSheet();
    const host = make("div", { id });
    sheet.replaceSync(style);
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    for (const section of page.querySelectorAll("section[aria-label]")) section.removeAttribute("aria-label"); // the page's own verdict has the same label
    for (const part of page.querySelectorAll("header, main")) root.append(make("div", {}, ...part.childNodes)); // the page already has an element `main`
    into.replaceChildren(host);
    host.scrollIntoView();
}
