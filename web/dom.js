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
