// SPDX-License-Identifier: GPL-3.0-or-later
// A few questions lead to a rig. After each change its steady point is solved; ranges and advice follow when the user
// pauses.
import { $, make } from "./dom.js";
import { Questions } from "./ask.js";
import { Engine, WITH, load } from "./engine.js";
import { Commands, calibrate, calibrateAgain, fromFragment, isRig, keepCalibration, offer, toFragment } from "./keep.js";
import { Rig } from "./rig.js";
import { Panel } from "./turn.js";
import { View } from "./view.js";
import { language, t, tellPage } from "./words.js";

const field = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ ($(id));
const REST_MS = 350;
const JOBS = [["training", "training"], ["decode", "decoding, one stream"], ["prefill", "prompts (prefill)"], ["burn", "burn-in test"], ["constant", "independent work"]];
const COUNTRIES = [["us", "United States"], ["jp", "Japan"], ["de", "Germany"], ["fr", "France"], ["it", "Italy"], ["dk", "Denmark"], ["gb", "United Kingdom"], ["", "elsewhere"]];

const rig = new Rig();
/** `quick` answers every movement of a slider, `slow` everything that takes longer. @type {Engine} */
let quick, /** @type {Engine} */ slow;
/** @type {Questions} */
let questions;
/** asked, answered: number of the last change, and of the last one that the engine has answered. whole: elements changed, not only numbers. */
const work = { asked: 0, answered: 0, busy: false, whole: true, timer: 0 };
const tell = (/** @type {string} */ text) => void ($("messages").textContent = text);
const panel = new Panel(rig, { changed: (more) => refresh(!more), hold: () => view.hold(), tell });
const commands = new Commands(rig);
const view = new View({ move, choose, remove: (id) => void (work.answered === work.asked && panel.remove(id)), places });

const state = (/** @type {string} */ s) => (document.documentElement.dataset.state = s);
const narrow = () => (matchMedia("(max-width:36rem)").matches ? WITH.narrow : 0);

/** `whole`: elements changed, not only numbers. @param {boolean} whole */
function refresh(whole) {
    questions?.keep();
    keepCalibration(rig.xml);
    work.asked++;
    work.whole ||= whole;
    state("busy");
    clearTimeout(work.timer);
    if (!work.busy) solve();
}

async function solve() {
    work.busy = true;
    while (work.answered !== work.asked) {
        const now = work.asked, { whole } = work, { xml } = rig;
        work.whole = false;
        /** @type {import("./engine.js").Point} */
        const point = await quick.call("point", { xml, lang: language.now, parts: narrow() + (whole ? WITH.resolved : 0) }).catch(() => ({ status: 12, messages: [], why: t("does not work") }));
        work.answered = now;
        if (point.resolved) rig.resolved = new DOMParser().parseFromString(point.resolved, "text/xml");
        if (refused(point)) continue;
        view.show(point);
        panel.take(point);
        if (whole) panel.draw();
        for (const [id, steps] of /** @type {[string, string[]][]} */ ([["undo", rig.past], ["redo", rig.future]])) field(id).disabled = !steps.length;
    }
    work.busy = false;
    state("ready");
    clearTimeout(work.timer);
    work.timer = window.setTimeout(rest, REST_MS);
}

/** @param {import("./engine.js").Point} point */
function refused(point) {
    const mistake = point.messages.find((m) => m.severity === 0);
    if (!mistake || !moving || !rig.past.length) return (moving = undefined);
    view.refuse(moving, mistake.text);
    moving = undefined;
    rig.undo();
    rig.future.pop();
    refresh(true);
    return true;
}
/** @type {{id: string, slot: number} | undefined} */
let moving;

/** An infinite `slot` stands for the next slot where the card fits. @param {string} id @param {number} slot */
function move(id, slot) {
    if (rig.broken) return;
    const to = panel.move(id, slot);
    if (to === undefined && !Number.isFinite(slot)) view.refuse({ id, slot: rig.slot(/** @type {Element} */ (rig.byId(id))) }, t("There is no free place further on."));
    moving = to === undefined ? undefined : { id, slot: to };
}

/** @param {string} id */
function places(id) {
    const card = rig.byId(id);
    return card?.tagName === "gpu" ? rig.places(card, rig.slots(card)).filter((slot) => slot !== rig.slot(card)) : [];
}

async function rest() {
    const now = work.asked, { xml } = rig;
    try {
        const point = await slow.call("point", { xml, lang: language.now, parts: narrow() + WITH.ranges + WITH.advice });
        if (now !== work.asked) return;
        if (point.status === 0) view.show(point);
        $("command").textContent = commands.text();
        const hash = await toFragment(xml);
        if (now !== work.asked) return;
        history.replaceState(null, "", hash);
        state("resting");
    } catch {
        // The slow engine was stopped; nothing changes in the page.
    }
}

/** @param {string} id */
function choose(id) {
    const e = rig.byId(id), i = e ? rig.all(e.tagName).indexOf(e) : -1;
    document.getElementById(`${e?.tagName}-${i}-part`)?.focus({ preventScroll: matchMedia("(min-width:64rem)").matches });
}

/** @param {string} xml */
function use(xml) {
    rig.set(xml);
    refresh(true);
}
/** Another rig: nothing of the one before stays, but the rig is kept as the start of the commands. @param {string} xml @param {import("./keep.js").Start} [start] */
function begun(xml, start = commands.start) {
    Object.assign(commands, { start, asked: undefined, searched: "", log: "" });
    view.before.clear();
    panel.dearest = 0;
    use(xml);
    questions?.clear();
    $("fitted").replaceChildren();
    $("fitted").classList.remove("old");
}

