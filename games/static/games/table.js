// The table in the browser. The server pushes whole fragments; this keeps what a person is
// holding (focus, a half-made choice, an open sheet) and adds what only the page knows: the
// order of my hand, counting unseen cards, motion, keys, small sounds.

const table = document.getElementById("table");
const byId = (id) => document.getElementById(id);
const isShown = (element) => element !== null && element.getClientRects().length > 0;
const SHAPES = ["ball", "cube", "cone", "star"];

// What was done is said once: not again when the page is loaded anew.

const address = new URL(location.href);
if (address.searchParams.has("done")) {
  address.searchParams.delete("done");
  history.replaceState(history.state, "", address);
}

// Settings of this device.

const settings = byId("settings");
const stored = JSON.parse(localStorage.getItem("xactika") ?? "{}");
for (const input of settings.elements) {
  if (!(input.name in stored)) continue;
  if (input.type === "checkbox") input.checked = stored[input.name];
  if (input.type === "radio") input.checked = input.value === stored[input.name];
}
const chosen = (name) => {
  const input = settings.elements[name];
  return input instanceof RadioNodeList ? input.value : input.checked;
};
settings.addEventListener("change", () => {
  for (const name of ["sort", "quick", "hints", "sound", "keys"]) stored[name] = chosen(name);
  localStorage.setItem("xactika", JSON.stringify(stored));
  sortHand(byId("hand"));
  showHint();
});

// My hand, in my order.

function sortHand(hand) {
  const cards = hand.querySelector(".cards");
  if (!cards) return;
  const sort = chosen("sort");
  const rank = (held) => {
    const code = held.querySelector("[data-card]").dataset.card;
    const value = Array.from(code).reduce((sum, count) => sum + Number(count), 0);
    const count = Number(code[SHAPES.indexOf(sort)] ?? 0);
    return count * 100 + value + Number(code) / 10000;
  };
  const sorted = Array.from(cards.children).sort((a, b) => rank(b) - rank(a));
  if (sorted.some((held, place) => held !== cards.children[place])) cards.append(...sorted);
}

// "You" instead of my name, where what is common to the table speaks of me.

function nameMe(fragment) {
  const me = table.dataset.me;
  if (!me) return;
  for (const text of fragment.querySelectorAll(`[data-me="${me}"]`)) text.textContent = text.dataset.you;
  for (const name of fragment.querySelectorAll(`.slot[data-seat="${me}"] .by`)) name.textContent = table.dataset.you;
  for (const row of fragment.querySelectorAll(`[data-row="${me}"]`)) row.classList.add("me");
}

// What a pushed change must not disturb. htmx keeps the connection and sends what is pressed;
// the fragments are put in place here: its own swaps tell each element of its coming and
// going, which on a slow device takes longer than all the rest.

const shown = new Map();
for (const fragment of table.querySelectorAll("[id]")) shown.set(fragment.id, fragment.outerHTML);

function show(next) {
  const target = byId(next.id);
  if (next.hasAttribute("hx-swap-oob")) return target.append(...next.childNodes); // to be heard
  if (!target || shown.get(next.id) === next.outerHTML) return;
  for (const part of [next, ...next.querySelectorAll("[id]")]) shown.set(part.id, part.outerHTML);
  // What it lies in is not as it was shown any more.
  for (let outer = target; (outer = outer.parentElement.closest("[id]")) !== table; ) shown.delete(outer.id);
  if (next.id === "hand") sortHand(next);
  nameMe(next);
  target.replaceWith(next);
  if (next.matches("[hx-get]") || next.querySelector("[ws-send], [hx-post], [hx-get]")) htmx.process(next);
  if (next.matches(".sheet[open] [hx-get]")) htmx.trigger(next, "open");
}

