// What stands on a wall is as large as its screen admits, and never cut off: where there is too
// much for the usual size, --fit makes it smaller, down to what can still be read from the last
// row (--least, in the style sheet). A list with data-turns that has more than one screen even so
// is shown in parts, one after the other. One with data-fills takes all the room that is left, its
// items about so many times as wide as high: here is found how many stand side by side (--columns),
// how much larger they are (--grow), whether names must break for it (data-tight), and whether a
// seat has two lines (data-stacked). Tables stand in full rows where they can, by their number
// alone: each keeps its place from the seating to the end. What was found is kept on the wall,
// whose parts are replaced with every move.

import { holdNews, release } from "./connection.js";
import { run } from "./motion.js";

const { calm } = window.xactika;
const wall = document.querySelector(".wall");
const SMALLEST = 0.3;
const LARGEST = 4;
const STEP = 0.14;
const LEAST = 0.8;
const TURN = 8000;
const SLATE = 1.2; // as many times as wide as high, about
const LINE = 1.5; // where slates are wider than that, a seat has one line if it can be nearly as large, else two
const NEARLY = 0.7;
const UNEVEN = 0.6; // what a row with a place left over counts against that
const page = document.documentElement;
let start = 0;
let parts = null;
let inPart = 0;
let size = 1;
let filled = "";
let beside = 1;

// What fills the wall may not run into what stands beside it, nor a podium over the wall's edge.
const fits = () =>
  page.scrollHeight <= innerHeight &&
  page.scrollWidth <= innerWidth &&
  Array.from(wall.querySelectorAll("[data-fills], .podium")).every((list) => list.scrollWidth <= list.clientWidth);

const areTables = (list) => list.matches(".wall-tables");

// Tables that grow stay of equal width, in their row.
function areEqual(list) {
  if (!areTables(list)) return true;
  const tracks = getComputedStyle(list).gridTemplateColumns.split(" ").map(parseFloat);
  return Math.max(...tracks) - Math.min(...tracks) < 2;
}
const isGrown = () => wall.style.getPropertyValue("--grow") > 1;

function set(to) {
  size = to;
  wall.style.setProperty("--fit", to);
}

// The largest of these at which all fits; it fits at the low end, or nowhere.
function largest(low, high, steps, apply, isRight = fits) {
  for (let step = 0; step < steps; step += 1) {
    const middle = (low + high) / 2;
    apply(middle);
    if (isRight()) low = middle;
    else high = middle;
  }
  apply(low);
  return low;
}

// Rows have as many as each other, or one less, which are wider then.
function across(to) {
  beside = to;
  inRows(wall.querySelector("[data-fills]"));
}

function inRows(list) {
  const all = list.children.length;
  const fewer = Math.max(1, beside - 1);
  const full = parts ? all : all - Math.ceil(all / beside) * (beside - 1); // rows without a place left over
  wall.style.setProperty("--columns", beside * fewer);
  const isEven = list.matches(".arrived"); // its last row may have places left over
  Array.from(list.children).forEach((item, index) => {
    const isWide = !isEven && index >= full * beside;
    item.style.gridColumnEnd = `span ${isWide ? beside : fewer}`;
    item.toggleAttribute("data-wide", isWide && beside < 4);
  });
}

const grow = (to) => wall.style.setProperty("--grow", to);

function show(list, { from, to }) {
  const all = list.children.length;
  Array.from(list.children).forEach((item, index) => {
    item.hidden = index < from || index >= to;
  });
  if (to - from < all) list.dataset.shown = `${from + 1}–${to} / ${all}`;
  else delete list.dataset.shown;
}

// What was found holds as long as there are as many, in the same place, and they fit: what changes
// with every card moves nothing, and what comes again (a round's end) is as it was.
const placeOf = (list) => [innerWidth, innerHeight, list.className, list.children.length].join();
const layouts = new Map();

function recall(list) {
  const known = layouts.get(placeOf(list));
  if (!known) return false;
  wall.toggleAttribute("data-tight", known.isTight);
  wall.toggleAttribute("data-stacked", known.isStacked);
  set(known.size);
  grow(known.grown);
  across(known.beside);
  return fits() && (areEqual(list) || !isGrown());
}

function remember(list) {
  const [isTight, isStacked] = ["tight" in wall.dataset, "stacked" in wall.dataset];
  const grown = wall.style.getPropertyValue("--grow");
  if (!parts) layouts.set(placeOf(list), { isTight, isStacked, size, grown, beside });
}

// Measured at rest: a card that comes in, or who is on the way up, would lie over the edge.
function fit() {
  wall.toggleAttribute("data-still", true);
  fitAtRest();
  wall.removeAttribute("data-still");
}

