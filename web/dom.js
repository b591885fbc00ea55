// SPDX-License-Identifier: GPL-3.0-or-later
// Elements of the page.

/** The element with this id, which the page has. @param {string} id */
export function $(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** Makes an element with attributes and children. @param {string} name @param {Record<string, string>} [attributes] @param {(Node | string)[]} children */
export function make(name, attributes = {}, ...children) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    e.append(...children);
    return e;
}

/** A button with its act. @param {string} id @param {string} label @param {() => void} act */
export function button(id, label, act) {
    const b = make("button", { type: "button", id }, label);
    b.addEventListener("click", act);
    return b;
}

/** Adds a shape to a drawing. @param {Element} into @param {string} name @param {Record<string, string | number>} attributes @param {string} [text] */
export function shape(into, name, attributes, text = "") {
    const e = /** @type {SVGElement} */ (into.appendChild(document.createElementNS("http://www.w3.org/2000/svg", name)));
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, `${value}`);
    e.textContent = text;
    return e;
}

/** Puts a report into an element, in place of what was there. A report is a page of its own: a shadow tree keeps its ids and styles
 * apart. @param {HTMLElement} into @param {string} id @param {string} html @param {string} style */
export function report(into, id, html, style) {
    // The page's policy refuses the report's own style element.
    const page = new DOMParser().parseFromString(html.replace(/<style>[^]*?<\/style>/, ""), "text/html"), sheet = new CSSStyleSheet();
    const host = make("div", { id });
    sheet.replaceSync(style);
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    for (const section of page.querySelectorAll("section[aria-label]")) section.removeAttribute("aria-label"); // as has the verdict
    for (const part of page.querySelectorAll("header, main")) root.append(make("div", {}, ...part.childNodes)); // the page has a main part already
    into.replaceChildren(host);
    host.scrollIntoView();
}
