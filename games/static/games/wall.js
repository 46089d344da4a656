// What stands on a wall is as large as its screen admits, and never cut off: where there is too
// much for the usual size, --fit makes it smaller, down to what can still be read from the last
// row (--least, in the style sheet). A list with data-turns that has more than one screen even so
// is shown in parts, one after the other.

const wall = document.querySelector(".wall");
const SMALLEST = 0.3;
const TURN = 8000;
const page = document.documentElement;
let turns = 0;
let isTurning = false;
let size = 1;

const fits = () => page.scrollHeight <= innerHeight && page.scrollWidth <= innerWidth;

function set(to) {
  size = to;
  wall.style.setProperty("--fit", to);
}

// The largest of these at which all fits; it fits at the low end, or nowhere.
function largest(low, high, steps, apply) {
  for (let step = 0; step < steps; step += 1) {
    const middle = (low + high) / 2;
    apply(middle);
    if (fits()) low = middle;
    else high = middle;
  }
  apply(low);
}

function show(list, from, to) {
  Array.from(list.children).forEach((item, index) => {
    item.hidden = index < from || index >= to;
  });
}

function fit() {
  const before = size;
  const lists = Array.from(wall.querySelectorAll("[data-turns]"));
  for (const list of lists) {
    show(list, 0, Infinity);
    delete list.dataset.shown;
  }
  isTurning = false;
  set(1);
  if (!fits()) largest(SMALLEST, 1, 7, set);
  if (!fits()) for (const list of lists) showPart(list);
  // A chart fills the place that it has now.
  if (size !== before && wall.querySelector(".plot")) window.dispatchEvent(new Event("resize"));
}

function showPart(list) {
  const all = list.children.length;
  list.dataset.shown = `${all}–${all} / ${all}`; // takes its place while it is measured
  let part = 1;
  largest(1, all, Math.ceil(Math.log2(all)) + 1, (to) => {
    part = Math.floor(to);
    show(list, 0, part);
  });
  const from = (turns % Math.ceil(all / part)) * part;
  const to = Math.min(from + part, all);
  show(list, from, to);
  list.dataset.shown = `${from + 1}–${to} / ${all}`;
  isTurning = true;
}

setInterval(() => {
  if (!isTurning) return;
  turns += 1;
  fit();
}, TURN);

// Before it is painted, so that nothing is seen to jump; what a chart draws in its own place
// changes nothing.
new MutationObserver((changes) => {
  if (changes.some(({ target }) => !(target.parentElement ?? target).closest(".plot"))) fit();
}).observe(wall, { childList: true, characterData: true, subtree: true });
addEventListener("resize", (event) => {
  if (event.isTrusted) fit();
});
document.fonts.ready.then(fit);
fit();