table.addEventListener("htmx:wsBeforeMessage", (event) => {
  event.preventDefault();
  const news = document.createElement("template");
  news.innerHTML = event.detail.message;
  const active = table.contains(document.activeElement) ? document.activeElement : null;
  const within = (active?.closest(".sheet")?.querySelector("h2") ?? active?.closest("section, header"))?.id;
  const selection = active?.matches("input[type=text]") ? [active.selectionStart, active.selectionEnd] : null;
  const turn = byId("play")?.elements.turn.value;
  const checked = Array.from(table.querySelectorAll("#hand input:checked"), (input) => input.id);
  const before = places();

  const says = news.content.querySelector("#notice") !== null;
  for (const next of Array.from(news.content.children)) show(next);
  outlive(says);

  offerCalls();
  if (byId("play")?.elements.turn.value === turn) {
    for (const id of checked) if (byId(id)) byId(id).checked = true;
  }
  if (active && !isShown(active)) {
    const again = [active.id, within, "prompt"].map((id) => byId(id || "none")).find(isShown);
    again?.focus({ preventScroll: true });
    if (selection && again?.setSelectionRange) again.setSelectionRange(...selection);
  }
  showChoice();
  showHint();
  countStats();
  callToTurn();
  move(before);
  htmx.trigger(table, "htmx:wsAfterMessage"); // which htmx leaves out after the above
});

// "Your turn" is the one thing that may interrupt a listener.

let calledFor = "";

function callToTurn() {
  const turn = byId("play")?.elements.turn.value;
  if (!turn || turn === calledFor) return;
  calledFor = turn;
  const line = document.createElement("p");
  line.textContent = `${byId("urgent").dataset.turn} ${table.querySelector("#prompt .sentence").textContent}`;
  byId("urgent").append(line);
}

// Choosing: a card, then its call; free to change until it is confirmed.

const picked = (name) => byId("play")?.querySelector(`input[name=${name}]:checked`);

function offerCalls() {
  const choices = table.querySelector("#play[data-kind=lead] .choices");
  if (choices && !choices.children.length) choices.append(byId("calls").content.cloneNode(true));
}

function showChoice() {
  const form = byId("play");
  if (!form) return tellOdds("");
  const confirm = byId("confirm");
  const card = picked("card");
  if (form.dataset.kind === "lead") {
    for (const label of form.querySelectorAll("[data-shape]")) {
      const count = card?.value[SHAPES.indexOf(label.dataset.shape)];
      label.hidden = label.dataset.count !== count;
      if (label.hidden) label.firstElementChild.checked = false;
    }
  }
  const call = picked("call");
  const bid = picked("bid");
  const words = confirm.dataset;
  const ready = bid || (card && (call || form.dataset.kind === "follow"));
  const value = card && Array.from(card.value).reduce((sum, count) => sum + Number(count), 0);
  confirm.disabled = !ready;
  tellOdds(ready && card && (call ? `${card.value}:${call.value}` : card.value));
  confirm.textContent = ready
    ? words.ready.replace("{bid}", bid?.value).replace("{value}", value).replace("{call}", call?.parentElement.textContent.trim())
    : card && words.half ? words.half : words.todo;
}

// My odds: fetched while their sheet is open; the chosen move's own sentence on top.

const oddsSheet = byId("sheet-odds");

function tellOdds(move) {
  const line = byId("odds-chosen");
  if (!line) return;
  const rows = Array.from(byId("odds").querySelectorAll("[data-move]"));
  for (const row of rows) row.classList.toggle("chosen", row.dataset.move === move);
  const words = rows.find((row) => row.dataset.move === move)?.dataset.words ?? "";
  if (line.textContent !== words) line.textContent = words;
}

// Who switches them on sees them, unless a question lies there.
table.addEventListener("click", (event) => {
  if (!event.target.closest("[value='odds:always']") || !oddsSheet || byId("sheet-question")?.open) return;
  byId("sheet-more").open = false;
  oddsSheet.open = true;
});
oddsSheet?.addEventListener("opened", () => {
  const odds = byId("odds");
  if (odds.hasAttribute("hx-get") && !odds.querySelector("h3")) htmx.trigger(odds, "open");
});
oddsSheet?.addEventListener("htmx:afterSwap", () => {
  showChoice();
  const answer = oddsSheet.querySelector(".odds-answer");
  if (!answer || !oddsSheet.open) return;
  const line = document.createElement("p");
  line.textContent = spoken(answer);
  byId("live").append(line);
});

