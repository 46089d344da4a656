// What happens at the table, one moment after the other, as people around it would see it. A push
// is applied whole and in its turn; this keeps what comes meanwhile, and knows what is on screen:
// a trick that has been played rests on the board, is swept to its taker, and only then comes
// what followed. Acting ends a rest; who has fallen behind, or does not look, is shown the
// present at once.

import { sound } from "./sounds.js";

const table = document.getElementById("table");
const byId = (id) => document.getElementById(id);
const box = (element) => element.getBoundingClientRect();
const { calm } = window.xactika;

const MOVE = 220;
const SWEEP = 260;
const DEAL = 340; // and as much again until the last of eight has begun
const CATCH_UP = 750; // what waits is shown within this time
const REST = 1.75; // times the pace, which is the time between two bots' moves
const BEHIND = 2; // tricks that may wait
const EASE = "ease-out";

// At a round's end nothing is told before the last trick has been seen.
const OF_THE_BOARD = /^(slot-|called$|left-|hand$|choices$|turn$)/;

const waiting = [];
let withheld = null; // what a trick at rest still holds back
let apply = null;
let isShowing = false;
let endRest = null;

export function start(applies) {
  apply = applies;
  if (byId("called").dataset.taker) table.classList.add("swept");
  table.classList.toggle("ended", !byId("result").hidden);
}

// A push arrives.

const wrap = (html) => {
  const news = document.createElement("template");
  news.innerHTML = html;
  return news.content;
};
const part = (news, id) => news.querySelector(`#${id}`);
const isOfBoard = (news) => Array.from(news.children).some((each) => OF_THE_BOARD.test(each.id) || each.id === "result");

export function push(html) {
  const news = wrap(html);
  if (!isOfBoard(news) && !waiting.length && !withheld) return apply(news);
  waiting.push(news);
  if (document.hidden || areBehind() || isFarAway(news)) return catchUp();
  if (!isShowing) showNext();
}

const areBehind = () => waiting.filter((news) => part(news, "called")?.dataset.taker).length > BEHIND;

// After a sleep, or where another device played on: no flight would be true.
function isFarAway(news) {
  const next = part(news, "turn")?.dataset.turn.split(".");
  const [round, move] = byId("turn").dataset.turn.split(".");
  if (!next || waiting.length > 1) return false;
  return next[0] === round ? Math.abs(next[1] - move) > byId("seats").children.length : next[1] !== "0";
}

function catchUp() {
  endRest?.();
  if (withheld) waiting.unshift(withheld);
  withheld = null;
  for (const news of waiting.splice(0)) apply(news);
  settle();
}

// What the board looks like when nothing is under way.
function settle() {
  table.classList.toggle("swept", Boolean(byId("called").dataset.taker));
  end(!byId("result").hidden);
}

// A round's end hides the hand, and with it what may have the focus there.
function end(isEnd) {
  if (isEnd && byId("hand").contains(document.activeElement)) byId("prompt").focus({ preventScroll: true });
  table.classList.toggle("ended", isEnd);
}

// Whoever acts has seen enough.
export function skip() {
  endRest?.();
}
document.addEventListener("visibilitychange", () => document.hidden && (waiting.length || withheld) && catchUp());

async function showNext() {
  isShowing = true;
  while (waiting.length) await show(waiting.shift());
  isShowing = false;
}

// Seconds; at an instant pace nothing rests.
const rest = (seconds) =>
  new Promise((done) => {
    const timer = setTimeout(done, Number(byId("turn").dataset.pace) && 1000 * seconds);
    endRest = () => {
      clearTimeout(timer);
      done();
    };
  });

async function show(news) {
  const before = picture();
  const isTaken = part(news, "called")?.dataset.taker && !before.taker;
  const isEnd = isTaken && part(news, "result")?.hidden === false;
  const later = document.createDocumentFragment();
  for (const each of Array.from(news.children)) {
    if (isTaken && (each.id.startsWith("taken-") || (isEnd && !OF_THE_BOARD.test(each.id)))) later.append(each);
  }
  if (before.round !== (part(news, "turn")?.dataset.turn ?? "").split(".")[0]) table.classList.remove("ended");
  const isOpen = part(news, "called") && !part(news, "called").dataset.taker;
  apply(news);
  if (isTaken) withheld = later;
  if (isOpen) table.classList.remove("swept");
  await move(before);
  if (!isTaken) return end(!byId("result").hidden);
  if (withheld === later) await rest(REST * Number(byId("turn").dataset.pace));
  if (withheld === later) await sweep();
  if (withheld !== later) return; // the present has been shown meanwhile
  withheld = null;
  apply(later);
  if (!isEnd) return;
  end(true);
  await tell();
}

// What was where.

function picture() {
  return {
    round: byId("turn").dataset.turn.split(".")[0],
    taker: byId("called").dataset.taker,
    played: new Set(Array.from(table.querySelectorAll(".board .slot .card"), (card) => card.dataset.card)),
    hand: new Map(Array.from(table.querySelectorAll("#hand .card"), (card) => [card.dataset.card, thrown?.code === card.dataset.card ? thrown.box : box(card)])),
    bids: new Set(Array.from(table.querySelectorAll(".taken .circles"), (circles) => circles.parentElement.id)),
  };
}

let thrown = null; // from where a card was let go
table.addEventListener("thrown", ({ detail }) => (thrown = detail));

// What moves: everything is measured before anything does, so that the page is laid out once.

