// A page of results that lives: asks now and then whether there is news, and puts it in place
// without disturbing what somebody reads or has opened. On the wall also: one slide on or back.

import { choose } from "./chapters.js";
import { grow, ready, shrinkAll } from "./tiles.js";

const EVERY = 6000;

function current() {
  return document.getElementById("results");
}

function opened(root) {
  return Array.from(root.querySelectorAll("section[id] > details[open]"), (details) => details.parentElement.id);
}

// What a section or a tile says, whether it has been drawn or not.
function saying(section) {
  return Array.from(section.querySelectorAll("h2, .number, .note, .summary, .caveat, .basis, script, tbody"), (part) => part.textContent).join("|");
}

function replace(html) {
  const old = current();
  const next = new DOMParser().parseFromString(html, "text/html").getElementById("results");
  if (!next) return;
  const open = opened(old);
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  const [focused, own] = [active?.closest("section[id]")?.id, active?.id];
  const scrolled = Array.from(old.querySelectorAll("section[id] .scroll"), (box) => [box.closest("section").id, box.scrollTop]);
  const grown = shrinkAll();
  // A chart whose figure is the same stays as it is drawn; the others are drawn by charts.js.
  for (const section of next.querySelectorAll("section[id], .tile")) {
    const before = document.getElementById(section.id);
    if (before && old.contains(before) && saying(before) === saying(section)) section.replaceWith(before);
  }
  old.replaceWith(next);
  ready();
  grown.forEach(grow);
  choose();
  const told = document.getElementById("told");
  if (told) told.textContent = next.querySelector(".state")?.textContent ?? "";
  for (const id of open) document.getElementById(id)?.querySelector("details")?.setAttribute("open", "");
  for (const [id, top] of scrolled) {
    const box = document.getElementById(id)?.querySelector(".scroll");
    if (box) box.scrollTop = top;
  }
  if (active && !next.contains(document.activeElement)) {
    const same = (own && document.getElementById(own)) || document.getElementById(focused)?.querySelector("summary, [tabindex]");
    same?.focus({ preventScroll: true });
  }
}

async function look() {
  if (document.hidden || !current()) return;
  const address = new URL(location.href);
  address.searchParams.set("since", current().dataset.version);
  try {
    const answer = await fetch(address);
    if (answer.status === 200) replace(await answer.text());
  } catch {
    // The network is away: what stands here stays, and the next look may find it back.
  }
}

if (current()) setInterval(look, EVERY);

// The slide that fills the screen, of all of them.
function showing() {
  const slides = Array.from(document.querySelectorAll(".slide"));
  const isEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  const now = slides.findIndex((each) => each.getBoundingClientRect().bottom > innerHeight / 2);
  return [isEnd || now < 0 ? slides.length - 1 : now, slides];
}

function slide(step) {
  const [now, slides] = showing();
  slides[Math.max(0, Math.min(slides.length - 1, now + step))]?.scrollIntoView();
}

// Which slide of how many; no button leads past the first or the last.
function place() {
  const [now, slides] = showing();
  const told = document.getElementById("slide-place");
  const says = `${now + 1} / ${slides.length}`;
  if (told.value !== says) told.value = says;
  told.parentElement.hidden = false;
  for (const button of document.querySelectorAll("[data-slide]")) {
    button.disabled = !slides[now + Number(button.dataset.slide)];
  }
}

for (const button of document.querySelectorAll("[data-slide]")) {
  button.addEventListener("click", () => slide(Number(button.dataset.slide)));
}
if (document.querySelector(".slide")) {
  place();
  addEventListener("scroll", place, { passive: true });
  addEventListener("resize", place);
  new MutationObserver(place).observe(document.querySelector(".results-wall"), { childList: true });
  addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (!step || event.target.closest?.(".scroll, input, select, textarea")) return;
    event.preventDefault();
    slide(step);
  });
}

window.arrived?.(import.meta.url);
