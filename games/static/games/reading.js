// "How do I read this?": any card, by a long press or the key R, large and in words.

import { tell } from "./ear.js";
import { prefers } from "./preferences.js";

const table = document.getElementById("table");
const byId = (id) => document.getElementById(id);
const SHAPES = ["ball", "cube", "cone", "star"];
const LONG = 550;
const MOVED = 10;

function read(card) {
  const counts = Array.from(card.dataset.card, Number);
  const value = counts.reduce((a, b) => a + b);
  const copy = card.cloneNode(true);
  copy.removeAttribute("data-card"); // what is counted as seen, and what flies, is the other
  byId("reading-card").replaceChildren(copy);
  byId("reading-words").textContent = card.getAttribute("aria-label");
  byId("reading-sum").textContent = `${counts.join(" + ")} = ${value}`;
  const line = byId("reading-call");
  const solids = document.querySelectorAll("#called:not([data-taker]) .call use");
  line.hidden = !solids.length;
  if (solids.length) {
    const shape = SHAPES.indexOf(solids[0].getAttribute("href").split("#")[1]);
    const words = document.querySelector("#called .call > :last-child").textContent;
    line.textContent = line.dataset[counts[shape] === solids.length ? "shows" : "not"].replace("{call}", words);
  }
  byId("sheet-card").open = true;
  tell([byId("reading-words"), line].filter((each) => !each.hidden).map((each) => each.textContent).join(". "));
}

// A long press, whose end is neither a tap nor a drag.

let press = null;
let wasLong = false;

const letGo = () => {
  clearTimeout(press?.timer);
  press?.card.classList.remove("read");
  press = null;
};

table.addEventListener("pointerdown", (event) => {
  letGo();
  wasLong = false;
  const holder = event.target.closest(".held, .slot");
  const card = holder?.querySelector("[data-card]");
  if (!card || event.button !== 0) return;
  press = { card, x: event.clientX, y: event.clientY };
  press.timer = setTimeout(() => {
    wasLong = true;
    press.card.classList.add("read");
  }, LONG);
});
addEventListener("pointermove", (event) => {
  if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > MOVED) {
    wasLong = false;
    letGo();
  }
});
addEventListener("pointerup", () => {
  const card = wasLong && press?.card;
  letGo();
  if (card) setTimeout(() => read(card)); // a sheet that is open at the press's end would close
});
addEventListener("pointercancel", letGo);
table.addEventListener("click", (event) => {
  if (!wasLong) return;
  wasLong = false;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
table.addEventListener("contextmenu", (event) => {
  if (press && event.target.closest(".held, .slot")) event.preventDefault();
});

// By key: the card that has the focus or is chosen, else the last one played.

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "r" || event.ctrlKey || event.metaKey || event.altKey || !prefers("keys")) return;
  if (event.target.matches("input[type=text], textarea, select, #sheet-question *")) return;
  const held = document.activeElement.closest(".held") ?? table.querySelector(".held:has(input:checked)");
  const played = Array.from(table.querySelectorAll(".board .slot .card"), (card) => [parseInt(card.parentElement.querySelector(".order").textContent.replace(/\D+/, "")), card]);
  const card = held?.querySelector("[data-card]") ?? played.sort(([a], [b]) => b - a)[0]?.[1] ?? table.querySelector("#hand [data-card]");
  if (!card) return;
  event.preventDefault();
  read(card);
});

window.arrived?.(import.meta.url);
