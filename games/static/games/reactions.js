// Reactions: four kind pictures that people at a table show each other. They come and go, and
// nothing waits for them.

import { run } from "./motion.js";

const { calm } = window.xactika;
const EVERY = 5000; // as the server has it, which drops what comes sooner
const STAYS = 2400;
const board = document.querySelector(".board");
const shown = document.getElementById("reactions");
const trick = () => document.getElementById("bar").textContent;
let spentAt = null;

// At its seat, and never off the board.
async function show(reaction) {
  const seat = document.getElementById(`seat-${reaction.dataset.seat}`)?.getBoundingClientRect();
  if (!seat) return reaction.remove();
  const room = shown.getBoundingClientRect();
  const half = reaction.offsetWidth / 2;
  const within = (at, most) => Math.min(Math.max(at, half), most - half);
  reaction.style.left = `${within(seat.right - room.x, room.width)}px`;
  reaction.style.top = `${within(seat.y - room.y - half / 2, room.height)}px`;
  const frames = calm() ? [{ opacity: 1 }, { opacity: 1 }] : [
    { transform: "scale(.3)", opacity: 0 },
    { transform: "scale(1.25)", opacity: 1, offset: 0.08 },
    { transform: "none", offset: 0.14 },
    { transform: "none", opacity: 1, offset: 0.9 },
    { transform: "translateY(-.6rem)", opacity: 0 },
  ];
  await run(reaction, frames, STAYS);
  reaction.remove();
}

new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const one of addedNodes) if (one.dataset) show(one);
}).observe(shown, { childList: true });

const offer = () => board.querySelector(".react details");

// Once a trick, and not again at once.
function rest() {
  if (spentAt !== null && performance.now() - spentAt.time > EVERY && spentAt.trick !== trick()) spentAt = null;
  offer()?.classList.toggle("spent", spentAt !== null);
}
setInterval(rest, 500);

board.addEventListener("submit", (event) => {
  if (!event.target.matches(".react form")) return;
  spentAt = { time: performance.now(), trick: trick() };
  offer().open = false;
  offer().querySelector("summary").focus({ preventScroll: true });
  rest();
});
document.addEventListener("click", ({ target }) => {
  if (offer()?.open && !target.closest(".react")) offer().open = false;
});
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape" && offer()?.open) offer().open = false;
});

window.arrived?.(import.meta.url);