table.addEventListener("change", (event) => {
  if (event.target.closest("#play")) {
    say("");
    showChoice();
  }
});

table.addEventListener("click", (event) => {
  const illegal = event.target.closest(".illegal");
  if (illegal) say(byId("play").dataset.why);
  // One tap: with a finger or a mouse only; arrow keys just move the choice.
  const isTap = event.detail > 0 && event.target.matches("#play input");
  if (!isTap || !chosen("quick")) return;
  showChoice(); // "change" comes only after this click
  byId("confirm").click();
});

table.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("#play input")) return;
  event.preventDefault();
  const confirm = byId("confirm");
  if (!confirm.disabled) confirm.click();
  else byId("play").querySelector(".choices label:not([hidden]) input")?.focus();
});

let lastMove = null;

table.addEventListener("htmx:wsConfigSend", (event) => {
  if (event.target.id !== "play") return;
  const call = picked("call");
  const move = picked("bid") ?? picked("card");
  if (!move) return event.preventDefault();
  event.detail.parameters.move = call ? `${move.value}:${call.value}` : move.value;
  lastMove = event.detail.parameters.move;
  byId("confirm").textContent = table.dataset.sending;
});

// Without a connection messages wait: of them only the last choice is sent, and once.
table.addEventListener("htmx:wsBeforeSend", (event) => {
  if (event.target.id !== "play") return;
  if (JSON.parse(event.detail.message).move === lastMove) lastMove = null;
  else event.preventDefault();
});

for (const failure of ["htmx:sendError", "htmx:responseError"]) {
  table.addEventListener(failure, () => say(table.dataset.failed));
}

// A press that changes no more than which of several is pressed says that it did.
table.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful && event.detail.requestConfig.elt.matches(".steer [aria-pressed]")) say(table.dataset.saved);
});

function say(text) {
  byId("notice").textContent = text;
  shown.delete("notice");
  saidAt = place();
}

// A notice goes when what it was about has passed: the turn, the trick, the pause. What the server
// refuses it follows by the present picture, and that is the one which the notice is about.

const place = () => `${byId("bar")?.textContent} ${byId("play")?.elements.turn.value}`;
let saidAt = place();

function outlive(says) {
  if (says) saidAt = null;
  else if (saidAt === null) saidAt = place();
  else if (saidAt !== place() && byId("notice").textContent) say("");
}

// On a small screen the odds lie over the trick: they make way once I have played.
const small = window.matchMedia("(max-width: 56.24rem), (max-height: 32.5rem)");

table.addEventListener("htmx:wsBeforeSend", (event) => {
  say("");
  if (small.matches && oddsSheet && event.target.id === "play") oddsSheet.open = false;
});

// Hints fade with experience.

function showHint() {
  fade(byId("legend"), "legend");
  const hint = table.querySelector("#prompt .hint");
  if (hint) fade(hint, hint.dataset.hint);
}

const counted = new Map(); // by moment, at which turn; the prompt may come again within one

function fade(hint, moment) {
  const times = (stored.times ??= {});
  const turn = moment === "legend" ? "" : byId("turn").dataset.turn;
  if (counted.get(moment) !== turn) {
    counted.set(moment, turn);
    times[moment] = (times[moment] ?? 0) + 1;
    localStorage.setItem("xactika", JSON.stringify(stored));
  }
  hint.hidden = !chosen("hints") || times[moment] > 8;
}

// The stats table: the whole deck, or what I have not seen.

const stats = byId("stats");
const choice = byId("stats-choice");

