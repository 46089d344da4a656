// What happens at the table, one moment after the other, as people around it would see it. A push
// is applied whole and in its turn; this keeps what comes meanwhile, and knows what is on screen:
// a trick that has been played rests on the board, is swept to its taker, and only then comes
// what followed. Acting ends a rest; who has fallen behind, or does not look, is shown the
// present at once.

import { cut, spread, stage } from "./ending.js";
import { box, fan, lieFaceDown, run, shake, shift } from "./motion.js";
import { sound } from "./sounds.js";

const table = document.getElementById("table");
const byId = (id) => document.getElementById(id);
const { calm } = window.xactika;
const HOP = [{ transform: "none" }, { transform: "translateY(-40%) rotate(-6deg)" }, { transform: "scale(1.1, .9)" }, { transform: "none" }];

const CHEERS = [{ transform: "none" }, { transform: "translateY(-30%) rotate(-6deg)", offset: 0.3 }, { transform: "scale(1.1, .9)", offset: 0.6 }, { transform: "none" }];
const LEAP = [{ transform: "none" }, { transform: "scale(1.15, .8)", offset: 0.12 }, { transform: "translateY(-90%) rotate(-10deg) scale(1.25)", offset: 0.4 }, { transform: "scale(1.2, .8)", offset: 0.7 }, { transform: "translateY(-20%)", offset: 0.85 }, { transform: "none" }];

const MOVE = 220;
const LAND = 90; // as a part of a flight
const DEAL = 260;
const SLIDE = 200; // the hand, into the gap that a card has left
const CHEER = 600;
const SHINES = 900;
const SHINE = [{ boxShadow: "0 0 .2rem .1rem #ffd75e" }, { boxShadow: "0 0 1rem 1.6rem rgb(255 215 94 / 0)" }];
const FILLED = ".full, .over";
const DEALT = 60; // between two cards of a deal
const GLOW = 700;
const CATCH_UP = 750; // what waits is shown within this time
const REST = 1.75; // times the pace, which is the time between two bots' moves
const FADE = 0.12; // seconds, before a sweep
const FILLING = 0.5; // times the pace, before the next lead
const BEHIND = 2; // tricks that may wait

// At a round's end nothing is told before the last trick has been seen.
const OF_THE_BOARD = /^(slot-|called$|left-|hand$|choices$|turn$)/;

const waiting = [];
const withheld = []; // what a card in flight and a trick at rest still hold back, in its order
let apply = null;
let isShowing = false;
let endRest = null;

export function start(applies) {
  apply = applies;
  if (byId("called").dataset.taker) table.classList.add("swept");
  table.classList.toggle("ended", !byId("result").hidden);
  grow();
  if (!table.matches(".to-deal") || calm() || document.hidden) return table.classList.remove("to-deal");
  isShowing = true;
  deal().catch(() => {}).then(showNext);
}

// The hand has as much room as ever: its cards grow between tricks, when no finger is on them.
function grow() {
  const isBetween = table.matches(".swept") || !table.querySelector(".board .slot .card");
  const mine = table.querySelector(".mine .slot .card");
  table.classList.toggle("emptied", isEmptied());
  if (isBetween || !table.dataset.held) table.dataset.held = byId("hand").querySelectorAll(".held").length + (mine && !isBetween ? 1 : 0);
}

// My last card lies on the board, which takes the room that the hand had.
const isEmptied = () => byId("bar")?.dataset.status === "playing" && Boolean(table.dataset.me) && !byId("hand").querySelector(".held");

// A place around the board.
const placed = (li, axis) => parseFloat(getComputedStyle(li).getPropertyValue(axis)) || 0;

// Everybody looks to whose turn it is, who looks into the cards.
export function look() {
  const places = Array.from(byId("seats").children, (li) => ({ li, x: placed(li, "--x"), y: placed(li, "--y") }));
  const to = places.find(({ li }) => li.querySelector(".turn"));
  for (const { li, x, y } of places) {
    const eyes = li.querySelector(".figurine")?.style;
    const length = to && Math.hypot(to.x - x, to.y - y);
    eyes?.setProperty("--lx", length ? (to.x - x) / length : 0);
    eyes?.setProperty("--ly", length ? (to.y - y) / length : 1);
  }
}

