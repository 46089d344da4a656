// The end of a round, staged: my circles fly to the middle of the board and fill one by one, what
// came of the bid stands on a strip of paper, then the sheet with everybody's points comes up. Under
// four seconds; a game's end has a podium before its sheet. A tap, a key or the next round ends it.

import { box, run, shift, throwSolids } from "./motion.js";
import { sound } from "./sounds.js";

const table = document.getElementById("table");
const byId = (id) => document.getElementById(id);

const GROW = 240;
const FLY = 400;
const FILL = 140; // each; eight take no longer than
const ALL_FILL = 1000;
const STRIP = 220;
const TOLD = 1400; // filling and reading: what fills fast is read longer
const READ = 800; // but at least so long
const OUT = 200; // what a podium takes the place of
const RISE = 250; // from one step of the podium to the next
const STOOD = 1100; // once all stand there
const SHEET = 260;
const LOOK = 150; // before anything is added
const RERANK = 450;
const OVERTAKE = 90;
const COUNT = 280;
const TRAVEL = 300;

let end = null; // ends what is being staged

export const cut = () => end?.();

// The board takes the room of a hand that is played, for all that comes; who sits there goes along.
export function spread(change) {
  const stage = table.querySelector(".stage");
  const seats = Array.from(stage.querySelectorAll(".seat"), (seat) => [seat.id, box(seat)]);
  const { height } = box(stage);
  if (byId("hand").contains(document.activeElement)) byId("prompt").focus({ preventScroll: true });
  change();
  if (window.xactika.calm() || document.hidden) return;
  const now = box(stage).height;
  for (const [id, from] of seats) {
    const aside = from.x - box(byId(id)).x;
    if (Math.abs(aside) > 1) run(byId(id), [{ translate: `${aside}px 0` }, { translate: "0 0" }], GROW, { composite: "add" });
  }
  if (Math.abs(now - height) > 1) grown = run(stage, [{ alignSelf: "start", height: `${height}px` }, { alignSelf: "start", height: `${now}px` }], GROW);
}

let grown = null; // once it has

// Show the round's end; `lays` lays the sheet on the board.
export async function stage(lays) {
  const signal = { isOver: false, totals: [] };
  const over = new Promise((done) => (end = done));
  const shown = document.createElement("div");
  await Promise.race([over, play(signal, shown, lays).catch(() => {})]); // no picture is worth a table that stands still
  signal.isOver = true;
  for (const { row, now } of signal.totals) writeTotal(row, now);
  signal.totals.forEach(writeRank);
  end = null;
  for (const each of table.querySelectorAll(".outcome-stage, .gained, .unfolds")) each.remove();
  lays();
  table.classList.remove("staging");
  for (const each of byId("result").getAnimations({ subtree: true })) each.finish();
}

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function play(signal, shown, lays) {
  const result = byId("result");
  const mine = result.querySelector(".outcome:not([hidden])");
  await grown;
  if (signal.isOver) return;
  const steps = result.querySelector(".podium");
  if (mine) await outcome(signal, shown, mine, steps ? READ : TOLD);
  if (steps && !signal.isOver) await podium(signal, shown, steps);
  if (signal.isOver) return;
  const comes = comesUp(shown, steps ?? mine, lays);
  await (steps ? comes : points(signal, result, comes));
}

// The paper comes up from below with all that it says; what was seen goes over to its head as it stood.
function comesUp(shown, head, lays) {
  const result = byId("result");
  const stage = table.querySelector(".stage");
  const was = shown.isConnected && head ? partsOf(shown).map(uprightBox) : [];
  const title = shown.querySelector(".title");
  const titled = title && box(title);
  if (!head?.matches(".podium")) run(byId("seats"), [{ visibility: "visible", opacity: 1 }, { visibility: "visible", opacity: 0 }], SHEET);
  for (const each of stage.querySelectorAll(".thrown")) run(each, [{}, { opacity: 0 }], SHEET / 3).then(() => each.remove());
  const tall = shown.querySelectorAll(".step");
  if (tall.length) shown.classList.add("sinks");
  else shown.replaceChildren(); // who made room for it stays there
  lays();
  table.classList.remove("staging");
  const paper = document.createElement("i");
  paper.className = "unfolds";
  result.prepend(paper);
  const lines = Array.from(result.children).flatMap((each) => (getComputedStyle(each).display === "contents" ? [...each.children] : each));
  const rises = [{ transform: `translateY(${box(stage).bottom - box(result).top}px)` }, { transform: "none" }];
  const bare = { background: "none", borderColor: "transparent", boxShadow: "none", overflow: "visible" };
  const come = [run(result, [bare, bare], SHEET)];
  const seen = was.length ? [head, titled && byId("result-title")] : [];
  for (const each of lines) if (!seen.includes(each)) come.push(run(each, rises, SHEET));
  if (titled) {
    const chalk = getComputedStyle(table.querySelector(".board")).getPropertyValue("--chalk");
    run(byId("result-title"), [{ color: chalk }, { color: chalk, offset: 0.4 }, {}], SHEET);
    flyFrom(byId("result-title"), titled, SHEET);
  }
  for (const each of tall) run(each, [{}, { transform: "translateY(100%)" }], SHEET, { fill: "both" });
  if (was.length) partsOf(head).forEach((part, place) => (part.matches(".step") ? topFrom : flyFrom)(part, was[place], SHEET));
  const circles = was.length && head.querySelector(".circles");
  if (circles) run(circles, [{ "--chalk": "#f6f2e9" }, { "--chalk": getComputedStyle(circles).color, offset: 0.6 }, {}], SHEET, { easing: "linear" });
  return Promise.all(come).then(() => {
    paper.remove();
    shown.remove();
  });
}

