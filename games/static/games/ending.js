// The end of a round, staged: my circles fly to the middle of the board and fill one by one, what
// came of the bid stands on a strip of paper, then the sheet with everybody's points comes. Under
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
const RISE = 450; // from one step of the podium to the next
const SHEET = 280;
const ROW = 30;
const RERANK = 400;
const COUNT = 280;
const TRAVEL = 300;
const AIR = 16; // pixels round what lies on a slip

let end = null; // ends what is being staged

export const cut = () => end?.();

let were = null; // the board and its seats, and where they were before it grew

// The board takes the room of the hand that is played, for all that comes; who sits there goes along.
export function measure() {
  const stage = table.querySelector(".stage");
  were = { stage, height: box(stage).height, seats: Array.from(stage.querySelectorAll(".seat"), (seat) => [seat, box(seat)]) };
}

export function hold() {
  measure();
  if (byId("hand").contains(document.activeElement)) byId("prompt").focus({ preventScroll: true });
  table.classList.add("staging");
}

export function grows() {
  const { stage, height, seats } = were;
  const asides = seats.map(([seat, from]) => [seat, from.x - box(seat).x]);
  const now = box(stage).height;
  const grown = Math.abs(now - height) > 1 && run(stage, [{ alignSelf: "start", height: `${height}px` }, { alignSelf: "start", height: `${now}px` }], GROW);
  for (const [seat, aside] of asides) run(seat, [{ translate: `${aside}px 0` }, { translate: "0 0" }], GROW, { composite: "add" });
  were = null;
  return grown;
}

// Show the round's end; `lays` lays the sheet on the board.
export async function stage(lays) {
  const signal = { isOver: false, totals: [] };
  const over = new Promise((done) => (end = done));
  const shown = document.createElement("div");
  await Promise.race([over, play(signal, shown, lays).catch(() => {})]); // no picture is worth a table that stands still
  signal.isOver = true;
  for (const { row, now } of signal.totals) writeTotal(row, now);
  end = null;
  shown.remove();
  lays();
  table.classList.remove("staging");
  for (const each of byId("result").getAnimations({ subtree: true })) each.finish();
  for (const copy of table.querySelectorAll(".gained, .thrown, .ranks")) copy.remove();
}

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function play(signal, shown, lays) {
  const mine = byId("result").querySelector(".outcome:not([hidden])");
  await grows();
  if (signal.isOver) return;
  const steps = byId("result").querySelector(".podium");
  if (mine) await outcome(signal, shown, mine);
  if (steps && !signal.isOver) await podium(signal, shown, steps);
  if (signal.isOver) return;
  const head = steps ?? mine;
  const from = head && partsOf(shown).map(uprightBox);
  shown.remove();
  lays();
  table.classList.remove("staging");
  const result = byId("result");
  // What was seen goes over as it stood, on a slip of paper that opens into the sheet.
  run(result, head ? [{ clipPath: insetAround(result, from) }, { clipPath: "inset(-4rem round .8rem)" }] : [{ opacity: 0 }, {}], SHEET);
  run(result, [{ overflow: "visible" }, { overflow: "visible" }], SHEET);
  if (head) partsOf(head).forEach((part, place) => flyFrom(part, from[place], SHEET));
  for (const each of result.children) if (each !== head) run(each, [{ opacity: 0 }, { opacity: 0, offset: 0.3 }, { opacity: 1 }], SHEET);
  if (!steps) await points(signal, result);
}

function enter(shown, part) {
  shown.className = "outcome-stage";
  shown.setAttribute("aria-hidden", "true");
  shown.replaceChildren(part.cloneNode(true));
  table.querySelector(".stage").append(shown);
}

// The third comes up, the second, then the first; who share a place come together.
async function podium(signal, shown, steps) {
  enter(shown, steps);
  const own = steps.parentElement.querySelector(".own"); // where I am, on it or not
  if (own) shown.append(own.cloneNode(true));
  const people = Array.from(shown.querySelectorAll("li"));
  for (const each of people) each.classList.add("folded");
  const places = new Set(Array.from(steps.children, (each) => each.className));
  for (const [nth, place] of [...places].reverse().entries()) {
    if (signal.isOver) return;
    sound(`fill-${nth}`);
    for (const each of people.filter((one) => one.classList.contains(place))) {
      each.classList.remove("folded");
      run(each, [{ opacity: 0, transform: "translateY(60%)" }, { opacity: 1, transform: "translateY(-6%)", offset: 0.7 }, { transform: "none" }], RISE / 2);
    }
    await wait(RISE);
  }
  if (signal.isOver) return;
  shown.classList.add("revealed");
  sound("made");
  const { me } = table.dataset;
  const isFor = !me || steps.querySelector(`.place-1 [data-me="${me}"]`); // others' wins rain on nobody
  if (isFor) throwSolids(table.querySelector(".stage"), steps.parentElement.querySelectorAll(".flourish .solid"));
  await wait(TOLD);
}