// It is my turn: seen without reading.
export function glow() {
  if (calm() || document.hidden) return;
  const board = table.querySelector(".board");
  const rim = getComputedStyle(board).boxShadow;
  const ring = { boxShadow: `0 0 0 .3rem rgb(var(--turn-rgb)), ${rim}` };
  run(board, [{ boxShadow: rim }, { ...ring, offset: 0.25 }, { ...ring, offset: 0.6 }, { boxShadow: rim }], GLOW, { easing: "ease-in-out" });
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(15);
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
  if (!isOfBoard(news) && !waiting.length && !withheld.length) return apply(news);
  waiting.push(news);
  if (document.hidden || areBehind() || isFarAway(news)) return catchUp();
  if (isOfAnotherRound(news)) cut();
  if (!isShowing) showNext();
}

const areBehind = () => waiting.filter((news) => part(news, "called")?.dataset.taker).length > BEHIND;

const roundOf = (turn) => turn?.dataset.turn.split(".")[0];
const isOfAnotherRound = (news) => part(news, "turn") && roundOf(part(news, "turn")) !== roundOf(byId("turn"));

// After a sleep, or where another device played on: no flight would be true.
function isFarAway(news) {
  const next = part(news, "turn")?.dataset.turn.split(".");
  const [round, move] = byId("turn").dataset.turn.split(".");
  if (!next || waiting.length > 1) return false;
  return next[0] === round ? Math.abs(next[1] - move) > byId("seats").children.length : next[1] !== "0";
}

function catchUp() {
  skip();
  for (const news of [...withheld.splice(0), ...waiting.splice(0)]) apply(news);
  settle();
}

// What the board looks like when nothing is under way.
function settle() {
  delete byId("prompt").dataset.won;
  table.classList.toggle("swept", Boolean(byId("called").dataset.taker));
  end(!byId("result").hidden);
}

// A round's end hides the hand, and with it what may have the focus there.
function end(isEnd) {
  if (isEnd && byId("hand").contains(document.activeElement)) byId("prompt").focus({ preventScroll: true });
  table.classList.toggle("ended", isEnd);
  grow();
}

// Whoever acts has seen enough.
export function skip() {
  endRest?.();
  cut();
}
document.addEventListener("visibilitychange", () => document.hidden && (waiting.length || withheld.length) && catchUp());

async function showNext() {
  isShowing = true;
  try {
    while (waiting.length) await show(waiting.shift());
  } finally {
    isShowing = false;
    if (waiting.length || withheld.length) catchUp(); // a moment that fails keeps nobody from what is
  }
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
    if (isTaken && (each.id === "bar" || each.id.startsWith("taken-") || (isEnd && !OF_THE_BOARD.test(each.id)))) later.append(each);
  }
  if (isOfAnotherRound(news)) table.classList.remove("ended");
  const isOpen = part(news, "called") && !part(news, "called").dataset.taker;
  const landed = untilLanded(news, before);
  if (landed) withheld.push(landed);
  if (isTaken) withheld.push(later);
  apply(news, landed !== null);
  if (!isEmptied()) table.classList.remove("emptied");
  let unsay = isTaken && !landed ? sayTaker(isEnd, later) : null;
  if (isOpen) table.classList.remove("swept");
  await move(before);
  if (release(landed)) apply(landed);
  if (isTaken && withheld[0] === later) unsay ??= sayTaker(isEnd, later);
  if (isEmptied() && !table.matches(".emptied")) spread(() => table.classList.add("emptied"));
  if (!isTaken) return end(!byId("result").hidden);
  if (!calm()) {
    const { taker } = byId("called").dataset;
    const lifted = `translateY(-.6rem) scale(${taker === table.dataset.me ? 1.18 : 1.1})`;
    run(table.querySelector(".board .winning"), [{ transform: "none" }, { transform: lifted }, {}], MOVE);
    const figurine = seatOf(taker)?.querySelector(".figurine");
    const { won } = byId("prompt").dataset;
    if (figurine && won === "over") shake(figurine);
    else if (figurine) run(figurine, won ? LEAP : CHEERS, CHEER);
  }
  if (withheld[0] === later) await rest(REST * Number(byId("turn").dataset.pace));
  if (withheld[0] === later) await fade();
  if (withheld[0] === later) await sweep();
  unsay?.();
  if (!release(later)) return; // the present has been shown meanwhile
  const isStaged = isEnd && !calm() && !document.hidden && Number(byId("turn").dataset.pace);
  const goesOn = () => {
    table.classList.toggle("staging", Boolean(isStaged));
    apply(later);
  };
  if (isStaged) spread(goesOn);
  else goesOn();
  cheer(before);
  grow();
  if (!isEnd) return rest(FILLING * Number(byId("turn").dataset.pace)); // to see it
  if (!isStaged) return end(true);
  await stage(() => end(!byId("result").hidden));
}

// Whether this is still to be shown, which it then is.
function release(news) {
  const isHeld = withheld[0] === news && Boolean(news);
  if (isHeld) withheld.shift();
  return isHeld;
}

