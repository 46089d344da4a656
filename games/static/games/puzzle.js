// A puzzle is answered as one plays: with the hand and the board (hand.js). What is chosen is sent as
// the answer, by the page itself. A wrong answer is played out by the tricks that beat it; then all is
// as it was, and what was wrong is said. The right one takes part in its trick, and the rest is played
// on the same board when asked for.

import { offerCalls, picked, showChoice } from "./hand.js";
import { box, fan, run, shift } from "./motion.js";
import { sound } from "./sounds.js";

const PLAY = 200; // a card
const REST = 900; // a trick
const READ = 1600; // the trick that beats an answer
const BURST = 500; // of solids, around who is right

const table = document.getElementById("table");
const numbers = Array.from(table.querySelectorAll("[data-puzzle=hold] .order"), (each) => each.cloneNode(true))
  .sort((a, b) => /\d+/.exec(a.textContent) - /\d+/.exec(b.textContent)); // by who played when
const play = document.getElementById("play");
const keys = document.querySelectorAll(".trick-keys a");
const asked = table.querySelector(".asked-card .card");
const SHAPES = ["ball", "cube", "cone", "star"];
let shownKey;
const { calm } = window.xactika;

for (const text of table.querySelectorAll(`[data-me="${table.dataset.me}"][data-you]`)) {
  text.textContent = text.dataset.you;
}
// Bids and names that were wrong stay struck out until the puzzle is opened anew, perhaps by somebody else.
// A lead keeps by how many cards it is beaten, on its card and as one bar of all tries: the least is sought.
const tries = `tried ${location.pathname}`;
const { tried, beatenBy } = table.dataset;
const wrong = tried ? [...(sessionStorage.getItem(tries)?.match(/\S+/g) ?? []), beatenBy ? `${tried}=${beatenBy}` : tried] : [];
sessionStorage.setItem(tries, wrong.join(" "));
const leads = beatenBy ? wrong.map((each) => each.split("=")) : [];
if (!beatenBy) {
  for (const each of wrong) {
    const its = document.getElementById(`bid-${each}`)?.parentElement ?? document.querySelector(`.puzzle-answer [value="${each}"]`);
    its?.classList.add("tried");
  }
}
for (const [lead, count] of leads) {
  const { dataset } = document.getElementById(`card-${lead.slice(0, 4)}`).parentElement;
  dataset.beatenBy = Math.min(count, dataset.beatenBy ?? count);
}
if (leads.length) {
  const bars = Object.assign(document.createElement("span"), { className: "tries" });
  bars.setAttribute("aria-hidden", "true");
  for (const count of [...leads.map(([, each]) => each).slice(-4), "?"]) {
    const bar = bars.appendChild(Object.assign(document.createElement("i"), { textContent: count }));
    bar.style.setProperty("--count", Number(count) || 0);
  }
  document.querySelector(".told.wrong").append(bars);
}
table.addEventListener("chosen", () => {
  for (const input of table.querySelectorAll("#choices [name=call]")) {
    input.parentElement.classList.toggle("tried", leads.some(([lead]) => lead === `${picked("card")?.value}:${input.value}`));
  }
});
offerCalls();
showChoice();
let isPlayed = false; // my card lies there, and the answer goes
play?.addEventListener("submit", (event) => {
  if (isPlayed) return;
  const card = picked("card")?.value;
  const call = picked("call")?.value;
  const answer = document.getElementById("answer");
  answer.value = picked("bid")?.value ?? (call ? `${card}:${call}` : card) ?? "";
  const { submitter } = event;
  if (!submitter?.matches("[data-plays-on]")) return call && submitter?.id === "confirm" && playMine(event, card, call);
  event.preventDefault();
  const own = Array.from(document.querySelectorAll("input[form=play][name=own]"), ({ value }) => ["own", value]);
  goOn(`${submitter.getAttribute("formaction")}?${new URLSearchParams(own)}`);
});

// My card lies on this page's board before the next page says what it was worth.

function playMine(event, code, call) {
  if (calm()) return;
  event.preventDefault();
  isPlayed = true;
  document.getElementById("choices").replaceChildren();
  const called = document.getElementById("called");
  called.replaceChildren();
  called.removeAttribute("data-taker");
  for (const place of table.querySelectorAll(".board .slot")) clear(place);
  table.classList.remove("swept");
  const card = table.querySelector(`#hand [data-card="${code}"]`).cloneNode(true);
  const slot = table.querySelector(".mine .slot");
  [, slot.dataset.shape] = call.split("-");
  fly(slot, card).then(() => event.submitter.click()); // Safari 15 has no requestSubmit
}