function countStats() {
  if (!byId("sheet-stats").open) return;
  const seen = new Set();
  if (choice.elements.cards.value === "unseen") {
    for (const card of table.querySelectorAll("[data-card]:not(#revealed *)")) seen.add(card.dataset.card);
  }
  const shape = SHAPES.indexOf(choice.elements.shape.value);
  const rows = new Map(Array.from(stats.tBodies[0].rows, (row) => [Number(row.cells[0].textContent), [0, 0, 0, 0, row]]));
  for (let n = 0; n < 81; n++) {
    const code = [27, 9, 3, 1].map((power) => (Math.floor(n / power) % 3) + 1);
    if (seen.has(code.join(""))) continue;
    const counts = rows.get(code.reduce((a, b) => a + b));
    counts[0] += 1;
    counts[code[shape]] += 1;
  }
  for (const [total, one, two, three, row] of rows.values()) {
    [total, one, two, three].forEach((count, place) => (row.cells[place + 1].textContent = count));
  }
  stats.caption.textContent = stats.caption.dataset[choice.elements.cards.value];
}
choice.addEventListener("change", countStats);
byId("sheet-stats").addEventListener("opened", () => {
  const called = table.querySelector("#trick .chip use")?.getAttribute("href").split("#")[1];
  if (called) choice.elements.shape.value = called;
  countStats();
});

// Motion that explains: a card to the trick, a trick to its taker, points to the sheet.
// Transforms only.

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
const box = (element) => element.getBoundingClientRect();

function places() {
  if (calm.matches) return null;
  const cards = Array.from(table.querySelectorAll("#trick .card"));
  const taker = byId("called")?.dataset.taker;
  return {
    hand: new Map(Array.from(table.querySelectorAll("#hand .card"), (card) => [card.dataset.card, box(card)])),
    seats: new Map(Array.from(table.querySelectorAll(".seat"), (seat) => [seat.id, box(seat)])),
    played: new Set(cards.map((card) => card.dataset.card)),
    isResult: table.querySelector(".result") !== null,
    taker,
    taken: taker ? cards.map((card) => [card, box(card)]) : [],
  };
}

// Everything is measured before anything moves, so that the page is laid out once.
function move(before) {
  if (!before || document.hidden) return;
  const flights = [];
  for (const card of table.querySelectorAll("#trick .slot .card")) {
    if (before.played.has(card.dataset.card)) continue;
    const from = before.hand.get(card.dataset.card) ?? before.seats.get(`seat-${card.parentElement.dataset.seat}`);
    flights.push([card, from, box(card)]);
  }
  const ghosts = [];
  if (!before.isResult && table.querySelector(".result")) {
    const sheet = box(table.querySelector("[data-opens=sheet-scores]"));
    for (const points of table.querySelectorAll(".result td b")) ghosts.push([points, box(points), sheet]);
  }
  const isLed = before.taker && !byId("called")?.dataset.taker;
  const goal = isLed && byId(`seat-${before.taker}`);
  if (goal) for (const [card, from] of before.taken) ghosts.push([card, from, box(goal)]);
  for (const flight of flights) fly(...flight);
  const flown = ghosts.map((one) => ghost(...one));
  if (goal) sweep(flown); // the names of the next trick are not for the cards of the last
  if (flights.length) tick();
}

const MOTION = { duration: 220, easing: "ease-out" };
const shift = (from, to) => `translate(${to.x + to.width / 2 - from.x - from.width / 2}px, ${to.y + to.height / 2 - from.y - from.height / 2}px)`;

function fly(card, from, to) {
  card.animate([{ transform: `${shift(to, from)} scale(${from.width / to.width})` }, { transform: "none" }], MOTION);
}

function ghost(element, from, to) {
  const copy = element.cloneNode(true);
  copy.removeAttribute("role");
  copy.removeAttribute("data-card");
  copy.setAttribute("aria-hidden", "true");
  copy.classList.add("ghost");
  for (const side of ["left", "top", "width", "height"]) copy.style[side] = `${from[side]}px`;
  table.append(copy);
  const gone = () => copy.remove();
  return copy.animate([{ transform: "none" }, { transform: `${shift(from, to)} scale(.3)` }], MOTION).finished.then(gone, gone);
}

