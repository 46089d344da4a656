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
const OUT = 200; // the seats, before a podium
const RISE = 250; // from one step of the podium to the next
const STOOD = 1100; // once all stand there
const SHEET = 280;
const ROW = 30;
const RERANK = 450;
const OVERTAKE = 90;
const COUNT = 280;
const TRAVEL = 300;
const AIR = 24; // pixels round what lies on a slip

let end = null; // ends what is being staged

export const cut = () => end?.();

let were = null; // the board and its seats, and where they were before it grew

// The board takes the room of the hand that is played, for all that comes; who sits there goes along.
export function hold() {
  const stage = table.querySelector(".stage");
  were = { stage, height: box(stage).height, seats: Array.from(stage.querySelectorAll(".seat"), (seat) => [seat, box(seat)]) };
  if (byId("hand").contains(document.activeElement)) byId("prompt").focus({ preventScroll: true });
  table.classList.add("staging");
}

function grows() {
  const { stage, height, seats } = were;
  const asides = seats.map(([seat, from]) => [seat, from.x - box(seat).x]);
  const now = box(stage).height;
  const grown = Math.abs(now - height) > 1 && run(stage, [{ alignSelf: "start", height: `${height}px` }, { alignSelf: "start", height: `${now}px` }], GROW);
  for (const [seat, aside] of asides) run(seat, [{ translate: `${aside}px 0` }, { translate: "0 0" }], GROW, { composite: "add" });
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
  for (const copy of table.querySelectorAll(".gained")) copy.remove();
}

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function play(signal, shown, lays) {
  const mine = byId("result").querySelector(".outcome:not([hidden])");
  await grows();
  if (signal.isOver) return;
  const steps = byId("result").querySelector(".podium");
  if (mine) await outcome(signal, shown, mine, steps ? READ : TOLD);
  if (steps && !signal.isOver) await podium(signal, shown, steps);
  if (signal.isOver) return;
  const head = steps ?? mine;
  const from = head && partsOf(shown).map(uprightBox);
  shown.remove();
  lays();
  table.classList.remove("staging");
  const result = byId("result");
  const delay = head ? SHEET : 0; // nothing lies under what still flies
  const rest = Array.from(result.children).filter((each) => each !== head);
  const come = rest.map((each) => run(each, [{ opacity: 0 }, { opacity: 1 }], STRIP, { delay }));
  if (head) partsOf(head).forEach((part, place) => flyFrom(part, from[place], SHEET));
  if (head) opens(result, from);
  else run(result, [{ opacity: 0 }, {}], SHEET);
  await (steps ? Promise.all(come) : points(signal, result, delay + STRIP / 2));
}

function enter(shown, part) {
  shown.className = "outcome-stage";
  shown.setAttribute("aria-hidden", "true");
  shown.replaceChildren(part.cloneNode(true));
  table.querySelector(".stage").append(shown);
}

// The last of the others comes up first; who share a place come together. I come when all stand, with my line.
async function podium(signal, shown, steps) {
  const leaves = [...shown.children, ...table.querySelectorAll(".seats .seat")];
  for (const each of table.querySelectorAll(".thrown")) run(each, [{}, { opacity: 0 }], OUT).then(() => each.remove());
  await Promise.all(leaves.map((each) => run(each, [{}, { opacity: 0 }], OUT)));
  if (signal.isOver) return;
  enter(shown, steps);
  const { me } = table.dataset;
  const told = !steps.querySelector(".place-1.me") && steps.parentElement.querySelector(`.own [data-me="${me}"]:not(:empty)`);
  const line = (className, { textContent }) => Object.assign(document.createElement("p"), { className, textContent });
  const title = line(told ? "own title" : "own wins", byId("result-title")); // I win, or who is watched
  const lines = told ? [line("own", told)] : [title];
  shown.prepend(title);
  if (told) shown.append(...lines);
  const people = Array.from(shown.querySelectorAll("li"));
  const isMine = (each) => each.matches(".me");
  const places = people.filter((each) => !isMine(each)).map((each) => each.className);
  const groups = [...new Set(places)].reverse().map((place) => people.filter((each) => each.className === place));
  if (told) groups.at(-1)?.push(title);
  groups.push([...lines, ...people.filter(isMine)]);
  for (const each of groups.flat()) each.classList.add("folded");
  for (const [nth, group] of groups.entries()) {
    if (signal.isOver) return;
    sound(`fill-${nth}`);
    for (const each of group) {
      each.classList.remove("folded");
      run(each, [{ opacity: 0, transform: "translateY(60%)" }, { opacity: 1, transform: "translateY(-6%)", offset: 0.7 }, { transform: "none" }], RISE);
    }
    await wait(RISE);
  }
  if (signal.isOver) return;
  shown.classList.add("revealed");
  sound("made");
  const best = shown.querySelector(".place-1.me") ?? shown.querySelector(".place-1");
  throwSolids(table.querySelector(".stage"), steps.parentElement.querySelectorAll(".flourish .solid"), me && !isMine(best) ? best : null);
  await wait(STOOD);
}