// A step's words fly with its top, what is below them sinks.
function topFrom(step, from, duration) {
  const to = box(step);
  const [x, y] = [from.x + from.width / 2 - to.x - to.width / 2, from.y - to.y];
  const begins = `translate(${x}px, ${y}px) scale(${from.width / to.width})`;
  run(step, [{ transformOrigin: "50% 0", transform: begins }, { transformOrigin: "50% 0", transform: "none" }], duration);
}

function enter(shown, part) {
  shown.className = "outcome-stage";
  shown.setAttribute("aria-hidden", "true");
  shown.replaceChildren(part.cloneNode(true));
  table.querySelector(".stage").append(shown);
}

// Who has won is told at once. From their seats all fly onto their steps, the last of the others first, who share a
// place together, and I with my line when all stand.
async function podium(signal, shown, steps) {
  const { me } = table.dataset;
  const seats = byId("seats");
  const inMiddle = shown.querySelector(".figurine");
  const seen = (seat) => [seat === me && inMiddle, byId(`seat-${seat}`)?.querySelector(".figurine"), byId(`seat-${seat}`)].find((each) => each?.offsetWidth);
  const were = new Map(Array.from(steps.children, ({ dataset: { row } }) => [row, seen(row)]).filter(([, each]) => each).map(([row, each]) => [row, box(each)]));
  for (const each of table.querySelectorAll(".thrown")) run(each, [{}, { opacity: 0 }], OUT).then(() => each.remove());
  const leaves = shown.cloneNode(true);
  leaves.classList.add("leaves");
  shown.before(leaves);
  enter(shown, steps);
  shown.classList.add("stands");
  run(seats, [{ visibility: "visible", opacity: 1 }, { visibility: "visible", opacity: 0 }], OUT);
  run(leaves, [{}, { opacity: 0 }], OUT).then(() => leaves.remove());
  const told = !steps.querySelector(".place-1.me") && steps.parentElement.querySelector(`.own [data-me="${me}"]:not(:empty)`);
  const line = (className, { textContent }) => Object.assign(document.createElement("p"), { className, textContent });
  const title = line("own title", byId("result-title"));
  shown.prepend(title);
  run(title, [{ opacity: 0, transform: "scale(.6)" }, { transform: "scale(1.06)", offset: 0.7 }, { transform: "none" }], RISE);
  const marks = steps.parentElement.querySelector(".outcome:not([hidden]) .rounds");
  const mine = [told && line("own", told), marks?.cloneNode(true)].filter(Boolean);
  title.after(...mine);
  const people = Array.from(shown.querySelectorAll("li"));
  const isMine = (each) => each.matches(".me");
  const places = people.filter((each) => !isMine(each)).map((each) => each.className);
  const groups = [...new Set(places)].reverse().map((place) => people.filter((each) => each.className === place));
  groups.push(people.filter(isMine));
  const stood = groups.filter((group) => group.length);
  const late = [...people.map((each) => each.querySelector(".step")), ...mine];
  for (const each of late) each.classList.add("folded");
  for (const [nth, group] of stood.entries()) {
    for (const li of group) {
      const figurine = li.querySelector(".figurine");
      const from = were.get(li.dataset.row);
      if (from) arcs(figurine, from, nth * RISE);
      else run(figurine, [{ opacity: 0 }, { opacity: 0 }], RISE, { delay: nth * RISE });
    }
  }
  for (const [nth, group] of stood.entries()) {
    if (signal.isOver) return;
    sound(`fill-${nth}`);
    const comes = group.map((each) => each.querySelector(".step"));
    for (const each of comes) run(each, [{ transform: "translateY(100%)" }, { transform: "none" }], RISE);
    if (group.some(isMine)) comes.push(...mine);
    for (const each of comes) each.classList.remove("folded");
    await wait(RISE);
  }
  await wait(FLY - RISE);
  if (signal.isOver) return;
  for (const each of mine) each.classList.remove("folded"); // who stands beside it, too
  shown.classList.add("revealed");
  sound("made");
  const best = shown.querySelector(".place-1.me") ?? shown.querySelector(".place-1");
  throwSolids(table.querySelector(".stage"), steps.parentElement.querySelectorAll(".flourish .solid"), me && !isMine(best) ? best : null);
  await wait(STOOD);
}