const IN_FLIGHT = /^(turn|language|notice)$/;
const OF_THE_LEAD = /^(slot-|called$)/;
const MY_PLAY = /^(hand|choices|prompt|sentence)$/;
const MY_LAST = /^(hand|choices)$/; // who leads next is asked once it is seen who took it

// What a card that flies alone tells only once it lies: who wins, whose turn it is, which trick.
function untilLanded(news, before) {
  const isNew = (each) => each.querySelector(".card") && !before.played.has(each.querySelector(".card").dataset.card);
  const slots = Array.from(news.children).filter((each) => each.id.startsWith("slot-"));
  const [slot, ...more] = slots.filter(isNew);
  if (!slot || more.length || calm() || !Number(byId("turn").dataset.pace) || isOfAnotherRound(news)) return null;
  const isMine = before.hand.has(slot.querySelector(".card").dataset.card);
  const mine = part(news, "called")?.dataset.taker || part(news, "learnt") ? MY_LAST : MY_PLAY;
  const isLead = part(news, "called") && !part(news, "called").dataset.taker; // the board is bare
  const flies = ({ id }) => IN_FLIGHT.test(id) || (isMine && mine.test(id)) || (isLead && OF_THE_LEAD.test(id));
  const landed = document.createDocumentFragment();
  for (const each of Array.from(news.children)) {
    if (each !== slot && !each.hasAttribute("hx-swap-oob") && !flies(each)) landed.append(each);
  }
  return landed;
}

// While a trick lies, the sentence says who takes it, of me on a bar with what I need now; returns what puts it back.
function sayTaker(isEnd, later) {
  const { taker, takes, mine } = byId("called").dataset;
  const sentence = byId("sentence");
  const was = isEnd ? "" : sentence.textContent; // at the end nobody is waited for
  sentence.dataset.first ??= was; // a card may be chosen before it is back
  const bid = part(later, `taken-${taker}`);
  const needs = bid?.querySelector(".to-go")?.textContent.trim();
  const { dataset, classList } = byId("prompt");
  const words = taker !== table.dataset.me ? takes : needs ? `${mine.replace(/\.$/, "")} · ${needs}` : mine;
  sentence.textContent = words;
  // though I played the trick's last card, or lead no other
  if (isEnd || taker !== table.dataset.me) classList.remove("mine");
  if (taker === table.dataset.me) {
    dataset.won = bid?.querySelector(".over") ? "over" : "well";
    if (!calm()) run(sentence, [{ transform: "scaleX(.6)", opacity: 0 }, {}], MOVE);
  }
  return () => {
    delete dataset.won;
    if (sentence.isConnected && sentence.textContent === words) sentence.textContent = was;
  };
}

// A trick is seen at the bid in which it lands, and at the ring that it fills; a bid that has come true shines.
function cheer({ made, filled }) {
  if (calm()) return;
  const bump = (each, scale) => run(each, [{ transform: "none" }, { transform: `scale(${scale})`, offset: 0.3 }, { transform: "none" }], CHEER);
  for (const taken of table.querySelectorAll(".taken")) {
    const circles = taken.querySelector(".circles");
    const fills = Array.from(taken.querySelectorAll(FILLED)).slice(filled.get(taken.id) ?? 0);
    if (!fills.length) continue;
    const isMade = taken.matches(".made") && !made.has(taken.id);
    bump(circles, isMade ? 1.5 : 1.25);
    for (const circle of fills) bump(circle, 1.7);
    if (isMade) run(circles, SHINE, SHINES);
  }
}

// What was where.

function picture() {
  return {
    round: byId("turn").dataset.turn.split(".")[0],
    taker: byId("called").dataset.taker,
    played: new Set(Array.from(table.querySelectorAll(".board .slot .card"), (card) => card.dataset.card)),
    hand: new Map(Array.from(table.querySelectorAll("#hand .card"), (card) => [card.dataset.card, thrown?.code === card.dataset.card ? thrown.box : box(card)])),
    made: new Set(Array.from(table.querySelectorAll(".taken.made"), (taken) => taken.id)),
    filled: new Map(Array.from(table.querySelectorAll(".taken"), (taken) => [taken.id, taken.querySelectorAll(FILLED).length])),
    bids: new Set(Array.from(table.querySelectorAll(".taken .circles"), (circles) => circles.parentElement.id)),
  };
}

let thrown = null; // from where a card was let go
table.addEventListener("thrown", ({ detail }) => (thrown = detail));

// What moves: everything is measured before anything does, so that the page is laid out once.

