// Questions beside the table. They come by their own address, never by the table's socket: this
// only notices that a moment has come (a deal, a slough, a round's end, news from the teacher)
// and asks anew, unless somebody is in the middle of an answer. Nothing here waits for a turn,
// and no turn waits for this.

const byId = (id) => document.getElementById(id);
const table = byId("table");
const sheet = byId("sheet-question");
const opener = byId("open-question");
const own = byId("own-question");
const put = byId("class-question");

const beside = () => own.querySelector(".beside") ?? own; // until something was fetched

// The moments.

let moment = "";

function now() {
  const { turn } = byId("turn").dataset;
  const status = byId("bar").dataset.status;
  const sloughs = table.querySelectorAll(".board .slot.slough").length > 0 && status === "playing";
  const bids = byId("play")?.dataset.kind === "bid";
  const isNew = byId("bar").dataset.trick === "1" && !table.querySelector(".board .slot .card");
  return `${turn.split(".")[0]} ${status} ${bids} ${isNew} ${sloughs}`;
}

function look() {
  const next = now();
  const questions = beside().dataset.questions;
  const quiet = questions === "off" || (questions === "between" && !/round_over|game_over/.test(`${moment} ${next}`));
  if (next !== moment && !quiet) anew();
  moment = next;
}

const anew = () => own.dispatchEvent(new Event("anew", { bubbles: true }));

table.addEventListener("htmx:wsAfterMessage", look);
document.addEventListener("news", anew);

// The button: there as soon as there is something; marked while that has not been seen.

let told = "";
let seen = "";

function show() {
  const asks = put?.querySelector("[data-new]");
  const offer = asks ?? own.querySelector("[data-new]");
  const isOpen = sheet.open;
  const key = offer ? `${offer.dataset.new} ${asks ? asks.dataset.exercise : beside().dataset.moment}` : "";
  if (isOpen) seen = key;
  opener.hidden = put !== null && beside().dataset.questions === "off" && !sheet.querySelector(".question");
  opener.toggleAttribute("data-waiting", key !== seen);
  opener.classList.toggle("primary", Boolean(asks) && key !== seen);
  if (!key || key === told) return;
  told = key;
  const line = document.createElement("p");
  line.textContent = offer.dataset.new;
  byId("live").append(line);
}

for (const part of [own, put]) part?.addEventListener("htmx:afterSettle", show);

sheet.addEventListener("opened", () => {
  sheet.scrollTop = 0;
  byId("sheet-question-title").focus({ preventScroll: true });
  show();
});
sheet.addEventListener("closed", show);

// What the bars of a forecast come to, while they are raised.

sheet.addEventListener("input", (event) => {
  const form = event.target.closest("form.forecast");
  if (!form) return;
  const bars = Array.from(form.querySelectorAll("input[type=range]"));
  const total = bars.reduce((sum, bar) => sum + Number(bar.value), 0);
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
  for (const bar of bars) {
    const share = total ? percent.format(bar.value / total) : "";
    form.querySelector(`output[for=${bar.id}]`).textContent = share;
    bar.setAttribute("aria-valuetext", share || percent.format(0));
  }
});

moment = now();
show();

window.arrived?.(import.meta.url);