function fitAtRest() {
  const before = size;
  const fills = wall.querySelector("[data-fills]");
  const podium = wall.querySelector(".podium");
  const place = fills ? placeOf(fills) : podium ? [innerWidth, innerHeight, podium.textContent].join() : "";
  if (podium && place === filled) return; // a cheer moves nothing else
  if (fills && place === filled) {
    if (parts) show(fills, parts);
    inRows(fills);
    if (fits() && (areEqual(fills) || !isGrown())) return;
  }
  filled = "";
  parts = null;
  const lists = Array.from(wall.querySelectorAll("[data-turns]"));
  for (const list of lists) show(list, { from: 0, to: Infinity });
  if (!fills || !recall(fills)) measure(fills, lists);
  if (fills) remember(fills);
  filled = place;
  for (const pile of wall.querySelectorAll(".outcomes .pile")) fitDots(pile);
  // A chart fills the place that it has now.
  if (size !== before && wall.querySelector(".plot")) window.dispatchEvent(new Event("resize"));
}

function measure(fills, lists) {
  delete wall.dataset.tight;
  delete wall.dataset.stacked;
  grow(1);
  set(1);
  while (fills && !(areTables(fills) ? seat(fills) : fill(fills)) && !areTables(fills) && size > SMALLEST) set(Math.max(SMALLEST, size - STEP));
  if (!fits()) {
    set(SMALLEST);
    if (fills) sides(fills).some((side) => (across(side), fits()));
    if (!fits()) for (const list of lists) showPart(list);
  }
  if (size < 1 && fits()) largest(size, 1, 7, set);
  const places = wall.querySelector(".podium")?.parentElement;
  const isWhole = () => fits() && places.scrollHeight <= places.clientHeight;
  if (places && fits()) largest(1, LARGEST, 7, grow, isWhole);
}

// The largest dots of which the tallest pile has room; as many stand side by side in each.
function fitDots(pile) {
  const most = Math.max(...Array.from(pile.querySelectorAll(".dots"), (dots) => dots.childElementCount));
  const { offsetWidth, offsetHeight } = pile.querySelector(".dots");
  let [dot, chosen] = [0, 1];
  for (let side = 1; side <= most; side += 1) {
    const room = Math.min((0.95 * offsetHeight) / Math.ceil(most / side), (0.9 * offsetWidth) / side);
    if (room > dot) [dot, chosen] = [room, side];
  }
  pile.style.setProperty("--side", chosen);
  pile.style.setProperty("--dot", `${Math.floor(dot)}px`);
}

// How many may stand side by side: first so many, that each is about as wide as it should be.
function sides(list) {
  const n = list.children.length;
  if (areTables(list)) return sidesOfTables(n);
  const room = innerHeight - list.getBoundingClientRect().top;
  const about = Math.round(Math.sqrt((n * list.clientWidth) / (room * list.dataset.fills)));
  const some = [about, about + 1, about - 1, about + 2].map((side) => Math.min(n, Math.max(1, side)));
  return Array.from(new Set(some));
}

// First those whose rows are full.
function sidesOfTables(n) {
  const cost = (rows) => Math.abs(Math.log((innerWidth * rows) / (innerHeight * Math.ceil(n / rows)) / SLATE)) + (n % rows && UNEVEN);
  const rows = Array.from({ length: n }, (_, row) => row + 1).sort((one, other) => cost(one) - cost(other));
  return Array.from(new Set(rows.map((some) => Math.ceil(n / some)))).slice(0, 5);
}

// The first of these at which tables can be read, as large as they may be: seats of two lines, or of one.
function seat(list) {
  const isRight = () => fits() && areEqual(list);
  for (const side of sides(list)) {
    across(side);
    for (const tight of [false, true]) {
      wall.toggleAttribute("data-tight", tight);
      const found = [false, true].map((isStacked) => {
        wall.toggleAttribute("data-stacked", isStacked);
        grow(LEAST);
        return isRight() ? largest(LEAST, LARGEST, 6, grow, isRight) : 0;
      });
      if (!Math.max(...found)) continue;
      const isWide = list.firstElementChild.offsetWidth > LINE * list.firstElementChild.offsetHeight;
      const isStacked = isWide ? found[0] < NEARLY * found[1] : found[1] > NEARLY * found[0];
      wall.toggleAttribute("data-stacked", isStacked);
      grow(found[Number(isStacked)]);
      return true;
    }
  }
  wall.toggleAttribute("data-stacked", false);
  across(sides(list)[0]);
  grow(1);
  return false;
}