// What comes of a play is seen on this page's board before the next page shows it.

table.addEventListener("click", (event) => {
  const way = event.target.closest("a[data-plays-on]");
  if (!way || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  goOn(way.href);
});

// What was played out is no table to come back to.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

async function goOn(address) {
  try {
    const page = calm() ? "" : await (await fetch(address)).text();
    const tricks = new DOMParser().parseFromString(page, "text/html").querySelectorAll("#played [data-new] .trick");
    if (tricks.length) await playOut(tricks, { stays: true });
  } finally {
    location.assign(`${address}#verdict`);
  }
}

// Whoever presses anything has seen enough. What is played out goes away again, if it does not stay;
// a trick that stays open is not swept, and what was led before this page lies at once. What is told of a trick is
// told instead of the question.

async function playOut(tricks, { stays = false, isOne = false, isLed = false, reads = REST } = {}) {
  const places = table.querySelectorAll(".board .slot, #called");
  const was = Array.from([...places, ...table.querySelectorAll(".board .taken")], (place) => [place, place.cloneNode(true)]);
  const gone = new Set(table.querySelectorAll(".open-hand .gone"));
  const isSwept = table.classList.contains("swept");
  const rows = Object.fromEntries(SHAPES.map((each) => [each, asked?.parentElement.style.getPropertyValue(`--row-${each}`)]));
  const title = document.getElementById("question-title");
  const question = title.textContent;
  if (!isOne) title.style.minHeight = `${box(title).height}px`;
  let isOver = false;
  let said;
  let wake = () => {};
  const end = () => {
    if (isOver) return;
    isOver = true;
    wake();
    if (stays) return;
    for (const ghost of table.querySelectorAll(".ghost")) ghost.remove();
    for (const [place, before] of was) table.querySelector(`#${place.id}`).replaceWith(before);
    for (const held of table.querySelectorAll(".held")) held.style.visibility = "";
    for (const card of table.querySelectorAll(".open-hand .card")) card.classList.toggle("gone", gone.has(card));
    table.classList.toggle("swept", isSwept);
    table.classList.remove("playing-out");
    markKey(shownKey);
    for (const each of SHAPES) asked?.parentElement.style.setProperty(`--row-${each}`, rows[each]);
    title.textContent = question;
    title.style.minHeight = "";
  };
  if (!isOne) for (const kind of ["pointerdown", "keydown", "pagehide"]) addEventListener(kind, end, { capture: true, once: true });
  const rest = (time) => new Promise((done) => {
    wake = done;
    setTimeout(done, time);
  });

  if (!isOne) table.classList.add(stays ? "playing-on" : "playing-out");
  if (stays) document.getElementById("choices")?.replaceChildren();
  if (!stays && !isLed) await rest(PLAY);
  for (const trick of tricks) {
    if (isOver) return;
    open(trick);
    if (title.textContent === said) title.textContent = question; // it is of the trick before
    markKey(keyOf(trick));
    for (const played of trick.querySelectorAll(".plays > li")) {
      if (isOver) return;
      await lay(played, rest, isLed);
      isLed = false;
    }
    const winning = trick.querySelector(".winning")?.dataset.seat;
    if (isOver) return;
    if (!winning) break;
    const slot = take(winning);
    if (!calm()) run(slot, [{ transform: "none" }, { transform: "translateY(-.6rem) scale(1.05)" }, { transform: "none" }], PLAY);
    if (isOne) return;
    ({ said } = trick.parentElement.dataset);
    if (said) document.getElementById("heard").textContent = title.textContent = said;
    if (holder) markProof(trick);
    await rest(reads);
    if (isOver) return;
    if (holder && trick === tricks[tricks.length - 1]) break; // the last stays
    const cards = Array.from(table.querySelectorAll(".board .slot .card"), (card) => [card, box(card)]);
    const swept = calm() || fan(table, cards, box(document.getElementById(`seat-${winning}`)));
    table.classList.add("swept");
    await swept;
    if (isOver) return;
    if (!holder) count(document.getElementById(`taken-${winning}`)); // else it was taken long ago
  }
  const { result } = tricks[0].closest("[data-result]")?.dataset ?? {};
  if (result) {
    document.getElementById("heard").textContent = title.textContent = result;
    await rest(Math.max(READ, reads));
  }
  end();
}

// The board for a trick: its call, and of its cards those that lie there.
function open(trick) {
  for (const place of table.querySelectorAll(".board .slot, #called")) {
    if (lies(place, trick)) unmark(place);
    else clear(place);
  }
  const called = document.getElementById("called");
  called.removeAttribute("data-taker");
  const call = Object.assign(document.createElement("p"), { className: "call" });
  call.append(...trick.querySelector(".called .chip").cloneNode(true).children);
  call.firstElementChild.dataset.theme = "light"; // on its own plate
  called.replaceChildren(call);
  table.classList.remove("swept");
}

function take(seat) {
  const slot = document.getElementById(`slot-${seat}`);
  slot.classList.add("winning");
  document.getElementById("called").dataset.taker = seat;
  return slot;
}

// Whether a card of this trick lies here already.
function lies(place, trick) {
  const { card } = place.querySelector(".card")?.dataset ?? {};
  return Boolean(card && trick.querySelector(`[data-card="${card}"]`));
}

// Who wins is told anew.
function unmark(place) {
  place.classList.remove("winning", "best", "rules-out");
  place.querySelector(".note")?.replaceChildren();
}

function clear(place) {
  place.replaceChildren();
  place.classList.remove("winning", "best", "slough", "rules-out");
  delete place.dataset.shape;
}

// One more trick taken.
function count(taken) {
  const circles = taken.querySelector(".circles") ?? taken.appendChild(Object.assign(document.createElement("span"), { className: "circles" }));
  const open = circles.querySelector("i:not([class])");
  const circle = open ?? circles.appendChild(document.createElement("i"));
  circle.className = open || !circles.title ? "full" : "over";
  taken.classList.toggle("made", Boolean(open) && !circles.querySelector("i:not(.full)"));
}

async function lay(played, rest, isThere) {
  const { seat, shape } = played.dataset;
  const card = played.querySelector(".card").cloneNode(true);
  card.setAttribute("aria-hidden", "true");
  const slot = document.getElementById(`slot-${seat}`);
  const note = () => played.querySelector(".note").cloneNode(true);
  if (lies(slot, played)) {
    if (numbers.length) slot.querySelector(".note")?.replaceWith(note()); // open took its words; in flight it has none
    return;
  }
  slot.classList.toggle("slough", played.matches(".slough"));
  if (shape) slot.dataset.shape = shape;
  await fly(slot, card, isThere);
  const number = numbers[Array.from(played.parentElement.children).indexOf(played)];
  if (number && slot.firstElementChild === card) slot.append(number.cloneNode(true), note());
  if (calm()) await rest(PLAY);
}

// From a hand, mine or open, or from its seat.
async function fly(slot, card, isThere = false) {
  const { card: code } = card.dataset;
  const [, seat] = slot.id.split("-");
  const held = table.querySelector(`#hand [data-card="${code}"]`)?.closest(".held");
  slot.replaceChildren(card);
  const open = table.querySelector(`.open-hand [data-card="${code}"]`);
  const its = slot.parentElement.querySelector(".seat");
  const shown = [".fan", ".figurine"].map((each) => its?.querySelector(each)).find((each) => each?.offsetWidth);
  const from = box(held ?? open ?? shown ?? its ?? document.getElementById(`seat-${seat}`));
  if (held) held.style.visibility = "hidden";
  open?.classList.add("gone");
  if (isThere) return;
  const to = box(slot);
  sound("card");
  if (!calm()) await run(slot, [{ transform: `${shift(to, from)} scale(${from.width / to.width})` }, { transform: "none" }], PLAY);
}

const tricks = document.querySelectorAll("#refutation .trick");
if (tricks.length && !calm()) playOut(tricks, { reads: READ, isLed: Boolean(play) });

// The right answer: its trick is played to its end, if it is mine or the hands are open; the card that is
// asked for goes to who holds it. Then the rest, when asked for.

const { holder } = table.dataset;
const holds = holder && document.getElementById(`seat-${holder}`);
holds?.classList.add("holds");
const solids = document.querySelectorAll("[data-solved] .flourish .solid");
const cheered = solids.length && !calm() ? cheer(holds ?? document.querySelector(".told .figurine")) : Promise.resolve();

// No card that is to be read lies under it: what is played waits for its end.
async function cheer(figure) {
  if (document.querySelector(".bid-bars")) await new Promise((done) => setTimeout(done, 1200)); // first these
  const place = figure.closest(".told, .stage");
  const [{ x, y, width, height }, { x: left, y: top }] = [figure, place].map(box);
  await Promise.all(Array.from({ length: 12 }, (_none, k) => {
    const solid = solids[k % 4].cloneNode(true);
    solid.classList.add("thrown");
    Object.assign(solid.style, { left: `${x + width / 2 - left}px`, top: `${y + height / 2 - top}px` });
    place.append(solid);
    const [right, down] = [Math.cos((k * Math.PI) / 6) * width, Math.sin((k * Math.PI) / 6) * height];
    const at = (far, size) => `translate(-50%, -50%) translate(${far * right}px, ${far * down}px) scale(${size})`;
    const frames = [{ opacity: 1, transform: at(0.3, 0.2) }, { opacity: 1, transform: at(0.75, 0.6), offset: 0.6 }, { opacity: 0, transform: at(0.9, 0.3) }];
    return run(solid, frames, BURST).then(() => solid.remove());
  }));
}

const rest = Array.from(document.querySelectorAll("#to-see .trick"));
const mine = table.querySelector(".mine .slot");
let shown;
if (rest.length && !holder && "solved" in table.dataset && lies(mine, rest[0])) {
  const isMine = rest[0].querySelector(".winning").dataset.seat === table.dataset.me;
  if (isMine || table.querySelector(".open-hand")) shown = cheered.then(() => table.matches(".playing-on") || playOut(rest.slice(0, 1), { stays: true, isOne: true }));
  else mine.classList.add("best"); // though somebody had what beats it
}
const seePlayed = document.getElementById("see-played");
if (seePlayed) seePlayed.hidden = false;
seePlayed?.addEventListener("click", async (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  await shown;
  table.querySelector(".stage").scrollIntoView({ block: "nearest" });
  playOut(rest, holder ? { reads: 2 * READ } : {});
});

// Who can hold it is read from the tricks before: each comes onto the board by its key; what rules out the
// player who was named, or most of them once it is solved, by itself.

const trickOf = (key) => document.querySelector(`${key.hash} .trick`);
const cardsOf = (trick) => Array.from(trick.querySelectorAll("[data-card]"), ({ dataset }) => dataset.card).join(" ");

function keyOf(trick) {
  return Array.from(keys).find((key) => cardsOf(trickOf(key)) === cardsOf(trick));
}

function markKey(key) {
  for (const each of keys) each.removeAttribute("aria-current");
  key?.setAttribute("aria-current", "step");
}

// Who has just not followed a call that the card sought shows, or one of them (`seat`): it isn't theirs.
function markProof(trick, seat = "") {
  const winning = trick.querySelector(".winning");
  const place = SHAPES.indexOf(winning.dataset.shape);
  const isProof = asked.dataset.card[place] === winning.querySelector(".card").dataset.card[place];
  for (const each of SHAPES) asked.parentElement.style.setProperty(`--row-${each}`, isProof && each !== SHAPES[place] ? .3 : 1);
  if (!isProof) return;
  for (const played of trick.querySelectorAll(".slough")) {
    if (played.dataset.seat !== table.dataset.me && (!seat || played.dataset.seat === seat)) {
      document.getElementById(`slot-${played.dataset.seat}`).classList.add("rules-out");
    }
  }
}

async function show(key, isThere = calm()) {
  shownKey = key;
  markKey(key);
  const trick = trickOf(key);
  open(trick);
  for (const played of trick.querySelectorAll(".plays > li")) {
    await lay(played, () => {}, isThere);
    if (shownKey !== key) return;
  }
  take(trick.querySelector(".winning").dataset.seat);
  if (holder || Number(tried)) markProof(trick, tried);
}

for (const key of keys) {
  if (key.hasAttribute("aria-current")) shownKey = key;
  key.addEventListener("click", (event) => {
    event.preventDefault();
    show(key, true);
  });
}
if (shownKey && (holder || (tried && tried !== "nobody"))) {
  shown = cheered.then(() => show(shownKey)).then(() => holds && !calm() && fan(table, [[asked, box(asked)]], box(holds)));
}

// Whoever has chosen a card wants to see the table again.
play?.addEventListener("change", () => location.hash === "#cards-played" && location.replace("#table"));

// Which of the open cards may answer what I have led: what shows another count steps back.
const led = document.querySelector("[data-solved] .mine .slot[data-shape]");
if (led) {
  const place = SHAPES.indexOf(led.dataset.shape);
  const count = led.querySelector(".card").dataset.card[place];
  for (const card of table.querySelectorAll(".open-hand .card")) card.classList.toggle("off", card.dataset.card[place] !== count);
}

window.arrived?.(import.meta.url);
