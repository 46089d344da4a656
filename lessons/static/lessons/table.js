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

// What is half done stays: something typed or chosen, or the focus.

function isHeld(part) {
  if (part.contains(document.activeElement) && document.activeElement.matches("input")) return true;
  return Array.from(part.querySelectorAll("input"), (input) =>
    input.type === "radio" ? input.checked !== input.defaultChecked : input.type !== "hidden" && input.value !== input.defaultValue,
  ).some(Boolean);
}

// The moments.

let moment = "";
let news = byId("turn").dataset.news;

function now() {
  const { turn } = byId("turn").dataset;
  const status = byId("bar").dataset.status;
  const sloughs = table.querySelectorAll("#trick .slot.slough").length > 0 && status === "playing";
  const bids = byId("play")?.dataset.kind === "bid";
  return `${turn.split(".")[0]} ${status} ${bids} ${sloughs}`;
}

function look() {
  const next = now();
  const questions = own.querySelector(".beside")?.dataset.questions;
  const quiet = questions === "off" || (questions === "between" && !/round_over|game_over/.test(`${moment} ${next}`));
  if (next !== moment && !quiet && !isHeld(own)) htmx.trigger(own, "moment");
  moment = next;
  if (byId("turn").dataset.news === news) return;
  news = byId("turn").dataset.news;
  if (put) htmx.trigger(put, "news");
  if (!isHeld(own)) htmx.trigger(own, "moment");
}

table.addEventListener("htmx:wsBeforeMessage", look);

// The button: there as soon as there is something; marked while that has not been seen.

let told = "";

function show() {
  const offer = own.querySelector("[data-new]");
  const asks = put?.querySelector("[data-new]");
  const open = own.querySelector(".question, .forecast") !== null || put?.querySelector(".question");
  const questions = own.querySelector(".beside")?.dataset.questions;
  opener.hidden = put !== null && questions === "off" && !open && !asks;
  const text = asks?.dataset.new ?? offer?.dataset.new ?? "";
  const isOpen = sheet.matches(":popover-open");
  opener.toggleAttribute("data-waiting", text !== "" && !isOpen);
  opener.classList.toggle("primary", asks !== null && asks !== undefined && !isOpen);
  const key = text && `${text} ${own.querySelector(".beside")?.dataset.moment}`;
  if (!text || key === told) return;
  told = key;
  const line = document.createElement("p");
  line.textContent = text;
  byId("live").append(line);
}

for (const part of [own, put]) part?.addEventListener("htmx:afterSettle", show);

sheet.addEventListener("toggle", (event) => {
  if (event.newState === "open") byId("sheet-question-title").focus({ preventScroll: true });
  show();
});
sheet.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  sheet.hidePopover();
  opener.focus();
});

// What the bars of a forecast come to, while they are raised.

sheet.addEventListener("input", (event) => {
  const form = event.target.closest("form.forecast");
  if (!form) return;
  const bars = Array.from(form.querySelectorAll("input[type=range]"));
  const total = bars.reduce((sum, bar) => sum + Number(bar.value), 0);
  for (const bar of bars) {
    const share = total ? `${Math.round((100 * bar.value) / total)} %` : "";
    form.querySelector(`output[for=${bar.id}]`).textContent = share;
    bar.setAttribute("aria-valuetext", share || "0 %");
  }
});

moment = now();
for (const [part, name] of [[own, "moment"], [put, "news"]]) if (part) htmx.trigger(part, name);