function fill(list) {
  const n = list.children.length;
  for (const tight of [false, true]) {
    wall.toggleAttribute("data-tight", tight);
    let [most, best, chosen] = [0, 0, sides(list)[0]];
    for (const side of sides(list)) {
      across(side);
      grow(LEAST);
      if (!fits()) continue;
      const full = Math.sqrt(n / (side * Math.ceil(n / side))); // a last row with places left over counts for less
      const better = (best + 0.05) / full;
      if (most && (better > LARGEST || (grow(better), !fits()))) continue; // nor with anything larger
      const grown = largest(LEAST, LARGEST, 6, grow);
      if (grown * full > best) [most, best, chosen] = [grown, grown * full, side];
    }
    across(chosen);
    grow(most || 1);
    if (most) return true;
  }
  return false;
}

// Parts of about the same length, as few as there have to be: what stands side by side, does so in
// whatever number shows the most.
function showPart(list) {
  const all = list.children.length;
  parts = { from: 0, to: all };
  const widths = "fills" in list.dataset ? Array.from({ length: sides(list)[0] + 2 }, (_, side) => side + 1) : [0];
  const upTo = (to) => {
    show(list, { from: 0, to });
    list.dataset.shown ??= `${all}–${all} / ${all}`; // takes its place while it is measured
  };
  let [most, chosen] = [0, widths[0]];
  for (const side of widths) {
    if (side) across(side);
    const room = Math.floor(largest(1, all + 0.9, Math.ceil(Math.log2(all)) + 1, (to) => upTo(Math.floor(to))));
    if (room > most) [most, chosen] = [room, side];
  }
  if (chosen) across(chosen);
  inPart = Math.ceil(all / Math.ceil(all / most));
  parts = partAfter(start, list);
  for (show(list, parts); !fits() && parts.to > parts.from + 1; show(list, parts)) parts.to -= 1;
}

function partAfter(place, list) {
  const all = list.children.length;
  const from = place < all ? place : 0;
  return { from, to: Math.min(from + inPart, all) };
}

// The next part is as large as the last one, unless its names are too long for that.
setInterval(() => {
  if (!parts) return;
  start = parts.to;
  for (const list of wall.querySelectorAll("[data-turns]")) {
    parts = partAfter(start, list);
    show(list, parts);
  }
  fit();
}, TURN);

// The tools fade while nobody is at the mouse or the keys.
let idle = 0;

function wake() {
  delete wall.dataset.idle;
  clearTimeout(idle);
  idle = setTimeout(() => wall.setAttribute("data-idle", ""), 4000);
}
for (const kind of ["pointermove", "pointerdown", "keydown"]) addEventListener(kind, wake);
wake();

// Whoever has come since the wall was last looked at drops in.
let arrived = null;

function dropIn() {
  const list = wall.querySelector("[data-arrived]");
  const now = Number(list?.dataset.arrived ?? 0);
  const news = arrived === null || now <= arrived ? 0 : now - arrived;
  if (news) for (const one of Array.from(list.querySelectorAll("li:not(.free)")).slice(-news)) one.classList.add("new");
  arrived = now;
}

// Who has another place in the standings than before goes there from it. At the end of the game
// places come one after the other, the first one last (class.css).
const FIRST = 3900;
const ALONE = 1000; // nobody comes before
const SOON = 600;
const SOLIDS_THROWN = 24;
const ROUNDED = 8; // what less is off comes from heights in whole pixels
let standings = null;
let places = new Map();

function overtake() {
  const now = wall.querySelector(".wall-standings");
  if (!now || now === standings) return;
  standings = now;
  const before = places;
  const rows = Array.from(now.querySelectorAll("tbody tr"));
  const who = (row) => row.querySelector("th").textContent;
  places = new Map(rows.map((row, place) => [who(row), place]));
  now.toggleAttribute("data-overtakes", before.size > 0);
  if (!before.size || calm()) return;
  const was = (row) => before.get(who(row)) ?? rows.length;
  let top = rows[0]?.offsetTop;
  for (const row of Array.from(rows).sort((one, other) => was(one) - was(other))) {
    const by = top - row.offsetTop;
    top += row.offsetHeight;
    const frames = [{ transform: `translateY(${by}px)` }, { transform: "none" }];
    if (Math.abs(by) > ROUNDED) run(row, frames, 900, { delay: 700, easing: "ease-in-out" });
  }
}

// One stage fades into the next; a game's end is cheered, with a podium when the first one has come.
let stage = "";
let since = 0;

