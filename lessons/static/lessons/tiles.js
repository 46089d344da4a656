// A tile grows: its whole figure comes out of its chapter to below the tile's row, and goes back there.
// Without this script the tile's link leads to the chapter.

import { choose } from "./chapters.js";

const keyOf = (part) => part.id.slice(part.id.indexOf("-") + 1);
const placeOf = (key) => document.getElementById(`grown-${key}`);
const linkOf = (key) => document.querySelector(`#tile-${key} .claim a`);
const homes = new Map();

export function ready() {
  for (const place of document.querySelectorAll(".grown")) {
    const link = linkOf(keyOf(place));
    link.setAttribute("aria-controls", place.id);
    link.setAttribute("aria-expanded", String(!place.hidden));
  }
}

export function grow(key) {
  const place = placeOf(key);
  const panel = place && document.getElementById(place.dataset.panel);
  if (!panel || !place.hidden) return;
  const home = document.createComment(panel.id);
  panel.before(home);
  homes.set(key, home);
  place.querySelector(".closes").after(panel);
  place.hidden = false;
  ready();
}

function shrink(key) {
  const [place, home] = [placeOf(key), homes.get(key)];
  homes.delete(key);
  if (!place || !home) return;
  home.replaceWith(document.getElementById(place.dataset.panel));
  place.hidden = true;
  ready();
}

// All go back to their chapters; which they were.
export function shrinkAll() {
  const keys = [...homes.keys()];
  keys.forEach(shrink);
  return keys;
}

function close(key) {
  shrink(key);
  linkOf(key).focus();
}

document.addEventListener("click", (event) => {
  if (event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const button = event.target.closest("[data-shrinks]");
  if (button) return close(keyOf(button));
  const tile = event.target.closest(".tile");
  const link = tile?.querySelector(".claim a");
  const lead = event.target.closest(".leads a");
  if (lead && lead.href !== link?.href) return;
  if (!link) {
    if (event.target.closest("a[href^='#']")) shrinkAll();
    return;
  }
  const place = placeOf(keyOf(tile));
  if (!place) {
    if (!event.target.closest("a")) link.click();
    return;
  }
  event.preventDefault();
  if (!place.hidden) return close(keyOf(tile));
  grow(keyOf(tile));
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
});
document.addEventListener("keydown", (event) => {
  const part = event.key === "Escape" && event.target.closest(".grown, .tile");
  if (part && homes.has(keyOf(part))) close(keyOf(part));
});
addEventListener("hashchange", () => {
  shrinkAll();
  choose();
});

// On paper each figure is in its chapter.
let printed = [];
addEventListener("beforeprint", () => (printed = shrinkAll()));
addEventListener("afterprint", () => printed.forEach(grow));

ready();

window.arrived?.(import.meta.url);
