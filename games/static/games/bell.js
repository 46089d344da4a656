// A stack of the whole deck shows its cards, and what share of the deck they are.

const DECK = 81;
const byId = (id) => document.getElementById(id);
const sheet = byId("sheet-stack");
const stacks = Array.from(document.querySelectorAll(".stacks > div"));
const sizeOf = (stack) => stack.querySelectorAll(".card").length;
const most = stacks.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));
const valueOf = (stack) => stack.querySelector("button").textContent;
let shown;

document.querySelector(".stacks").addEventListener("click", (event) => {
  const stack = event.target.closest(".stacks > div");
  if (!stack) return;
  if (sheet.open && stack !== shown) event.stopPropagation(); // it stays, and shows another
  const cards = Array.from(stack.querySelectorAll(".card"), (card) => card.cloneNode(true));
  const percent = (cards.length / DECK).toLocaleString(document.documentElement.lang, { style: "percent", maximumFractionDigits: 1 });
  byId("stack-title").textContent = byId("stack-title").dataset.title.replace("{n}", valueOf(stack));
  byId("stack-share").textContent = byId("stack-share").dataset.share
    .replace("{percent}", `${cards.length}/${DECK} = ${percent}`)
    .replace("{most}", `${valueOf(most)}, ${sizeOf(most)}/${DECK}`);
  most.classList.add("most");
  byId("stack").replaceChildren(...cards);
  shown?.classList.remove("shown");
  shown = stack;
  shown.classList.add("shown");
  if (sheet.open) byId("stack-title").focus({ preventScroll: true });
});
sheet.addEventListener("closed", () => shown.classList.remove("shown"));

window.arrived?.(import.meta.url);