const seatOf = (number) => byId(`seat-${number}`);
const shift = (from, to) => `translate(${to.x + to.width / 2 - from.x - from.width / 2}px, ${to.y + to.height / 2 - from.y - from.height / 2}px)`;
const run = (element, frames, duration, more = {}) => element.animate(frames, { duration, easing: EASE, fill: "backwards", ...more }).finished.catch(() => {});

function pace(moments) {
  return Math.min(1, CATCH_UP / (MOVE * (moments + waiting.length)));
}

async function move(before) {
  thrown = null;
  const isNew = before.round !== byId("turn").dataset.turn.split(".")[0];
  if (isNew && byId("hand").querySelector(".card")) return deal();
  const slots = Array.from(table.querySelectorAll(".board .slot"))
    .filter((slot) => slot.querySelector(".card") && !before.played.has(slot.querySelector(".card").dataset.card))
    .sort((a, b) => parseInt(a.querySelector(".order").textContent.replace(/\D+/, "")) - parseInt(b.querySelector(".order").textContent.replace(/\D+/, "")));
  const bids = Array.from(table.querySelectorAll(".taken")).filter((taken) => taken.querySelector(".circles") && !before.bids.has(taken.id));
  const duration = MOVE * pace(slots.length);
  const flights = slots.map((slot) => {
    const code = slot.querySelector(".card").dataset.card;
    const mine = before.hand.get(code);
    const seat = slot.parentElement.querySelector(".seat");
    return [slot, mine ?? box(seat.querySelector(".fan") ?? seat), box(slot), Boolean(mine)];
  });
  if (byId("called").dataset.taker === undefined && bids.length) sound("bid");
  if (!slots.length && !bids.length) return;
  if (calm()) return rest(duration / 1000);
  await Promise.all([
    ...flights.map((flight, place) => fly(...flight, duration, place * duration)),
    ...bids.map((taken) => run(taken, [{ transform: "scale(.2)" }, { transform: "none" }], MOVE)),
  ]);
}

async function fly(slot, from, to, isOpen, duration, delay) {
  const turn = isOpen ? null : lieFaceDown(slot);
  slot.classList.add("flying");
  const begin = `perspective(60rem) ${shift(to, from)} scale(${from.width / to.width})`;
  await run(slot, [{ transform: isOpen ? begin : `${begin} rotateY(180deg)` }, { transform: "perspective(60rem)" }], duration, { delay });
  turn?.remove();
  slot.classList.remove("flying");
  sound("card");
}

// Its back, on the other side of what holds a card.
function lieFaceDown(holder) {
  const back = holder.querySelector(".card").cloneNode(true);
  back.setAttribute("class", "turned");
  back.removeAttribute("data-card");
  back.setAttribute("aria-hidden", "true");
  const use = back.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, "#back"));
  holder.append(back);
  return back;
}

// Eight to a hand, from the dealer; mine turn over as they come.
async function deal() {
  table.classList.remove("ended", "swept");
  sound("deal");
  if (calm()) return;
  const dealer = table.querySelector(".mark.dealer")?.closest(".seat") ?? byId("seats");
  const from = box(dealer);
  const mine = Array.from(table.querySelectorAll("#hand .held"));
  const flights = [...mine, ...table.querySelectorAll(".fan")].map((cards) => [cards, box(cards)]).filter(([, to]) => to.width);
  const backs = mine.map(lieFaceDown);
  for (const card of mine) card.classList.add("flying");
  await Promise.all(
    flights.map(([cards, to], place) => {
      const begin = `perspective(60rem) ${shift(to, from)} scale(.25)`;
      const isMine = cards.matches(".held");
      const frames = isMine
        ? [{ transform: `${begin} rotateY(180deg)` }, { transform: "perspective(60rem)" }]
        : [{ transform: begin, opacity: 0 }, { opacity: 1, offset: 0.3 }, { transform: "none" }];
      return run(cards, frames, DEAL, { delay: (DEAL * place) / flights.length });
    }),
  );
  for (const card of mine) card.classList.remove("flying");
  for (const back of backs) back.remove();
}

// The trick goes to its taker, whose circle fills.
async function sweep() {
  const taker = byId("called").dataset.taker;
  if (!taker) return;
  const goal = box(seatOf(taker));
  const cards = Array.from(table.querySelectorAll(".board .slot .card"), (card) => [card, box(card)]);
  sound("trick");
  if (!calm() && !document.hidden) {
    const flown = cards.map(([card, from]) => ghost(card, from, goal));
    table.classList.add("swept");
    await Promise.all(flown);
  }
  table.classList.add("swept");
}

// Points fly to the score sheet.
async function tell() {
  const opener = table.querySelector("[data-opens=sheet-scores]");
  if (!opener || calm() || document.hidden) return;
  const sheet = box(opener);
  const points = Array.from(table.querySelectorAll("#result [data-points]"), (each) => [each, box(each)]);
  await Promise.all(points.map(([each, from]) => ghost(each, from, sheet)));
}

function ghost(element, from, to) {
  const copy = element.cloneNode(true);
  copy.removeAttribute("role");
  copy.removeAttribute("data-card");
  copy.setAttribute("aria-hidden", "true");
  copy.classList.add("ghost");
  for (const side of ["left", "top", "width", "height"]) copy.style[side] = `${from[side]}px`;
  table.append(copy);
  return run(copy, [{ transform: "none" }, { transform: `${shift(from, to)} scale(.25)` }], SWEEP).then(() => copy.remove());
}

window.arrived?.(import.meta.url);
