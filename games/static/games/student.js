// A page in a class: a student's goes where the class goes, counts a turn's time down, and
// makes way when somebody else comes in on the same device.

import { box, run } from "./motion.js";

const page = document.querySelector("[data-student], [data-now]");
const me = page.dataset.student;

// Where this page belongs: once to each table, so that the back button works; and away from
// here as soon as the server says so.

const HOLD = 1500; // so long one may read with whom one plays; the button goes there at once
const WRITES = 10000; // so long three words may take that are not yet written down: the lobby shows them again
let going;

function follow(hold = 0) {
  const leave = document.querySelector("[data-leave]");
  if (leave) return window.location.replace(leave.dataset.leave);
  if (page.id !== "class") return;
  const goal = document.querySelector("[data-go]")?.dataset.go;
  const way = goal ? `${me} ${goal}` : "";
  const isNew = way !== sessionStorage.getItem("went");
  const phrase = document.getElementById("phrase");
  if (phrase && !document.querySelector("[data-moment=playing]")) return;
  if (!phrase) sessionStorage.setItem("went", way);
  if (!goal || !isNew || going === goal || location.pathname.startsWith(goal)) return; // chapters lie below their way in
  going = goal;
  setTimeout(() => {
    going = undefined;
    if (document.querySelector("[data-go]")?.dataset.go !== goal) return;
    sessionStorage.setItem("went", way);
    window.location.assign(goal);
  }, phrase ? WRITES : hold);
}

// A quiet clock, by the server's time as the page was loaded.

const ahead = Date.parse(page.dataset.now) - Date.now(); // that clock goes on while a device sleeps

function countDown() {
  for (const clock of page.querySelectorAll("[data-deadline]")) {
    const seconds = Math.max(0, Math.round((Date.parse(clock.dataset.deadline) - Date.now() - ahead) / 1000));
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (clock.textContent !== time) clock.textContent = time;
  }
}
setInterval(countDown, 1000);

// One student at a time on a device: other tabs look anew when somebody else has come in.

const tabs = new BroadcastChannel("student");
tabs.onmessage = (event) => {
  if (me && event.data !== me) window.location.reload();
};
if (me !== undefined) tabs.postMessage(me);

// What changes in the lobby is said once.

let heard = page.querySelector("#lobby .sentence")?.textContent;
let hadMates = page.querySelector(".mates");

page.addEventListener("htmx:wsAfterMessage", () => {
  const mates = page.querySelector(".mates");
  follow(mates && !hadMates ? HOLD : 0);
  hadMates = mates;
  countDown();
  const sentence = page.querySelector("#lobby .sentence")?.textContent;
  if (!sentence || sentence === heard) return;
  heard = sentence;
  const line = document.createElement("p");
  line.textContent = sentence;
  document.getElementById("live").append(line);
});

// While the lobby stands on the wall, a tap on one's own figure throws one of its solids there: one a
// second arrives, all leave.

const THROW_EVERY = 1000;
const LEAVES = 800;
const thrower = document.getElementById("throw");
let thrownAt = -Infinity;

thrower?.addEventListener("submit", (event) => {
  const figure = thrower.querySelector(".figurine");
  figure.classList.remove("hops");
  void figure.offsetWidth;
  figure.classList.add("hops");
  if (!window.xactika.calm()) throwUp(figure);
  if (performance.now() - thrownAt < THROW_EVERY) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  thrownAt = performance.now();
}, true);

let throws = 0;

function throwUp(figure) {
  const solid = figure.querySelector("svg").cloneNode(true);
  const use = solid.querySelector("use");
  const [sprite, solids] = use.getAttribute("href").split("#");
  use.setAttribute("href", `${sprite}#${solids.split("-on-")[throws++ % 2]}`);
  solid.classList.add("solid", "thrown");
  figure.after(solid);
  const [turn, up] = [240 * (Math.random() - 0.5), box(solid).bottom + 20];
  run(solid, [{ transform: "none" }, { transform: `translate(${turn / 3}px, ${-up}px) rotate(${turn}deg)` }], LEAVES).then(() => solid.remove());
}

// All of the trick that one practises on is in sight, on a small phone too.

page.addEventListener("change", (event) => {
  if (!event.target.closest(".practice-tricks")) return;
  const trick = Array.from(page.querySelectorAll(".practice-trick")).find((each) => each.offsetParent);
  trick?.scrollIntoView({ block: "nearest", behavior: window.xactika.calm() ? "auto" : "smooth" });
});

// What is put before the class is fetched by whoever waits for it.

const news = () => page.querySelector("[data-news]")?.dataset.news;
let knownNews = news();

page.addEventListener("htmx:wsAfterMessage", () => {
  if (news() === knownNews) return;
  knownNews = news();
  for (const place of page.querySelectorAll(".from-lessons")) window.htmx.trigger(place, "news");
});

// What a table's page needs comes while nothing else is to do: when the game starts, a whole class
// opens that page at once.

async function fetchAhead(addresses) {
  for (const address of addresses) await fetch(address).catch(() => {}); // one by one, to stay in nobody's way
}
fetchAhead((page.dataset.ahead ?? "").split(" ").filter(Boolean));

follow();
countDown();

window.arrived?.(import.meta.url);
