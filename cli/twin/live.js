// SPDX-License-Identifier: GPL-3.0-or-later
// The script of a twin's page: shows the state that the server sends (cli/twin/page.c), and sends an order when the
// user moves a slider or presses the button. It contains no texts for the user.
"use strict";

const all = (selector) => [...document.querySelectorAll(selector)];
const gone = document.getElementById("gone");
const said = document.getElementById("said");
let held = null; // the slider that the user is moving; its value is not updated meanwhile

function show(state) {
  for (const place of all("[data-value]")) {
    const text = state.values[place.dataset.value];
    if (text !== undefined && place.textContent !== text) place.textContent = text;
  }
  for (const slider of all("[data-slider]")) {
    const value = state.sliders[slider.dataset.slider];
    if (value !== undefined && slider !== held) {
      slider.value = value;
      slider.nextElementSibling.textContent = Math.round(value) + " " + slider.dataset.unit; // may be beyond its ends
    }
  }
  document.getElementById("machine").innerHTML = state.machine;
}

async function steer(what) {
  let text;
  try {
    const answer = await fetch("do", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ do: what }),
    });
    const told = await answer.json();
    text = told.ok ? what : what + ": " + told.said;
  } catch (failure) {
    text = what + ": " + failure.message;
  }
  if (said) said.textContent = text;
}

for (const slider of all("[data-slider]")) {
  const write = () => (slider.nextElementSibling.textContent = slider.value + " " + slider.dataset.unit);
  slider.addEventListener("input", () => ((held = slider), write()));
  // A slider released at its old value fires no "change" event.
  for (const end of ["pointerup", "pointercancel", "blur"])
    slider.addEventListener(end, () => (held = held === slider ? null : held));
  slider.addEventListener("change", async () => {
    held = slider;
    await steer(slider.dataset.do + " set " + slider.value + " " + slider.dataset.unit);
    held = null;
  });
}

const button = document.getElementById("do");
if (button) button.addEventListener("click", () => steer(document.getElementById("order").value));

const events = new EventSource("live");
events.onmessage = (event) => {
  gone.hidden = true;
  show(JSON.parse(event.data));
};
events.onerror = () => (gone.hidden = false);
