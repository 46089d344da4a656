// Draws charts: every [data-figure] on the page when it comes into view, from the JSON that stands
// beside it, and anew when its place or the size of the page's text changes; for paper all of them.
//
// A script that has new numbers for a chart sends them:
//   plot.dispatchEvent(new CustomEvent("figure", { detail: figure, bubbles: true }))

import { drawing } from "./plot.js";

const PAPER = { width: 620, height: 320 };
const SMALL_PAPER = { width: 230, height: 136 };
const figures = new Map();

export function figureOf(plot) {
  if (!figures.has(plot)) {
    const source = document.getElementById(plot.dataset.figure);
    if (!source) return null;
    figures.set(plot, JSON.parse(source.textContent));
  }
  return figures.get(plot);
}

function draw(plot, { onPaper = matchMedia("print").matches } = {}) {
  const figure = figureOf(plot);
  const [width, height] = [plot.clientWidth, plot.clientHeight];
  if (!figure || (!onPaper && Math.min(width, height) - 50 < 0)) return;
  // Text as large as the page's: it grows on a projector, and with the browser's own setting.
  const larger = onPaper ? 1 : parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const size = figure.layout.font.size * larger;
  // Paper has one width, whatever the window had.
  plot.innerHTML = drawing(figure, { ...(onPaper ? (figure.layout.small ? SMALL_PAPER : PAPER) : { width, height }), size });
  // The arrow keys walk the marks (marks.js); on a wall they turn the screens.
  if (!figure.layout.small && !plot.closest(".results-wall, .wall")) plot.tabIndex = 0;
  plot.dataset.drawn = onPaper ? "paper" : sizeOf(plot);
  plot.parentElement.querySelector("[data-closer]")?.removeAttribute("hidden");
}

const sizeOf = (plot) => `${plot.clientWidth} × ${plot.clientHeight}`;

const probe = document.createElement("i");
probe.hidden = true;
probe.dataset.theme = "light";
document.body.append(probe);

// A token's colour on white.
function onWhite(token) {
  probe.style.color = `var(${token})`;
  return getComputedStyle(probe).color;
}

// A picture to keep, on white, with its title: for a button with data-svg, a chart's key.
function save(key) {
  const chart = document.getElementById(key);
  const title = chart.querySelector("h2").textContent;
  const picture = drawing(figureOf(chart.querySelector("[data-figure]")), { width: 800, height: 500, size: 14, paint: onWhite, title });
  const file = new Blob([picture.replace(">", '><rect width="100%" height="100%" fill="#fff"/>')], { type: "image/svg+xml" });
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: "graph.svg" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const coming = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting && !target.dataset.drawn) draw(target);
  },
  { rootMargin: "25% 0px" },
);
const fitting = new ResizeObserver((entries) => {
  for (const { target } of entries) if (target.dataset.drawn && target.dataset.drawn !== sizeOf(target)) draw(target);
});

function redraw(options) {
  for (const plot of document.querySelectorAll("[data-figure]")) if (options?.onPaper || plot.dataset.drawn) draw(plot, options);
}

function find(root) {
  for (const plot of root.querySelectorAll("[data-figure]")) {
    coming.observe(plot);
    fitting.observe(plot);
  }
}

document.addEventListener("figure", (event) => {
  figures.set(event.target, event.detail);
  draw(event.target);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-svg]");
  if (button) save(button.dataset.svg);
});
matchMedia("print").addEventListener("change", ({ matches }) => redraw({ onPaper: matches }));
matchMedia("(min-width: 100rem) and (min-height: 56.25rem)").addEventListener("change", () => redraw());
addEventListener("beforeprint", () => redraw({ onPaper: true }));
addEventListener("afterprint", () => redraw({ onPaper: false }));

find(document);
new MutationObserver((changes) => {
  for (const node of changes.flatMap((change) => [...change.addedNodes])) {
    if (node.nodeType === 1 && node.isConnected && !node.closest("[data-figure] *")) find(node.parentElement ?? node);
  }
  for (const plot of figures.keys()) {
    if (plot.isConnected) continue;
    coming.unobserve(plot);
    fitting.unobserve(plot);
    figures.delete(plot);
  }
}).observe(document.getElementById("main"), { childList: true, subtree: true });

window.arrived?.(import.meta.url);
