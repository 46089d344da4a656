// A replay: keys, slider and buttons lead through the round, or it runs by itself. Every moment is a
// page of its own; it is fetched, and what differs is put in place.

const byId = (id) => document.getElementById(id);
const slider = byId("moment");
const live = byId("live");
const run = byId("run");
const last = Number(slider.max);
const pages = new Map();
let wanted = Number(slider.value);
let timer = null;

const addressOf = (moment) => {
  const address = new URL(location.href);
  address.searchParams.set("at", moment);
  address.searchParams.set("seat", slider.form.elements.seat.value);
  return address;
};

function pageOf(moment) {
  if (!pages.has(moment)) {
    const page = fetch(addressOf(moment)).then((answer) => {
      if (!answer.ok) throw new Error(answer.status);
      return answer.text();
    });
    page.catch(() => pages.delete(moment));
    pages.set(moment, page);
  }
  return pages.get(moment).then((text) => new DOMParser().parseFromString(text, "text/html"));
}

function put(page) {
  const within = document.activeElement?.id;
  for (const next of page.querySelectorAll("[data-put], #bar, #hand")) byId(next.id)?.replaceWith(document.adoptNode(next));
  for (const next of page.querySelectorAll("[data-step], [data-query]")) {
    const link = byId(next.id);
    for (const name of ["href", "aria-disabled"]) {
      if (next.hasAttribute(name)) link.setAttribute(name, next.getAttribute(name));
      else link.removeAttribute(name);
    }
    link.tabIndex = 0; // it keeps the focus, also where it leads nowhere just now
  }
  if (within && document.activeElement?.id !== within) byId(within)?.focus({ preventScroll: true });
}

async function go(moment) {
  moment = Math.min(last, Math.max(0, moment));
  if (moment === wanted) return;
  wanted = moment;
  let page;
  try {
    page = await pageOf(moment);
  } catch {
    location.assign(addressOf(moment));
    return;
  }
  if (wanted !== moment) return; // somebody is further already
  put(page);
  slider.value = moment;
  history.replaceState(history.state, "", addressOf(moment));
  lead();
  tell();
  mark();
  if (moment < last) pageOf(moment + 1).catch(() => {});
}

// What has happened, to be heard: the last words only, not what was passed over.
function tell() {
  const line = document.createElement("p");
  line.textContent = byId("said").textContent.trim();
  live.append(line);
  while (live.children.length > 20) live.firstElementChild.remove();
}

// Led: what is looked at here the projector shows, one step after the other.

const leads = byId("leads");
let led = Promise.resolve();

function lead() {
  if (!leads) return;
  leads.elements.look.value = location.search.slice(1);
  const sent = new FormData(leads);
  const post = () => fetch(leads.action, { method: "POST", body: sent, headers: { "HX-Request": "true" } }).catch(() => {});
  led = led.then(post);
}
lead();

// By itself.

function stop() {
  clearInterval(timer);
  timer = null;
  run.textContent = run.dataset.run;
  run.setAttribute("aria-pressed", "false");
}

function start() {
  if (wanted === last) go(0);
  timer = setInterval(() => (wanted < last ? go(wanted + 1) : stop()), 1800);
  run.textContent = run.dataset.stop;
  run.setAttribute("aria-pressed", "true");
}

run.dataset.run = run.textContent;
run.hidden = false;
run.addEventListener("click", () => (timer ? stop() : start()));
if (location.hash === "#run") start();

// By hand.

slider.addEventListener("input", () => {
  stop();
  go(Number(slider.value));
});
slider.form.addEventListener("submit", (event) => event.preventDefault());

// From where one is going to be, so that quick presses add up.
const tricks = Array.from(byId("marks").options, (mark) => Number(mark.value));
const WAYS = {
  first: () => 0,
  "trick-back": () => Math.max(0, ...tricks.filter((begin) => begin < wanted)),
  back: () => wanted - 1,
  on: () => wanted + 1,
  "trick-on": () => Math.min(last, ...tricks.filter((begin) => begin > wanted)),
  last: () => last,
};
function step(way) {
  stop();
  go(WAYS[way]());
}

for (const link of document.querySelectorAll("[data-step]")) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    step(link.id.replace("step-", ""));
  });
}

const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "trick-back",
  ArrowDown: "trick-on",
  Home: "first",
  End: "last",
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input[type=text], select, dialog *")) return;
  if (event.key.toLowerCase() === "r") run.click();
  else if (event.target.closest(".beside-replay")) return; // there the arrows scroll
  else if (KEYS[event.key]) step(KEYS[event.key]);
  else return;
  event.preventDefault();
});

// The chances: worked out once, and the present turn's marked.

function mark() {
  const turns = Array.from(document.querySelectorAll("#chances [data-moment]"));
  const made = turns.filter((turn) => Number(turn.dataset.moment) < wanted);
  for (const turn of turns) turn.classList.toggle("now", turn === (made[made.length - 1] ?? turns[0]));
}

// Parts that take a while: fetched once the page stands, and again while they are worked out.
async function fill(part, isAgain = false) {
  const headers = { "HX-Request": "true", ...(isAgain ? { "X-Asks-Again": "1" } : {}) };
  const answer = await fetch(part.dataset.from, { headers }).catch(() => null);
  if (!answer?.ok) return part.dataset.wait ? location.assign(part.dataset.from) : undefined;
  const html = await answer.text();
  if (html) {
    part.innerHTML = html;
    mark();
  } else {
    part.querySelector("progress").value = Number(answer.headers.get("X-Done"));
  }
  if (answer.status === 202) setTimeout(() => fill(part, true), 1000);
}

for (const part of document.querySelectorAll("[data-from]")) fill(part);
if (wanted < last) pageOf(wanted + 1).catch(() => {});

// "Deal it again": beside the form, without leaving the page.
document.addEventListener("submit", (event) => {
  if (event.submitter?.id !== "deal-again") return;
  event.preventDefault();
  const place = byId("again");
  const address = new URL(event.submitter.formAction);
  address.search = new URLSearchParams(new FormData(event.target));
  const bar = document.createElement("progress");
  bar.setAttribute("aria-label", place.dataset.wait);
  place.replaceChildren(bar);
  place.dataset.from = address;
  fill(place).catch(() => location.assign(address));
});

window.arrived?.(import.meta.url);