const seatOf = (number) => byId(`seat-${number}`);

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
    const own = [".fan", ".figurine"].map((each) => seat.querySelector(each)).find((each) => each?.offsetWidth);
    return [slot, mine ?? box(own ?? seat), box(slot), Boolean(mine)];
  });
  const slides = calm() ? [] : Array.from(table.querySelectorAll("#hand .card"), (card) => [card.closest(".held"), before.hand.get(card.dataset.card), box(card)])
    .filter(([held, from, to]) => held && from && Math.hypot(from.x - to.x, from.y - to.y) > to.width / 3);
  for (const [held, from, to] of slides) run(held, [{ transform: shift(to, from) }, { transform: "none" }], SLIDE);
  if (byId("called").dataset.taker === undefined && bids.length) sound("bid");
  if (!slots.length && !bids.length) return;
  if (calm()) return rest(duration / 1000);
  if (slots.some((slot) => slot.querySelector(".led"))) sound("call");
  await Promise.all([
    ...flights.map((flight, place) => fly(...flight, duration, place * duration)),
    ...bids.map((taken) => run(taken, [{ transform: "scale(.2)" }, { transform: "none" }], MOVE)),
  ]);
}

async function fly(slot, from, to, isOpen, duration, delay) {
  const turn = isOpen ? null : lieFaceDown(slot);
  slot.classList.add("flying");
  const begin = `perspective(60rem) ${shift(to, from)} scale(${from.width / to.width})`;
  const landed = duration / (duration + LAND);
  // The shadow is the card's own: a filter on what turns would flatten it, and show its face mirrored.
  run(slot.querySelector(".card"), [{}, { boxShadow: "0 1rem 1.4rem rgb(0 0 0 / .5)", offset: landed }, {}], duration + LAND, { delay });
  await run(slot, [
    { transform: isOpen ? begin : `${begin} rotateY(180deg)` },
    { transform: "perspective(60rem) scale(1.06)", offset: landed },
    { transform: "perspective(60rem)" },
  ], duration + LAND, { delay });
  turn?.remove();
  slot.classList.remove("flying");
  sound("card");
}

// Eight to a hand, from the dealer; mine turn over as they come.
async function deal() {
  table.classList.remove("ended", "swept");
  sound("deal");
  if (calm()) return;
  const from = box(table.querySelector(".mark.dealer")?.closest(".seat") ?? byId("seats"));
  const mine = Array.from(table.querySelectorAll("#hand .held"));
  const fans = Array.from(table.querySelectorAll(".fan"));
  const flights = [...mine, ...fans].map((cards) => [cards, box(cards)]).filter(([, to]) => to.width);
  const backs = mine.map((held) => lieFaceDown(held));
  for (const card of mine) card.classList.add("flying");
  table.classList.remove("to-deal");
  table.classList.add("dealing");
  await Promise.all(
    flights.map(([cards, to]) => {
      const begin = `perspective(60rem) ${shift(to, from)} scale(.25)`;
      if (cards.matches(".fan")) {
        const frames = [{ transform: begin, opacity: 0 }, { opacity: 1, offset: 0.3 }, { transform: "none" }];
        return run(cards, frames, DEAL, { delay: (DEALT * 8 * fans.indexOf(cards)) / fans.length });
      }
      const frames = [{ transform: `${begin} rotateY(180deg)` }, { transform: "perspective(60rem) scale(1.06)", offset: 0.75 }, { transform: "perspective(60rem)" }];
      return run(cards, frames, DEAL + LAND, { delay: DEALT * mine.indexOf(cards) });
    }),
  );
  table.classList.remove("dealing");
  for (const card of mine) card.classList.remove("flying");
  for (const back of backs) back.remove();
}

// The signs on a trick go before its cards.
async function fade() {
  table.classList.add("fading");
  if (!calm()) await rest(FADE);
  table.classList.remove("fading");
}

// The trick goes to its taker, into the bid of which it fills a ring.
async function sweep() {
  const taker = byId("called").dataset.taker;
  if (!taker) return;
  const seat = seatOf(taker);
  const circles = seat.querySelector(".circles");
  const goal = circles?.offsetWidth ? circles : seat;
  const cards = Array.from(table.querySelectorAll(".board .slot .card"), (card) => {
    const brief = card.parentElement.querySelector(".brief");
    return [brief?.offsetWidth ? brief : card, box(card)];
  });
  sound("trick");
  if (!calm() && !document.hidden) {
    const swept = fan(table, cards, box(goal), { turns: true });
    table.classList.add("swept");
    await swept;
    const figure = seat.querySelector(".figurine");
    if (figure) run(figure, HOP, 500);
  }
  table.classList.add("swept");
}

window.arrived?.(import.meta.url);