async function outcome(signal, shown, mine, told) {
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
    run(circle, [{ transform: `scale(${1.3 + 0.1 * place})` }, { transform: "none" }], 1.5 * step);
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
  await wait(Math.max(READ, told - step * circles.length));
}

const partsOf = (outcome) => Array.from(outcome.querySelectorAll("li, .outcome > *"));

const own = (element) => parseFloat(getComputedStyle(element).width); // though it leans, or hops
const size = (part) => own(part.querySelector(".figurine") ?? part);

function uprightBox(part) {
  const { x, y, width, height } = box(part);
  return { x: x + (width - own(part)) / 2, y, width: own(part), height, size: size(part) };
}

// What was seen goes over as it stood, on paper that opens into the sheet.
function opens(sheet, boxes) {
  const paper = document.createElement("i");
  paper.className = "unfolds";
  sheet.prepend(paper);
  const bare = { background: "none", borderColor: "transparent", boxShadow: "none", overflow: "visible" };
  run(sheet, [bare, bare], SHEET).then(() => paper.remove());
  const to = box(paper);
  const [x, y] = ["x", "y"].map((side) => Math.min(...boxes.map((each) => each[side])) - AIR);
  const width = Math.max(...boxes.map((each) => each.x + each.width)) + AIR - x;
  const height = Math.max(...boxes.map((each) => each.y + each.height)) + AIR - y;
  const begins = `${shift(to, { x, y, width, height })} scale(${width / to.width}, ${height / to.height})`;
  run(paper, [{ transform: begins }, { transform: "none" }], SHEET);
}

function flyFrom(element, from, duration = FLY) {
  const to = box(element);
  if (!to.width) return undefined;
  const scale = from.size ? from.size / size(element) : from.width / to.width;
  return run(element, [{ transform: `${shift(to, from)} scale(${scale})` }, { transform: "none" }], duration);
}

// Everybody's points come in, row after row, and are added up; then the rows go to their places, and places are told.
async function points(signal, result, delay) {
  const body = result.querySelector(".result tbody");
  const rows = Array.from(body.rows, (row) => ({ row, now: number(row.querySelector(".total")), gained: number(row.querySelector("[data-points]")) }));
  const places = rows.map(({ row }) => box(row));
  const before = asBefore(rows);
  const moves = rows.map(({ row }, place) => [row, places[before.indexOf(rows[place])].top - places[place].top]);
  const told = [...result.querySelectorAll(".own, tbody .place")]; // once rows have their places
  const held = moves.map(([row, by]) => stop(row, { transform: `translateY(${by}px)` }));
  held.push(...told.map((each) => stop(each, { opacity: 0 })));
  signal.totals = rows;
  for (const { row, now, gained } of rows) writeTotal(row, now - gained);
  const fewest = Math.min(SHEET, ROW * rows.length);
  await Promise.all(before.map(({ row }, place) => run(row, [{ opacity: 0 }, { opacity: 1 }], 120, { delay: delay + (fewest * place) / rows.length })));
  if (!signal.isOver) await Promise.all(rows.map(({ row, gained }) => gained && travel(signal, row)));
  await Promise.all(rows.map(({ row, now, gained }) => countUp(signal, row, now - gained, now)));
  for (const each of held.splice(0, rows.length)) each.cancel();
  if (!signal.isOver) await rerank(moves.filter(([, by]) => by));
  for (const each of held) each.cancel();
  if (!signal.isOver) for (const each of told) run(each, [{ opacity: 0 }, { opacity: 1 }], STRIP);
}

// Who climbs goes over the others, each a little later than who climbs more.
async function rerank(moves) {
  const climbing = moves.filter(([, by]) => by > 0).sort(([, a], [, b]) => b - a);
  for (const [row] of climbing) row.classList.add("lifted");
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
