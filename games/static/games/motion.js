// How things move on the page: in one way, from where something was to where it is.

export const EASE = "ease-out";

export const box = (element) => element.getBoundingClientRect();

export const shift = (from, to) => `translate(${to.x + to.width / 2 - from.x - from.width / 2}px, ${to.y + to.height / 2 - from.y - from.height / 2}px)`;

export const run = (element, frames, duration, more = {}) => element.animate(frames, { duration, easing: EASE, fill: "backwards", ...more }).finished.catch(() => {});

const SWEEP = 320;
const FAN = 30; // between two cards of a sweep

// Copies of cards, each with the box where it lay, go to a goal, on an arc.
export const fan = (table, cards, goal) => Promise.all(cards.map(([card, from], place) => ghost(table, card, from, goal, place)));

function ghost(table, card, from, to, place) {
  const copy = card.cloneNode(true);
  copy.removeAttribute("role");
  copy.removeAttribute("data-card");
  copy.setAttribute("aria-hidden", "true");
  copy.classList.add("ghost");
  for (const side of ["left", "top", "width", "height"]) copy.style[side] = `${from[side]}px`;
  table.append(copy);
  const [x, y] = [to.x + to.width / 2 - from.x - from.width / 2, to.y + to.height / 2 - from.y - from.height / 2];
  const lean = 8 * (place - 1);
  return run(copy, [
    { transform: "none" },
    { transform: `translate(${0.55 * x - 0.12 * y}px, ${0.55 * y + 0.12 * x}px) rotate(${lean}deg) scale(.7)`, offset: 0.5 },
    { transform: `translate(${x}px, ${y}px) rotate(${lean / 2}deg) scale(.2)` },
  ], SWEEP, { delay: FAN * place, fill: "both" }).then(() => copy.remove());
}

window.arrived?.(import.meta.url);
