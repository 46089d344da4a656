// My odds: fetched while their sheet is open; the chosen move's own sentence on top.

import { showChoice } from "./hand.js";
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
  showChoice();
  const answer = sheet.querySelector(".odds-answer");
  if (answer && sheet.open) tell(spoken(answer));
});

// On a small screen they lie over the board: they make way once I have played.
const small = window.matchMedia("(max-width: 56.24rem), (max-height: 32.5rem)");
table.addEventListener("htmx:wsBeforeSend", (event) => {
  if (small.matches && sheet && event.target.id === "play") sheet.open = false;
});