function enter() {
  const now = wall.querySelector(".stage");
  if (!now || now.dataset.stage === stage) return;
  const before = stage;
  stage = now.dataset.stage;
  since = performance.now();
  if (calm()) return;
  if (before && !(before === "seats" && stage === "play")) run(now, { opacity: [0, 1] }, 500); // slates stay
  if (stage !== "game") return;
  const podium = now.querySelector(".podium");
  setTimeout(cheer, podium?.querySelector(".place-2, .place-3") ? FIRST : podium ? ALONE : SOON);
}

// A round's end is seen, however soon the first table deals again: only then come the slates, and what follows.
const SEEN = 6000;
let isHeld = false;

holdNews((frame) => {
  const left = stage === "round" ? since + SEEN - performance.now() : 0;
  const [, next, nameless = ""] = frame.match(/id="wall-stage"[^>]*data-stage="(\w+)"( data-nameless)?/) ?? [];
  const changesNames = next && Boolean(nameless) !== wall.querySelector(".stage").matches("[data-nameless]"); // names, hidden or shown
  if (left <= 0 || (!isHeld && (next !== "play" || changesNames))) return (isHeld = false);
  if (!isHeld) setTimeout(release, left + 1);
  isHeld = !next || ((next === "play" || next === "round") && !changesNames);
  if (!isHeld) {
    since = -SEEN; // something else is at hand
    release();
  }
  return isHeld;
});

// What is new on a table comes in: a card drops, a trick's circle pops, the bar of whose turn it is settles.
let tables = new Map();

function play() {
  const before = tables;
  tables = new Map(Array.from(wall.querySelectorAll(".wall-seats"), (seats) => [seats.parentElement.id, seats]));
  for (const [id, seats] of tables) {
    const old = before.get(id);
    if (!old || old === seats || old.children.length !== seats.children.length || calm()) continue;
    Array.from(seats.children).forEach((seat, place) => come(seat, old.children[place]));
  }
}

const DROPPED = { transform: "translateY(-1em) scale(1.5)", opacity: 0 };

function come(seat, old) {
  const [card, circles] = [seat.querySelector(".played"), seat.querySelectorAll(".full, .over")];
  if (card && !old.querySelector(".played")) run(card, [DROPPED, {}], 280);
  else if (card?.matches(".takes") && !old.querySelector(".takes")) run(card, { transform: ["none", "scale(1.5)", "none"] }, 500);
  if (circles.length > old.querySelectorAll(".full, .over").length) {
    run(circles[circles.length - 1], { transform: ["scale(0)", "scale(1.8)", "none"] }, 500);
  }
  if (seat.matches(".turn") && !old.matches(".turn")) run(seat, [{ transform: "scale(1.02)" }, {}], 350);
}

// Before it is painted, so that nothing is seen to jump; what a chart draws in its own place
// changes nothing.
new MutationObserver((changes) => {
  if (!changes.some(({ target }) => !(target.parentElement ?? target).closest(".plot"))) return;
  dropIn();
  fit();
  enter();
  overtake();
  play();
}).observe(wall, { childList: true, characterData: true, subtree: true, attributeFilter: ["class"] });
addEventListener("resize", (event) => {
  if (event.isTrusted) fit();
});
document.fonts.ready.then(() => {
  filled = "";
  fit();
});
dropIn();
fit();
enter();
overtake();
play();

function cheer() {
  const solids = wall.querySelectorAll(".flourish .solid");
  for (let k = 0; k < SOLIDS_THROWN && solids[k % 4]; k += 1) thrown?.append(solids[k % 4].cloneNode(true));
}

// What the lobby throws flies up, over and out again; nothing of it stays.
const MOST = 30;

async function fly(solid) {
  const [x, high, aside] = [10 + 80 * Math.random(), 45 + 40 * Math.random(), 30 * (Math.random() - 0.5)];
  solid.style.left = `${x}%`;
  const at = (left, up, turn) => ({ transform: `translate(${left}vw, ${-up}vh) rotate(${turn}deg)` });
  const turn = 360 * (Math.random() - 0.5);
  const frames = calm() ? [at(0, 12, 0), at(0, 12, 0)] : [
    { ...at(0, -5, 0), easing: "cubic-bezier(.2, .6, .4, 1)" },
    { ...at(aside / 2, high, turn / 2), easing: "cubic-bezier(.6, 0, .8, .4)" },
    at(aside, -20, turn),
  ];
  await run(solid, frames, 1800);
  solid.remove();
}

const thrown = document.getElementById("thrown");
if (thrown) {
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const one of addedNodes) {
        if (!one.dataset) continue;
        if (thrown.childElementCount > MOST || document.hidden) one.remove();
        else fly(one);
      }
    }
  }).observe(thrown, { childList: true });
}

window.arrived?.(import.meta.url);