async function begin() {
    const job = field("model").value, country = field("country").value;
    const argv = ["new", "--gpus", field("count").value, "--gpu", field("card").value.trim(), ...(country ? ["--country", country] : [])];
    const answer = await slow.call("command", { argv, files: {}, lang: language.now });
    if (answer.code !== 0) return tell(answer.err.replace(/^wattsink: /gm, "").replace(/\nusage:[^]*/, ""));
    const d = new DOMParser().parseFromString(answer.out, "text/xml"), load = d.getElementsByTagName("workload")[0];
    const model = [["kind", "inference"], ["model", job], ...(Number(field("count").value) > 1 ? [["split", "layer"]] : [])];
    if (job.startsWith("model/")) {
        load.removeAttribute("class");
        for (const [k, v] of model) load.setAttribute(k, v);
    } else if (job !== "training") {
        load.setAttribute("kind", "constant");
        load.setAttribute("class", job === "constant" ? "training" : job);
    }
    if (job !== "training") for (const k of ["checkpoint-every", "checkpoint-takes"]) load.removeAttribute(k);
    begun(new XMLSerializer().serializeToString(d), { xml: answer.out, argv });
}

/** @param {File | undefined} file */
async function open(file) {
    if (!file) return;
    const text = await file.text();
    if (isRig(text) || /\.xml$/i.test(file.name) && !text.includes("<nvidia_smi_log")) begun(text, { xml: text, file: file.name });
    else {
        Object.assign(commands, { log: file.name }), ($("command").textContent = commands.text());
        await calibrate(text, rig.xml, slow, use);
        $("log").scrollIntoView();
        keepCalibration(rig.xml);
    }
}

function choices() {
    const chosen = { model: field("model").value, country: field("country").value };
    const option = (/** @type {string[]} */ [value, label]) => make("option", { value }, label);
    $("model").replaceChildren(make("optgroup", { label: t("Jobs") }, ...JOBS.map(([v, l]) => option([v, t(l)]))), make("optgroup", { label: t("Language models") }, ...models.map(option)));
    $("country").replaceChildren(...COUNTRIES.map(([v, l]) => option([v, t(l)])));
    if (chosen.model) field("model").value = chosen.model;
    field("country").value = chosen.model ? chosen.country : language.now ? "jp" : "us";
}
/** @type {string[][]} */
let models = [];

function speak() {
    tellPage();
    choices();
    questions?.draw();
    // Answers are in the language in which they were asked for, so they are removed.
    questions?.drop();
    questions?.clear();
    if (rig.xml) {
        calibrateAgain(slow, use).then(() => keepCalibration(rig.xml));
        panel.draw();
        refresh(false);
    }
}

async function start() {
    field("lang").value = `${language.now}`;
    speak();
    const data = await load();
    quick = new Engine(data);
    slow = new Engine(data);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(await quick.started);
    document.adoptedStyleSheets = [sheet];
    questions = new Questions(rig, slow, use, (asked, searched = "") => ($("command").textContent = Object.assign(commands, { asked, searched, about: rig.xml }).text()));
    for (const family of ["gpu", "cooler", "chassis", "psu", "cpu", "fan", "model"]) {
        /** @type {string[][]} */
        const lines = (await quick.call("parts", { family })).split("\n").map((/** @type {string} */ l) => /^(\S+)\s+(.*)$/.exec(l)?.slice(1)).filter(Boolean);
        if (family === "model") models = lines;
        else $(`list-${family}`).replaceChildren(...lines.map(([value, label]) => make("option", { value, label })));
    }
    choices();
    const kept = await fromFragment(location.hash) ?? document.getElementById("rig")?.textContent?.replaceAll("<\\/", "</");
    if (kept) use(kept);
    else await begin();
}

$("first").addEventListener("submit", (e) => (e.preventDefault(), begin()));
$("undo").addEventListener("click", () => rig.undo() && refresh(true));
$("redo").addEventListener("click", () => rig.redo() && refresh(true));
$("save").addEventListener("click", () => offer("rig.xml", rig.xml));
$("share").addEventListener("click", async () => {
    const hash = await toFragment(rig.xml);
    history.replaceState(null, "", hash);
    await navigator.clipboard?.writeText(location.href).then(() => ($("share").textContent = t("Copied")), () => undefined);
    setTimeout(() => ($("share").textContent = t("Copy link")), 1500);
});
$("open").addEventListener("change", () => (open(field("open").files?.[0]), (field("open").value = "")));
$("lang").addEventListener("change", () => ((language.now = Number(field("lang").value)), speak()));
for (const [type, over] of /** @type {[string, boolean][]} */ ([["dragover", true], ["dragleave", false], ["drop", false]]))
    document.addEventListener(type, (e) => {
        e.preventDefault();
        $("drop").classList.toggle("over", over);
        if (type === "drop") open(/** @type {DragEvent} */ (e).dataTransfer?.files[0]);
    });
document.addEventListener("keydown", (e) => {
    if ((e.ctrlKey || e.metaKey) && e.key === "z" && !/** @type {Element} */ (e.target).matches("input:not([type=range])")) (e.shiftKey ? $("redo") : $("undo")).click();
});
window.addEventListener("hashchange", async () => {
    const kept = await fromFragment(location.hash);
    if (kept && kept !== rig.xml) begun(kept);
});
matchMedia("(max-width:36rem)").addEventListener("change", () => rig.xml && refresh(false));
start().catch((error) => {
    state("failed");
    tell(String(error.message ?? error));
});
