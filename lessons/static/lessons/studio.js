// The graph studio in the browser: a change draws at once, the address follows, and hands are
// watched while they are dealt. Without this script the page's own form and links do the same.

import { figureOf } from "./charts.js";

const said = document.getElementById("said");
let dealing = null;
let asking = null; // only the last answer counts

const studio = () => document.getElementById("studio");

function enliven() {
  studio().classList.add("live");
  for (const button of studio().querySelectorAll("[data-svg], .print")) button.hidden = false;
}

// The settings as they are chosen now: as an address, or, where there are numbers of one's own, to be sent.
function chosen() {
  const form = studio();
  const settings = new URLSearchParams(new FormData(form));
  if (form.method === "post") return [form.action, { method: "POST", body: settings }];
  return [`${form.action}?${settings}`];
}

async function show([address, how = {}], { isNew = true } = {}) {
  dealing?.abort();
  asking?.abort();
  const { signal } = (asking = new AbortController());
  studio().setAttribute("aria-busy", "true");
  const held = document.activeElement?.id;
  const opened = [...studio().querySelectorAll("details[open][id]")].map((each) => each.id);
  let page;
  try {
    const answer = await fetch(address, { ...how, signal });
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    if (signal.aborted) return;
    studio().removeAttribute("aria-busy");
    said.textContent = studio().dataset.lost;
    return;
  }
  const next = page.getElementById("studio");
  if (!next) return window.location.assign(address);
  studio().replaceWith(document.adoptNode(next));
  document.querySelectorAll(".presets a").forEach((preset, place) => {
    const isDrawn = page.querySelectorAll(".presets a")[place]?.hasAttribute("aria-current");
    if (isDrawn) preset.setAttribute("aria-current", "true");
    else preset.removeAttribute("aria-current");
  });
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  enliven();
  if (isNew) history.pushState(null, "", studio().dataset.address);
  if (held) document.getElementById(held)?.focus();
  sliders();
  tell();
}

function tell() {
  said.textContent = [...studio().querySelectorAll(".told, .chart > h2, .summary")].map((each) => each.textContent).join(" ");
}

// Hands as they are dealt: the server sends a picture after 1, 2, 5, 10, … of them.
async function deal(button) {
  dealing?.abort();
  const stop = new AbortController();
  dealing = stop;
  const panel = button.closest(".panel");
  const suffix = panel.dataset.suffix;
  const all = Number(button.value);
  const [hands, seed] = ["hands", "seed"].map((name) => panel.querySelector(`[name=${name}${suffix}]`));
  seed.value = crypto.getRandomValues(new Uint32Array(1))[0];
  hands.value = all;
  const settings = new URLSearchParams();
  for (const [name, value] of new FormData(studio())) {
    if (suffix ? name.endsWith(suffix) : !name.endsWith("2")) settings.set(suffix ? name.slice(0, -1) : name, value);
  }
  const running = panel.querySelector(".running");
  const [bar, words, plot] = [".running progress", ".so-far", ".plot"].map((each) => panel.querySelector(each));
  running.hidden = false;
  bar.value = 0;
  running.querySelector(".stop").focus();
  let dealt = 0;
  try {
    const answer = await fetch(`${studio().dataset.deals}?${settings}`, { signal: stop.signal });
    if (!answer.ok) throw new Error(answer.statusText);
    for await (const line of lines(answer.body)) {
      dealt = line.dealt;
      bar.value = dealt / all;
      words.textContent = studio().dataset.dealt.replace("{n}", dealt.toLocaleString(document.documentElement.lang)).replace("{all}", all.toLocaleString(document.documentElement.lang));
      plot?.dispatchEvent(new CustomEvent("figure", { detail: line.figure, bubbles: true }));
      panel.querySelector(".chart > h2").textContent = line.title;
      panel.querySelector(".summary").textContent = line.summary;
    }
  } catch (trouble) {
    if (trouble.name !== "AbortError") said.textContent = studio().dataset.lost;
  }
  // Somebody who has chosen something else meanwhile is there already.
  if (dealing !== stop) return;
  dealing = null;
  running.hidden = true;
  if (!dealt || !panel.isConnected) return;
  hands.value = dealt;
  await show(chosen());
  document.querySelector(`.panel[data-suffix="${suffix}"] [name=deal${suffix}][value="${all}"]`)?.focus();
}

// The edge of a shaded tail: it moves with the slider; what it comes to is asked for when it rests.
function slide(range) {
  const { tail, scale, colour, chart } = range.dataset;
  const plot = document.querySelector(`#${chart} [data-figure]`);
  const edge = Number(range.value) + (tail === "down" ? Number(range.step) - 1 : 0);
  const number = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 6 }).format(edge / scale);
  const told = range.closest(".sliding").querySelector("output");
  if (!plot) return (told.textContent = number);
  const figure = structuredClone(figureOf(plot));
  const [trace] = figure.data;
  // Dots are counted, bars weigh as much as they are high.
  const weights = trace.type === "bar" ? trace.y : trace.x.map(() => 1);
  const isIn = trace.x.map((x) => (tail === "up" ? x * scale > edge - 0.5 : x * scale < edge + 0.5));
  const sum = (some) => some.reduce((total, weight) => total + weight, 0);
  const share = sum(weights.filter((_, n) => isIn[n])) / sum(weights);
  trace.marker.color = isIn.map((inside) => (inside ? colour : "rgba(0,0,0,0)"));
  plot.dispatchEvent(new CustomEvent("figure", { detail: figure, bubbles: true }));
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent", maximumSignificantDigits: 3 });
  told.textContent = range.dataset[tail].replace("{n}", number).replace("{share}", percent.format(share));
  range.setAttribute("aria-valuetext", told.textContent);
}

function sliders() {
  for (const range of studio().querySelectorAll("[data-tail]")) slide(range);
}

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) yield JSON.parse(part);
  }
}

document.addEventListener("input", (event) => {
  if (event.target.matches("#studio [data-tail]")) slide(event.target);
});
document.addEventListener("change", (event) => {
  if (event.target.closest("#studio :is(select, input[type=range])")) show(chosen());
});
document.addEventListener("submit", (event) => {
  if (event.target !== studio()) return;
  event.preventDefault();
  if (event.submitter?.name.startsWith("deal")) deal(event.submitter);
  else show(chosen());
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-draws]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
    event.preventDefault();
    show([link.href]);
  } else if (event.target.closest(".stop")) {
    dealing?.abort();
  } else if (event.target.closest(".print")) {
    window.print();
  }
});
window.addEventListener("popstate", () => show([window.location.href], { isNew: false }));
enliven();
sliders();

document.querySelector(".presets [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });

window.arrived?.(import.meta.url);
