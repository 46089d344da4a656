// My hand: a card is raised, and played by a second tap (the last one by the first), by dragging it
// up, by Enter or by the button that says what will happen. A lead is played by its call. A bid
// is chosen and sent like a card. What leaves no choice plays itself, at a table of bots.

import { shake } from "./motion.js";
import { hasPlayed, prefers } from "./preferences.js";

const table = document.getElementById("table");
const byId = (id) => document.getElementById(id);
const SHAPES = ["ball", "cube", "cone", "star"];
const SECOND_TAP_AFTER = 350; // sooner it is the same tap, by an unsteady hand
const NO_CHOICE_AFTER = 900; // whatever the hand: how long it takes tells nothing
const DRAG_FROM = 12;
const SLOW = 400; // what takes longer is said to be under way

export const picked = (name) => table.querySelector(`input[form=play][name=${name}]:checked, #play input[name=${name}]:checked`);
const kind = () => byId("play")?.dataset.kind;
const turn = () => byId("play")?.elements.turn.value;

const codeOf = (held) => held.querySelector("[data-card]").dataset.card;

// In my order.

export function sortHand(hand) {
  const cards = hand.querySelector(".cards");
  if (!cards) return;
  const sort = prefers("sort");
  const rank = (held) => {
    const code = codeOf(held);
    const value = Array.from(code).reduce((sum, count) => sum + Number(count), 0);
    const count = Number(code[SHAPES.indexOf(sort)] ?? 0);
    return count * 100 + value - Number(code) / 10000; // equals as they lie in reviews
  };
  const sorted = Array.from(cards.children).sort((a, b) => rank(b) - rank(a));
  if (sorted.some((held, place) => held !== cards.children[place])) cards.append(...sorted);
  keepRows(sorted);
}
byId("preferences")?.addEventListener("change", () => {
  known.clear();
  sortHand(byId("hand"));
});

// A played card's gap closes within its row: no card changes rows under a thumb while there are two.

const ROW = 4;
const known = new Set();
let lower = new Set();

function keepRows(hand) {
  const codes = hand.map(codeOf);
  if (!codes.every((code) => known.has(code))) lower = new Set(codes.slice(ROW));
  known.clear();
  for (const code of codes) known.add(code);
  for (const held of hand) held.classList.toggle("lower", codes.length > ROW && lower.has(codeOf(held)));
}

// What is chosen, and what the button says of it.

export function offerCalls() {
  const choices = table.querySelector("#choices.calls");
  if (choices && !choices.children.length) choices.append(...Array.from(byId("calls").content.children).flatMap(ofShape));
  // An only card is chosen already; to lead, its call is not.
  const cards = byId("play")?.querySelectorAll("input[name=card]") ?? [];
  if (cards.length === 1) cards[0].checked = true;
}

// The three calls of a shape, made of one.
function ofShape(label) {
  const { solid, words } = label.dataset;
  return words.split("|").map((call, more) => {
    const choice = label.cloneNode(true);
    const [input, solids, text] = choice.children;
    input.value = `${more + 1}-${solid}`;
    input.id = `call-${input.value}`;
    for (let n = 0; n < more; n += 1) solids.append(solids.firstElementChild.cloneNode(true));
    text.textContent = call;
    return choice;
  });
}

export function showChoice() {
  const card = picked("card");
  const isLead = kind() === "lead";
  if (isLead) {
    for (const input of byId("choices").querySelectorAll("[name=call]")) {
      const [count, shape] = input.value.split("-");
      const label = input.parentElement;
      label.hidden = count !== card?.value[SHAPES.indexOf(shape)];
      if (label.hidden) input.checked = false;
    }
  }
  const call = picked("call");
  const bid = picked("bid");
  if (isLead) sayWhatIsNext(Boolean(card));
  const ready = Boolean(bid || (card && (call || !isLead)));
  table.dispatchEvent(new CustomEvent("chosen", { detail: ready && card ? moveOf(card, call) : "" }));
  const confirm = byId("confirm");
  if (!confirm) return;
  const words = confirm.dataset;
  const value = card && Array.from(card.value).reduce((sum, count) => sum + Number(count), 0);
  confirm.disabled = !ready;
  confirm.textContent = ready
    ? words.ready.replace("{bid}", bid?.value).replace("{value}", value).replace("{call}", call?.parentElement.textContent.trim())
    : card && words.half ? words.half : words.todo;
}