// From a seat onto a step, over what lies between.
function arcs(figurine, from, delay) {
  const to = box(figurine);
  const scale = from.width / own(figurine);
  const [x, y] = [from.x + from.width / 2 - to.x - to.width / 2, from.y + from.height / 2 - to.y - to.height / 2];
  const at = (part, up, size) => ({ transform: `translate(${x * part}px, ${y * part - up}px) scale(${size})` });
  run(figurine, [at(1, 0, scale), { ...at(0.4, 0.3 * to.height, (1 + scale) / 2), offset: 0.55 }, { ...at(0, 0, 1), offset: 0.85 }, { transform: "scale(1.08, .92)", offset: 0.93 }, at(0, 0, 1)], FLY, { delay });
}

async function outcome(signal, shown, mine, told) {
  const seat = byId(`taken-${table.dataset.me}`);
  enter(shown, mine);
  const circles = Array.from(shown.querySelectorAll(".circles > *"));
  const strip = shown.querySelector(".strip");
  const words = shown.querySelectorAll(".said, .strip, .rounds");
  for (const each of words) each.classList.add("folded");
  const starts = Array.from(seat.querySelectorAll(".circles > :is(i, b:only-child)"), box);
  const mySeat = box(byId(`seat-${table.dataset.me}`).querySelector(".figurine") ?? seat);
  const fills = circles.filter((circle) => circle.matches(".full"));
  const overs = circles.filter((circle) => circle.matches(".over"));
  for (const circle of fills) circle.classList.remove("full");
  for (const circle of overs) circle.classList.add("folded");
  const comes = circles.map((circle, place) => flyFrom(circle, starts[Math.min(place, starts.length - 1)] ?? box(seat)));
  await Promise.all([flyFrom(shown.querySelector(".figurine"), mySeat), ...comes]);
  const step = Math.min(FILL, ALL_FILL / circles.length);
  for (const [place, circle] of [...fills, ...overs].entries()) {
    if (signal.isOver) return;
    circle.classList.remove("folded");
    circle.classList.toggle("full", !circle.matches(".over"));
    sound(circle.matches(".over") ? "over" : `fill-${place}`);
    run(circle, [{ transform: `scale(${1.3 + 0.1 * place})` }, { transform: "none" }], 1.5 * step);
    await wait(step);
  }
  if (signal.isOver) return;
  for (const each of words) each.classList.remove("folded");
  shown.classList.add("revealed");
  sound(mine.matches(".made") ? "made" : "missed");
  const drop = [{ transform: "scale(.2)" }, { transform: "scale(1.05)", offset: 0.8 }, { transform: "none" }];
  const now = [...shown.querySelectorAll(".rounds i:not(:empty)")].at(-1);
  if (now) run(now, [{ transform: "scale(0)" }, { transform: "scale(1.6)", offset: 0.6 }, { transform: "none" }], FLY, { delay: STRIP });
  await run(strip, drop, STRIP);
  if (signal.isOver) return;
  if (mine.matches(".made")) throwSolids(table.querySelector(".stage"), shown.querySelectorAll(".flourish .solid"));
  if (mine.matches(".made")) circles.forEach((circle, place) => run(circle, [{ transform: "none" }, { transform: "translateY(-25%)" }, { transform: "none" }], 240, { delay: 50 * place }));
  await wait(Math.max(READ, told - step * circles.length));
}

const partsOf = (head) => Array.from(head.querySelectorAll(head.querySelector("li") ? "li > *" : ".figurine, .circles, .strip, .rounds"));

const own = (element) => parseFloat(getComputedStyle(element).width); // though it leans, or hops

function uprightBox(part) {
  const { x, y, width, height } = box(part);
  return { x: x + (width - own(part)) / 2, y, width: own(part), height };
}

function flyFrom(element, from, duration = FLY) {
  const to = box(element);
  if (!to.width) return undefined;
  const scale = from.width / own(element);
  return run(element, [{ transform: `${shift(to, from)} scale(${scale})` }, { transform: "none" }], duration);
}

