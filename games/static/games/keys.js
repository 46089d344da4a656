// Single keys, for whoever has a keyboard and wants them.

import { press } from "./hand.js";
import { situation } from "./ear.js";
import { prefers } from "./preferences.js";

const byId = (id) => document.getElementById(id);
const SHEETS = { t: "sheet-stats", l: "sheet-tricks", p: "sheet-scores", d: "sheet-odds", "?": "sheet-more" };
const CALLS = { b: "ball", c: "cube", o: "cone", s: "star" };

document.addEventListener("keydown", (event) => {
  if (!event.target.matches("input[type=text]")) document.body.dataset.keyed = ""; // there is a keyboard, then
  if (event.ctrlKey || event.metaKey || event.altKey || !prefers("keys")) return;
  if (event.target.matches("input[type=text], textarea, select, #sheet-question *")) return;
  const key = event.key.toLowerCase();
  const sheet = byId(SHEETS[key] ?? "none");
  if (sheet) sheet.open = !sheet.open;
  else if (key === "h") goToHand();
  else if (key === "w") situation();
  else if (key === "k") byId("ask-odds")?.click();
  else if (CALLS[key]) press(byId("choices").querySelector(`:not([hidden]) > [value$=-${CALLS[key]}]`));
  else if (/^[0-8]$/.test(key) && byId("play")) {
    const bids = byId("play").dataset.kind === "bid";
    press(bids ? byId(`bid-${key}`) : byId("hand").querySelectorAll(".held")[key - 1]?.querySelector("input"));
  } else return;
  event.preventDefault();
});

function goToHand() {
  const goals = ["#hand .cards input:checked", "#hand .cards input", "#choices input:enabled"];
  (goals.map((goal) => document.querySelector(goal)).find(Boolean) ?? byId("hand")).focus();
}

window.arrived?.(import.meta.url);
