// The table in the browser. The server pushes whole fragments; this puts them in place and keeps
// what a person is holding (focus, a half-made choice, an open sheet). Beside it: moments.js
// (what is shown when, and moves), hand.js (choosing and playing), ear.js, keys.js, odds.js,
// stats.js, sounds.js, preferences.js.

import { callToTurn } from "./ear.js";
import { fit, offerCalls, playWithoutChoice, showChoice, sortHand } from "./hand.js";
import { glow, look, push, skip, start } from "./moments.js";
import { ease } from "./motion.js";
import { showHints } from "./preferences.js";
import { countStats } from "./stats.js";

const table = document.getElementById("table");
const byId = (id) => document.getElementById(id);
const isShown = (element) => element !== null && element.getClientRects().length > 0;

// What was done is said once: not again when the page is loaded anew.

const address = new URL(location.href);
if (address.searchParams.has("done")) {
  address.searchParams.delete("done");
  history.replaceState(history.state, "", address);
}

// "You" instead of my name, where what is common to the table speaks of me.

function nameMe(fragment) {
  const me = table.dataset.me;
  if (!me) return;
  for (const text of fragment.querySelectorAll(`[data-me="${me}"]`)) text.textContent = text.dataset.you;
  for (const name of fragment.querySelectorAll(`.plays .slot[data-seat="${me}"] .by`)) name.textContent = table.dataset.you;
  for (const row of fragment.querySelectorAll(`[data-row="${me}"]`)) row.classList.add("me");
  const [mine, stand] = [`[data-outcome="${me}"]`, `.beside [data-row="${me}"]`].map((each) => fragment.querySelector(each));
  if (mine) mine.hidden = false;
  if (stand) fragment.querySelector(".podium").append(stand);
}

// htmx keeps the connection and sends what is pressed; the fragments are put in place here: its
// own swaps tell each element of its coming and going, which on a slow device takes longer than
// all the rest.

const shown = new Map();
for (const fragment of table.querySelectorAll("[id]")) shown.set(fragment.id, fragment.outerHTML);

function put(next) {
  const target = byId(next.id);
  if (next.hasAttribute("hx-swap-oob")) return target.append(...next.childNodes); // to be heard
  if (!target || shown.get(next.id) === next.outerHTML) return;
  for (const part of [next, ...next.querySelectorAll("[id]")]) shown.set(part.id, part.outerHTML);
  // What it lies in is not as it was shown any more; the language stands outside of the table.
  for (let outer = target; (outer = outer.parentElement?.closest("[id]")) && outer !== table; ) shown.delete(outer.id);
  if (next.id === "hand") sortHand(next);
  nameMe(next);
  const eased = next.id === "hand" && !window.xactika.calm() && ease(target, next);
  target.replaceWith(next);
  if (eased) eased();
  if (next.matches("[hx-get]") || next.querySelector("[ws-send], [hx-post], [hx-get]")) htmx.process(next);
  if (next.matches(".sheet[open] [hx-get]")) htmx.trigger(next, "open");
}

// ``isBegun``: of what has come, the rest is still held back.
function apply(news, isBegun = false) {
  const active = table.contains(document.activeElement) ? document.activeElement : null;
  const within = (active?.closest(".sheet")?.querySelector("h2") ?? active?.closest("#choices, section, header"))?.id;
  const selection = active?.matches("input[type=text]") ? [active.selectionStart, active.selectionEnd] : null;
  const turn = byId("play")?.elements.turn.value;
  const checked = Array.from(table.querySelectorAll("#hand input:checked, #choices input:checked"), (input) => input.id);

  const says = news.querySelector("#notice") !== null;
  for (const next of Array.from(news.children)) put(next);
  if (says || !isBegun) outlive(says);
  if (says) byId("confirm")?.classList.remove("sending", "at-once"); // refused

  offerCalls();
  if (byId("play")?.elements.turn.value === turn) {
    for (const id of checked) if (byId(id)) byId(id).checked = true;
  }
  showChoice();
  if (active && !isShown(active)) {
    const again = [active.id, within === "choices" ? "hand" : within, "prompt"].map((id) => byId(id || "none")).find(isShown);
    again?.focus({ preventScroll: true });
    if (selection && again?.setSelectionRange) again.setSelectionRange(...selection);
  }
  showHints();
  countStats();
  if (!isBegun && callToTurn()) glow();
  look();
  playWithoutChoice();
  fit();
  htmx.trigger(table, "htmx:wsAfterMessage"); // which htmx leaves out after the below
}

table.addEventListener("htmx:wsBeforeMessage", (event) => {
  event.preventDefault();
  push(event.detail.message);
});

// What the page itself has to say, and for how long: until what it was about has passed (the turn,
// the trick, the pause). What the server refuses it follows by the present picture, and that is
// the one which the notice is about.

const place = () => `${byId("bar")?.textContent} ${byId("play")?.elements.turn.value}`;
let saidAt = place();
let stays = false;
const LONG_ENOUGH = 6000; // to read what was done for me

function say(text) {
  byId("notice").textContent = text;
  delete byId("notice").dataset.stays;
  shown.delete("notice");
  saidAt = place();
  stays = false;
}

function outlive(says) {
  stays &&= !says && byId("bar")?.dataset.status === "playing";
  if (stays) return;
  if (says) saidAt = null;
  else if (saidAt === null) saidAt = place();
  else if (saidAt !== place() && byId("notice").textContent) say("");
}

table.addEventListener("says", ({ detail }) => say(detail));
// What was done for me is told until I do something myself, or the round is over, or it is read.
table.addEventListener("keeps", ({ detail }) => {
  say(detail);
  const said = saidAt;
  setTimeout(() => stays && saidAt === said && say(""), LONG_ENOUGH);
  stays = true;
  byId("notice").dataset.stays = "";
});
table.addEventListener("acts", () => {
  say("");
  skip();
});
table.addEventListener("htmx:wsBeforeSend", () => say(""));
byId("trick").parentElement.addEventListener("click", skip);
// On a phone many cards are small on the board: the last trick opens large on a tap.
byId("trick").parentElement.addEventListener("click", ({ target }) => {
  const isSmall = byId("seats").dataset.seats > 6 && matchMedia("(max-width: 39.99rem)").matches;
  const sheet = byId("sheet-tricks");
  if (isSmall && sheet?.querySelector(".past:not([hidden])") && target.closest(".slot, .called")) setTimeout(() => (sheet.open = true));
});
for (const failure of ["htmx:sendError", "htmx:responseError"]) {
  table.addEventListener(failure, () => say(table.dataset.failed));
}
// A press that changes no more than which of several is pressed says that it did.
table.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful && event.detail.requestConfig.elt.matches(".steer [aria-pressed]")) say(table.dataset.saved);
});

for (const field of table.querySelectorAll("input[readonly]")) field.addEventListener("focus", () => field.select());
nameMe(table);
sortHand(byId("hand"));
start(apply);
look();
offerCalls();
showChoice();
showHints();
fit();
playWithoutChoice();

window.arrived?.(import.meta.url);