async function outcome(signal, shown, mine) {
  const seat = byId(`taken-${table.dataset.me}`);
  enter(shown, mine);
  const circles = Array.from(shown.querySelectorAll(".circles > *"));
  const strip = shown.querySelector(".strip");
  strip.classList.add("folded");
  const starts = Array.from(seat.querySelectorAll(".circles > :is(i, b:only-child)"), box);
  const mySeat = box(byId(`seat-${table.dataset.me}`).querySelector(".figurine") ?? seat);
  const fills = circles.filter((circle) => circle.matches(".full"));
  const overs = circles.filter((circle) => circle.matches(".over"));
  for (const circle of fills) circle.classList.remove("full");
  for (const circle of overs) circle.classList.add("folded");
  flyFrom(shown.querySelector(".figurine"), mySeat);
  await Promise.all(circles.map((circle, place) => flyFrom(circle, starts[Math.min(place, starts.length - 1)] ?? box(seat))));
  const step = Math.min(FILL, ALL_FILL / circles.length);
  for (const [place, circle] of [...fills, ...overs].entries()) {
    if (signal.isOver) return;
    circle.classList.remove("folded");
    circle.classList.toggle("full", !circle.matches(".over"));
    sound(circle.matches(".over") ? "over" : `fill-${place}`);
    run(circle, [{ transform: "scale(1.35)" }, { transform: "none" }], step);
    await wait(step);
  }
  if (signal.isOver) return;
  strip.classList.remove("folded");
  shown.classList.add("revealed");
  sound(mine.matches(".made") ? "made" : "missed");
  await run(strip, [{ transform: "scale(.2)" }, { transform: "scale(1.05)", offset: 0.8 }, { transform: "none" }], STRIP);
  if (signal.isOver) return;
  if (mine.matches(".made")) throwSolids(table.querySelector(".stage"), shown.querySelectorAll(".flourish .solid"));
  if (mine.matches(".made")) circles.forEach((circle, place) => run(circle, [{ transform: "none" }, { transform: "translateY(-25%)" }, { transform: "none" }], 240, { delay: 50 * place }));
  await wait(Math.max(READ, TOLD - step * circles.length));
}

const partsOf = (outcome) => Array.from(outcome.querySelectorAll(".figurine, .circles, .strip"));

// Where it is and how wide, though it leans.
function uprightBox(element) {
  const { x, y, width, height } = box(element);
  const own = parseFloat(getComputedStyle(element).width);
  return { x: x + (width - own) / 2, y, width: own, height };
}

function insetAround(sheet, boxes) {
  const { x, y, width, height } = box(sheet);
  const [left, top] = [Math.min(...boxes.map((each) => each.x)) - x, Math.min(...boxes.map((each) => each.y)) - y];
  const right = width + x - Math.max(...boxes.map((each) => each.x + each.width));
  const bottom = height + y - Math.max(...boxes.map((each) => each.y + each.height));
  return `inset(${[top, right, bottom, left].map((side) => `${side - AIR}px`).join(" ")} round .8rem)`;
}

function flyFrom(element, from, duration = FLY) {
  const to = box(element);
  if (!to.width) return undefined;
  return run(element, [{ transform: `${shift(to, from)} scale(${from.width / to.width})` }, { transform: "none" }], duration);
}

// Everybody's points come in, row after row, and are added up; then the rows slide past their ranks.
async function points(signal, result) {
  const body = result.querySelector(".result tbody");
  const rows = Array.from(body.rows, (row) => ({ row, now: number(row.querySelector(".total")), gained: number(row.querySelector("[data-points]")) }));
  const places = rows.map(({ row }) => box(row));
  const ranks = rows.map(({ row }) => row.querySelector(".place"));
  const stays = standing(ranks);
  const before = asBefore(rows);
  const moves = rows.map(({ row }, place) => [row, places[before.indexOf(rows[place])].top - places[place].top]);
  const told = result.querySelector(".own"); // where I am, once rows have their places
  const held = moves.map(([row, by]) => stop(row, { transform: `translateY(${by}px)` }));
  held.push(...[...ranks, ...(told ? [told] : [])].map((each) => stop(each, { opacity: 0 })));
  signal.totals = rows;
  for (const { row, now, gained } of rows) writeTotal(row, now - gained);
  const fewest = Math.min(SHEET, ROW * rows.length);
  await Promise.all(before.map(({ row }, place) => run(row, [{ opacity: 0 }, { opacity: 1 }], 120, { delay: (fewest * place) / rows.length })));
  if (!signal.isOver) await Promise.all(rows.map(({ row, gained }) => gained && travel(signal, row)));
  await Promise.all(rows.map(({ row, now, gained }) => countUp(signal, row, now - gained, now)));
  for (const each of held.splice(0, rows.length)) each.cancel();
  for (const [row, by] of moves) row.classList.toggle("climbs", by > 0);
  if (!signal.isOver) await Promise.all(moves.map(([row, by]) => by && run(row, [{ transform: `translateY(${by}px)` }, { transform: "none" }], RERANK, { easing: "ease-in-out" })));
  for (const { row } of rows) row.classList.remove("climbs");
  for (const each of held) each.cancel();
  if (told) run(told, [{ opacity: 0 }, { opacity: 1 }], STRIP);
  stays.remove();
}

const stop = (element, frame) => element.animate([frame, frame], { duration: 60000 });

// Ranks stand where they are, over all rows that pass.
function standing(ranks) {
  const scroll = ranks[0].closest(".scroll");
  const stays = Object.assign(document.createElement("div"), { className: "result ranks" });
  stays.setAttribute("aria-hidden", "true");
  scroll.append(stays);
  const within = box(stays);
  for (const rank of ranks) {
    const copy = rank.cloneNode(true);
    const [{ left, top }, { fontSize }] = [box(rank), getComputedStyle(rank)];
    Object.assign(copy.style, { left: `${left - within.left}px`, top: `${top - within.top}px`, fontSize });
    stays.append(copy);
  }
  return stays;
}

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
  const beside = { x: to.x - own.width / 2, y: to.y - 0.9 * to.height, width: own.width, height: to.height };
  run(cell, [{ opacity: 0 }, { opacity: 0, offset: 0.9 }, { opacity: 1 }], TRAVEL);
  await run(copy, [
    { transform: shift(own, from) },
    { transform: shift(own, beside), opacity: 1, offset: 0.85 },
    { transform: `${shift(own, to)} scale(.5)`, opacity: 0 },
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