let sweeps = 0; // on a slow device one begins before the last has ended

function sweep(flown) {
  sweeps += 1;
  table.classList.add("sweeping");
  Promise.all(flown).then(() => {
    sweeps -= 1;
    table.classList.toggle("sweeping", sweeps > 0);
  });
}

// Small sounds, made here, off until wanted.

let audio = null;
function tick() {
  if (!chosen("sound")) return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator();
  const gain = audio.createGain();
  tone.type = "triangle";
  tone.frequency.value = 520;
  gain.gain.setValueAtTime(0.08, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.12);
  tone.connect(gain).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.13);
}

// Keys.

const SHEETS = { t: "sheet-stats", l: "sheet-tricks", p: "sheet-scores", d: "sheet-odds", "?": "sheet-more" };
const CALLS = { b: "ball", c: "cube", o: "cone", s: "star" };

document.addEventListener("keydown", (event) => {
  if (!event.target.matches("input[type=text]")) document.body.dataset.keyed = ""; // there is a keyboard, then
  if (event.ctrlKey || event.metaKey || event.altKey || !chosen("keys")) return;
  if (event.target.matches("input[type=text], textarea, select, #sheet-question *")) return;
  const key = event.key.toLowerCase();
  const sheet = byId(SHEETS[key] ?? "none");
  if (sheet) sheet.open = !sheet.open;
  else if (key === "h") goToHand();
  else if (key === "w") situation();
  else if (CALLS[key]) press(byId("play")?.querySelector(`[data-shape=${CALLS[key]}]:not([hidden]) input`));
  else if (/^[0-8]$/.test(key) && byId("play")) {
    const bids = byId("play").dataset.kind === "bid";
    press(bids ? byId(`bid-${key}`) : byId("hand").querySelectorAll(".held")[key - 1]?.querySelector("input"));
  } else return;
  event.preventDefault();
});

function goToHand() {
  const hand = byId("hand");
  const goals = [".cards input:checked", ".cards input", ".choices input:enabled"];
  (goals.map((goal) => hand.querySelector(goal)).find(Boolean) ?? hand).focus();
}

function press(input) {
  if (!input || input.disabled) return;
  input.checked = true;
  input.focus();
  showChoice();
}

// The whole situation in sentences, for a listener who has lost the thread.

function situation() {
  const slot = (li) => {
    const card = li.querySelector(".card")?.getAttribute("aria-label");
    return [spoken(li.querySelector(".by")), card ?? spoken(li.querySelector(".note")), card && spoken(li.querySelector(".note"))].filter(Boolean).join(": ");
  };
  const trick = byId("trick");
  const parts = [
    spoken(byId("bar")),
    spoken(byId("prompt").querySelector(".sentence")),
    ...Array.from(trick.querySelectorAll(":scope > p, h2.big"), spoken),
    ...Array.from(trick.querySelectorAll(".slot"), slot),
    ...Array.from(table.querySelectorAll("#seats > li"), spoken),
    ...Array.from(byId("hand").querySelectorAll(".card"), (card) => card.getAttribute("aria-label")),
  ];
  const line = document.createElement("p");
  line.textContent = parts.filter(Boolean).map((part) => (/[.!?:]$/.test(part) ? part : `${part}.`)).join(" ");
  byId("live").append(line);
}

function spoken(part) {
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT, (text) =>
    text.parentElement.closest("[aria-hidden=true]") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const words = [];
  while (texts.nextNode()) words.push(texts.currentNode.data.trim());
  return words.filter(Boolean).join(" ").replace(/\s+([,.:!?])/g, "$1");
}

for (const field of table.querySelectorAll("input[readonly]")) field.addEventListener("focus", () => field.select());
nameMe(table);
sortHand(byId("hand"));
offerCalls();
showChoice();
showHint();
