// My odds: fetched while their sheet is open, with the chosen move's own sentence on top; or asked for at the prompt, and
// then how likely each move is stands on the cards and the choices themselves, until my turn is over.

import { picked, showChoice } from "./hand.js";
import { spoken, tell } from "./ear.js";

const table = document.getElementById("table");
const byId = (id) => document.getElementById(id);
const sheet = byId("sheet-odds");

table.addEventListener("chosen", ({ detail: move }) => {
  const line = byId("odds-chosen");
  if (!line) return;
  const rows = Array.from(byId("odds").querySelectorAll("[data-move]"));
  for (const row of rows) row.classList.toggle("chosen", row.dataset.move === move);
  const words = rows.find((row) => row.dataset.move === move)?.dataset.words ?? "";
  if (line.textContent !== words) line.textContent = words;
});

let askedAt = ""; // the turn

function ask() {
  const button = byId("ask-odds");
  const odds = byId("odds");
  if (!button || !odds.dataset.turn) return;
  askedAt = odds.dataset.turn;
  button.textContent = button.dataset.asked;
  if (showChances()) tell(spoken(odds.querySelector(".odds-answer")));
  else htmx.trigger(odds, "open");
}
table.addEventListener("click", (event) => {
  if (event.target.closest("#ask-odds")) ask();
});

// On a bid or a card its own, on a card to lead from its least likely call to its likeliest, on a call that of the card that is up.
function showChances() {
  const rows = askedAt === byId("odds")?.dataset.turn ? byId("odds").querySelectorAll("[data-chance]") : [];
  const told = new Map(Array.from(rows, (row) => [row.dataset.move, row.dataset.chance]));
  if (!told.size) return false;
  for (const { name, value, parentElement: label } of table.querySelectorAll("#choices input, #play input:not([type=hidden])")) {
    const chance = told.get(name === "call" ? `${picked("card")?.value}:${value}` : value);
    if (chance) label.dataset.chance = chance;
    else delete label.dataset.chance;
  }
  const button = byId("ask-odds");
  const goal = button === document.activeElement ? byId("play").querySelector("input:checked, input:enabled:not([type=hidden])") : null;
  button?.remove();
  goal?.focus();
  return true;
}

table.addEventListener("chosen", showChances);
table.addEventListener("htmx:wsAfterMessage", showChances);

// Who switches them on sees them, unless a question lies there.
table.addEventListener("click", (event) => {
  if (!event.target.closest("[value='odds:always']") || !sheet || byId("sheet-question")?.open) return;
  byId("sheet-more").open = false;
  sheet.open = true;
});
sheet?.addEventListener("opened", () => {
  const odds = byId("odds");
  if (odds.hasAttribute("hx-get") && !odds.querySelector("h3")) htmx.trigger(odds, "open");
});
sheet?.addEventListener("htmx:afterSwap", () => {
  const waits = askedAt && byId("ask-odds");
  showChoice(); // and with it the chances
  const words = sheet.querySelector(".odds-answer");
  const isNotYet = sheet.querySelector("#odds [hx-get]");
  if (waits && !isNotYet && !sheet.querySelector("#odds [data-chance]")) sheet.open = true; // nothing to stand on a card
  if (words && (sheet.open || (waits && !isNotYet))) tell(spoken(words));
});

// On a small screen they lie over the board: they make way once I have played.
const small = window.matchMedia("(max-width: 56.24rem), (max-height: 32.5rem)");
table.addEventListener("htmx:wsBeforeSend", (event) => {
  if (small.matches && sheet && event.target.id === "play") sheet.open = false;
});

window.arrived?.(import.meta.url);