// A lead's sentence tells its second step once the card is up.
function sayWhatIsNext(isCardChosen) {
  const sentence = byId("sentence");
  const half = byId("confirm")?.dataset.half; // none while a card still flies
  if (!sentence || !half || table.querySelectorAll("#hand input[name=card]").length < 2) return;
  sentence.dataset.first ??= sentence.textContent;
  sentence.textContent = isCardChosen ? `${half}.` : sentence.dataset.first;
}

const moveOf = (card, call) => (call ? `${card.value}:${call.value}` : card.value);

export function press(input) {
  if (!input || input.disabled) return;
  letGo();
  input.checked = true;
  input.focus();
  showChoice();
}

// Where a tap plays at once, no button comes that says what it would do.
function play(isAtOnce = false) {
  letGo();
  showChoice();
  const confirm = byId("confirm");
  if (!confirm || confirm.disabled) return;
  confirm.classList.toggle("at-once", isAtOnce);
  confirm.click();
}

// Taps. A card that is up already is played by the next one; arrow keys only choose.

let pointer = ""; // mouse, touch or pen, of the press under way; "" where a key was pressed
let wasUp = null; // the card that was up before it
let upSince = 0;

document.addEventListener("keydown", () => (pointer = ""), true);
table.addEventListener("pointerdown", (event) => {
  pointer = event.pointerType;
  wasDragged = false;
  wasUp = picked("card") ?? picked("bid");
  beginDrag(event);
});

table.addEventListener("change", (event) => {
  if (!event.target.matches("[name=card], [name=bid], [name=call]") || !byId("play")) return;
  upSince = Date.now();
  table.dispatchEvent(new Event("acts"));
  showChoice();
  if (event.target.name === "bid" && pointer) holdBid();
});

table.addEventListener("click", (event) => {
  const illegal = event.target.closest(".illegal");
  if (illegal) shake(illegal);
  const why = illegal ? byId("hand-why")
    : event.target.closest(".forbidden") && (document.querySelector("#prompt .aside") ?? byId("sentence"));
  if (why) table.dispatchEvent(new CustomEvent("says", { detail: why.textContent }));
  const { target } = event;
  if (wasDragged || !event.detail || !pointer || !target.matches("[name=card], [name=bid], [name=call]")) return;
  if (target.name === "call") return play(true);
  const again = target === wasUp && Date.now() - upSince >= SECOND_TAP_AFTER;
  const isLast = kind() === "follow" && byId("hand").querySelectorAll(".held").length === 1 && !document.querySelector(".sheet[open]");
  if (isLast || (again && kind() !== "lead")) play(isLast);
});
table.addEventListener("dblclick", (event) => {
  if (pointer === "mouse" && event.target.matches("#play[data-kind=follow] [name=card]")) play();
});

table.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("[name=card], [name=bid], [name=call]")) return;
  event.preventDefault();
  if (!byId("confirm")?.disabled) play();
  else byId("choices").querySelector("label:not([hidden]) input")?.focus();
});

// A bid that was tapped is sent before the clock would choose another.

const SENT_BEFORE = 1000; // the clock plays
const ahead = table.dataset.now ? Date.parse(table.dataset.now) - Date.now() : 0; // the server's clock, as the page was loaded
let held;

