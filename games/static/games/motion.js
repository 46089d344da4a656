// How things move on the page: in one way, from where something was to where it is.

export const EASE = "ease-out";
const GLIDE = "cubic-bezier(.45, 0, .35, 1)"; // off slowly, too: it is seen to go

export const box = (element) => element.getBoundingClientRect();

export const shift = (from, to) => `translate(${to.x + to.width / 2 - from.x - from.width / 2}px, ${to.y + to.height / 2 - from.y - from.height / 2}px)`;

export const run = (element, frames, duration, more = {}) => element.animate(frames, { duration, easing: EASE, fill: "backwards", ...more }).finished.catch(() => {});

const SHAKE = [0, -0.4, 0.4, -0.2, 0].map((x) => ({ translate: `${x}rem` }));

// What may not be played shakes its head.
export const shake = (element) => window.xactika.calm() || run(element, SHAKE, 250);

// A hand whose cards may not be played, or may again, comes to look so: returns what begins that once the next lies.
export function ease(hand, next) {
  const pairs = Array.from(hand.querySelectorAll(".held"), (was) => [was, next.querySelector(`[data-card="${was.querySelector(".card").dataset.card}"]`)?.parentElement])
    .filter(([was, is]) => is && was.matches(".illegal") !== is.matches(".illegal"))
    .map(([was, is]) => [is, getComputedStyle(was).transform, getComputedStyle(was.querySelector(".card")).filter]);
  return () => {
    for (const [held, transform, filter] of pairs) {
      run(held, [{ transform }, {}], EASED);
      run(held.querySelector(".card"), [{ filter }, {}], EASED);
    }
  };
}

const EASED = 150;
const SWEEP = 380;
const LOOKS = ["--row-ball", "--row-cube", "--row-cone", "--row-star", "--w"];
const FAN = 180; // between the first card of a sweep and the last

// Copies of cards, each with the box where it lay, go to a goal, on an arc, one after the other, and lie there until
// all have come; a trick turns over on its way.
export async function fan(table, cards, goal, { turns = false } = {}) {
  const copies = cards.map(([card]) => ghost(table, card, turns));
  await Promise.all(copies.map((copy, place) => goes(table, copy, [cards[place][1], goal], place, { turns, delay: (FAN * place) / cards.length })));
  for (const copy of copies) copy.remove();
}

function ghost(table, card, turns) {
  const copy = document.createElement("span");
  copy.setAttribute("aria-hidden", "true");
  copy.className = "ghost flying";
  const face = card.cloneNode(true);
  face.removeAttribute("role");
  face.removeAttribute("data-card");
  const look = getComputedStyle(card); // what it lay in made it so
  face.style.filter = look.filter;
  for (const each of LOOKS) copy.style.setProperty(each, look.getPropertyValue(each));
  copy.append(face);
  if (turns) lieFaceDown(copy, card.parentElement.querySelector(".card"));
  return copy;
}

// Its back, on the other side of what holds a card.
export function lieFaceDown(holder, card = holder.querySelector(".card")) {
  const back = card.cloneNode(true);
  back.setAttribute("class", "turned");
  back.removeAttribute("data-card");
  back.setAttribute("aria-hidden", "true");
  const use = back.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, "#back"));
  holder.append(back);
  return back;
}

function goes(table, copy, [from, to], place, { turns, delay }) {
  for (const side of ["left", "top", "width", "height"]) copy.style[side] = `${from[side]}px`;
  table.append(copy);
  const [x, y] = [to.x + to.width / 2 - from.x - from.width / 2, to.y + to.height / 2 - from.y - from.height / 2];
  const lean = 8 * (place - 1);
  // by the inner way, so that it never leaves the board
  const { x: left, y: top, width, height } = box(table.querySelector(".stage"));
  const [inX, inY] = [left + width / 2 - (from.x + to.x) / 2, top + height / 2 - (from.y + to.y) / 2];
  const bow = x * inY > y * inX ? 0.12 : -0.12;
  const at = (right, down, lies, turned, size) => `translate(${right}px, ${down}px) rotate(${lies}deg) perspective(60rem) rotateY(${turns ? turned : 0}deg) scale(${size})`;
  return run(copy, [
    { transform: at(0, 0, 0, 0, 1) },
    { transform: at(0.55 * x - bow * y, 0.55 * y + bow * x, lean, 90, 0.7), offset: 0.5 },
    { transform: at(x, y, 0, 180, Math.min(0.25, to.height / from.height)) },
  ], SWEEP, { delay, fill: "both", easing: GLIDE });
}

const [THROWN, FEW] = [30, 10];
const RAIN = 1200;
const GOLDEN = 0.618;

// Copies of solids, up and to all sides, then down and out of a stage's sight; each its own way; few and near above
// somebody.
export function throwSolids(stage, solids, above = null) {
  const { x: left, y: top, height } = box(stage);
  const { width } = box(stage.querySelector(".board") ?? stage); // whose rim they stay within
  const far = above ? 0.35 : 1;
  for (let k = 0; k < (above ? FEW : THROWN); k += 1) {
    const solid = solids[Math.floor(4 * mixed(k, 1))].cloneNode(true);
    solid.classList.add("thrown");
    if (above) Object.assign(solid.style, { left: `${box(above).x + box(above).width / 2 - left}px`, top: `${box(above).y - top}px` });
    stage.append(solid);
    const aside = (k * GOLDEN) % 1 - 0.5; // to all sides alike
    const [x, up] = [0.95 * aside * far * width, -far * height * (0.15 + 0.35 * mixed(k, 3))];
    const size = 0.6 + 0.5 * mixed(k, 4);
    const [time, timing] = [RAIN + 500 * mixed(k, 5), { delay: 120 * mixed(k, 6) }];
    run(solid, [{ opacity: 1 }, { opacity: 1, offset: 0.75 }, { opacity: 0 }], time, timing); // no edge cuts it
    run(solid, [
      { transform: "translate(-50%, -50%) scale(.4)", easing: "cubic-bezier(.1, .7, .5, 1)" },
      { transform: `translate(${x}px, ${up}px) rotate(${aside * 400}deg) scale(${size})`, offset: 0.35, easing: "ease-in" },
      { transform: `translate(${x}px, ${0.6 * far * height}px) rotate(${aside * 1300}deg) scale(${size})` },
    ], time, timing).then(() => solid.remove());
  }
}

// A number from 0 to 1 for each of the things thrown, the same each time.
const mixed = (k, kind) => (Math.sin(k * 127.1 + kind * 311.7) * 43758.5453) % 1 / 2 + 0.5;

window.arrived?.(import.meta.url);