// Everybody's points are added up once the paper lies; then the rows go to their places, and places are told.
async function points(signal, result, comes) {
  const body = result.querySelector(".result tbody");
  const rows = Array.from(body.rows, (row) => ({ row, now: number(row.querySelector(".total")), gained: number(row.querySelector("[data-points]")) }));
  const places = rows.map(({ row }) => box(row));
  const before = asBefore(rows);
  const moves = rows.map(({ row }, place) => [row, places[before.indexOf(rows[place])].top - places[place].top]);
  const told = [...result.querySelectorAll(".own")]; // once rows have their places
  if (rows.every(({ now, gained }) => now === gained)) told.push(...body.querySelectorAll(".place")); // the first round
  else before.forEach((each, place) => {
    each.place = each.row.querySelector(".place");
    each.rank = each.place.textContent;
    const first = before.findIndex(({ now, gained }) => now - gained === each.now - each.gained);
    each.place.textContent = `${first + 1}.`;
  });
  const held = moves.map(([row, by]) => stop(row, { transform: `translateY(${by}px)` }));
  held.push(...told.map((each) => stop(each, { opacity: 0 })));
  signal.totals = rows;
  for (const { row, now, gained } of rows) writeTotal(row, now - gained);
  await comes;
  await wait(LOOK);
  if (!signal.isOver) await Promise.all(rows.map(({ row, gained }) => gained && travel(signal, row)));
  await Promise.all(rows.map(({ row, now, gained }) => countUp(signal, row, now - gained, now)));
  for (const each of held.splice(0, rows.length)) each.cancel();
  if (!signal.isOver) await rerank(moves.filter(([, by]) => by), () => rows.forEach(writeRank));
  for (const each of held) each.cancel();
  if (!signal.isOver) for (const each of told) run(each, [{ opacity: 0 }, { opacity: 1 }], STRIP);
}

// Who climbs goes over the others, each a little later than who climbs more.
async function rerank(moves, told) {
  const climbing = moves.filter(([, by]) => by > 0).sort(([, a], [, b]) => b - a);
  for (const [row] of climbing) row.classList.add("lifted");
  setTimeout(told, RERANK / 2);
  await Promise.all(moves.map(([row, by]) => {
    const delay = OVERTAKE * Math.max(0, climbing.findIndex(([each]) => each === row));
    return run(row, [{ transform: `translateY(${by}px)` }, { transform: "none" }], RERANK, { delay, easing: "ease-in-out" });
  }));
  for (const [row] of climbing) row.classList.remove("lifted");
}

const stop = (element, frame) => element.animate([frame, frame], { duration: 60000 });

const number = (cell) => Number(cell.textContent.trim().replace("−", "-"));
const written = (value) => String(value).replace("-", "−");

// In which order they stood before this round: of equals as they sit.
function asBefore(rows) {
  const isUp = rows.at(-1).now > rows[0].now; // the fewest points win
  const was = ({ now, gained }) => (isUp ? now - gained : gained - now);
  return [...rows].sort((a, b) => was(a) - was(b) || a.row.dataset.row - b.row.dataset.row);
}

function writeTotal(row, value) {
  row.querySelector(".total b").textContent = written(value);
}

function writeRank({ place, rank }) {
  if (place) place.textContent = rank;
}

// What was gained goes over to the total that it is added to.
async function travel(signal, row) {
  const cell = row.querySelector("[data-points]");
  const total = row.querySelector(".total b");
  const copy = document.createElement("b");
  copy.className = "gained";
  copy.setAttribute("aria-hidden", "true");
  copy.textContent = cell.textContent.trim();
  cell.after(copy);
  const [own, from, to] = [copy, cell, total].map(box);
  const beside = { x: to.x - own.width, y: to.y, width: to.width, height: to.height };
  run(cell, [{ opacity: 0 }, { opacity: 0, offset: 0.9 }, { opacity: 1 }], TRAVEL);
  await run(copy, [
    { transform: shift(own, from) },
    { transform: shift(own, beside), opacity: 1, offset: 0.85 },
    { transform: `${shift(own, beside)} scale(.5)`, opacity: 0 },
  ], TRAVEL);
  copy.remove();
  if (!signal.isOver) run(total, [{ transform: "scale(1.3)" }, { transform: "none" }], TRAVEL);
}

async function countUp(signal, row, from, to) {
  const steps = Math.min(8, Math.abs(to - from));
  for (let k = 1; k <= steps; k += 1) {
    await wait(COUNT / steps);
    if (signal.isOver) return;
    writeTotal(row, Math.round(from + ((to - from) * k) / steps));
  }
}

window.arrived?.(import.meta.url);