function holdBid() {
  letGo();
  const deadline = byId("prompt").querySelector("[data-deadline]")?.dataset.deadline;
  if (!deadline) return;
  const [now, left] = [turn(), Date.parse(deadline) - Date.now() - ahead - SENT_BEFORE];
  if (left <= 0) play();
  else held = setTimeout(() => turn() === now && picked("bid") && holdBid(), left); // it may have moved
}

const letGo = () => clearTimeout(held);

// Dragging a card up: a mouse may always, a finger where nothing scrolls.

let drag = null;
let wasDragged = false; // then the click that follows is none

export function fit() {
  const page = document.scrollingElement;
  table.classList.toggle("fits", page.scrollHeight <= page.clientHeight + 1);
}
addEventListener("resize", fit);

function beginDrag(event) {
  const card = event.target.closest(".held.legal");
  if (!card || event.button !== 0 || (event.pointerType !== "mouse" && !table.classList.contains("fits"))) return;
  drag = { card, id: event.pointerId, x: event.clientX, y: event.clientY, moves: false };
}

addEventListener("pointermove", (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.moves && Math.hypot(x, y) < DRAG_FROM) return;
  if (!drag.moves) {
    drag.moves = true;
    drag.card.classList.add("dragged");
  }
  drag.up = -y;
  drag.card.style.transform = `translate(${x}px, ${y}px)`;
});

function endDrag(event) {
  if (!drag || event.pointerId !== drag.id) return;
  const { card, moves, up } = drag;
  drag = null;
  if (!moves) return;
  const box = card.getBoundingClientRect();
  card.classList.remove("dragged");
  card.style.transform = "";
  wasDragged = true;
  if (event.type !== "pointerup" || up < 0.4 * box.height) return;
  table.dispatchEvent(new CustomEvent("thrown", { detail: { code: card.querySelector("[data-card]").dataset.card, box } }));
  press(card.querySelector("input"));
  if (kind() !== "lead") play(true);
}
addEventListener("pointerup", endDrag);
addEventListener("pointercancel", endDrag);
table.addEventListener("dragstart", (event) => event.preventDefault());

// Where exactly one move is legal it plays itself: only beside bots, for whoever uses no keys, and has played before.

let awaited = "";

export function playWithoutChoice() {
  const now = turn();
  if (now === awaited) return;
  awaited = now;
  if (!now || kind() !== "follow" || !("solo" in table.dataset)) return;
  if (byId("play").querySelectorAll("input[name=card]").length !== 1) return;
  setTimeout(() => {
    const isFree = prefers("auto") && hasPlayed() && !("keyed" in document.body.dataset) && !document.hidden;
    if (turn() !== now || !isFree || document.querySelector(".sheet[open]") || "question" in document.body.dataset) return;
    const card = byId("play").querySelector("input[name=card]");
    card.checked = true;
    play(true);
    const detail = (table.dataset.alone ?? "").replace("{n}", byId("bar").dataset.trick);
    setTimeout(() => table.dispatchEvent(new CustomEvent("keeps", { detail })));
  }, NO_CHOICE_AFTER);
}

// Sending.

let lastMove = null;

table.addEventListener("htmx:wsConfigSend", (event) => {
  if (event.target.id !== "play") return;
  const move = picked("bid") ?? picked("card");
  if (!move) return event.preventDefault();
  event.detail.parameters.move = moveOf(move, picked("call"));
  lastMove = event.detail.parameters.move;
  letGo();
  const confirm = byId("confirm");
  setTimeout(() => {
    if (!confirm?.isConnected || !confirm.classList.contains("sending")) return;
    confirm.classList.remove("at-once");
    confirm.textContent = table.dataset.sending;
  }, SLOW);
  confirm?.classList.add("sending");
  table.dispatchEvent(new Event("acts"));
});

// Without a connection messages wait: of them only the last choice is sent, and once.
table.addEventListener("htmx:wsBeforeSend", (event) => {
  if (event.target.id !== "play") return;
  if (JSON.parse(event.detail.message).move === lastMove) lastMove = null;
  else event.preventDefault();
});

window.arrived?.(import.meta.url);
