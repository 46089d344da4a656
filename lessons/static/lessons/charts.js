// Draws charts with Plotly: every [data-figure] on the page, now and when it is put there later,
// from the JSON that stands beside it. A string that begins with "--" in a figure is one of the
// page's colour tokens; figures are drawn again when the theme changes, and for paper.
//
// A script that has new numbers for a chart sends them:
//   plot.dispatchEvent(new CustomEvent("figure", { detail: figure, bubbles: true }))

window.Plotly.setPlotConfig({ logging: 0 });
const CONFIG = { displayModeBar: false, responsive: true, doubleClick: false };
const PAPER = { width: 620, height: 320 };
const figures = new Map();

const probe = document.createElement("i");
probe.hidden = true;
document.body.append(probe);

function colour(token, onWhite) {
  if (onWhite) probe.dataset.theme = "light";
  else delete probe.dataset.theme;
  probe.style.color = `var(${token})`;
  return getComputedStyle(probe).color;
}

// The figure with its tokens as the theme has them now.
function inColour(part, onWhite = false, known = new Map()) {
  if (typeof part === "string") {
    if (!part.startsWith("--")) return part;
    if (!known.has(part)) known.set(part, colour(part, onWhite));
    return known.get(part);
  }
  if (Array.isArray(part)) return part.map((each) => inColour(each, onWhite, known));
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inColour(value, onWhite, known)]));
}

function draw(plot, { onPaper = matchMedia("print").matches } = {}) {
  const { data, layout } = inColour(figures.get(plot));
  // Paper has one width, whatever the window had.
  const size = onPaper ? { ...PAPER, autosize: false } : { autosize: true };
  // Text as large as the page's: it grows on a projector, and with the browser's own setting.
  const larger = onPaper ? 1 : parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const font = { ...layout.font, size: layout.font.size * larger };
  window.Plotly.react(plot, data, { ...layout, font, ...size }, CONFIG);
}

// A picture to keep, on white, with its title: for a button with data-svg, a chart's key.
async function save(key) {
  const chart = document.getElementById(key);
  const { data, layout } = inColour(figures.get(chart.querySelector("[data-figure]")), true);
  const words = chart.querySelector("h2").textContent;
  const title = { text: words, x: 0.02, xanchor: "left", font: { size: 18 } };
  const margin = { ...layout.margin, t: layout.margin.t + 44 };
  const picture = { data, layout: { ...layout, title, margin, paper_bgcolor: "#fff", plot_bgcolor: "#fff" } };
  const address = await window.Plotly.toImage(picture, { format: "svg", width: 800, height: 500 });
  const file = new Blob([decodeURIComponent(address.slice(address.indexOf(",") + 1))], { type: "image/svg+xml" });
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: "graph.svg" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function redraw(options) {
  for (const plot of figures.keys()) draw(plot, options);
}

// A chart that was taken off the page, with Plotly's listeners.
function letGo() {
  for (const plot of figures.keys()) {
    if (plot.isConnected) continue;
    window.Plotly.purge(plot);
    figures.delete(plot);
  }
}

function find(root) {
  for (const plot of root.querySelectorAll("[data-figure]")) {
    if (figures.has(plot)) continue;
    const source = document.getElementById(plot.dataset.figure);
    if (!source) continue;
    figures.set(plot, JSON.parse(source.textContent));
    draw(plot);
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
for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)", "print", "(min-width: 100rem) and (min-height: 56.25rem)"]) {
  matchMedia(query).addEventListener("change", () => redraw());
}
new MutationObserver(() => redraw()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
addEventListener("beforeprint", () => redraw({ onPaper: true }));
addEventListener("afterprint", () => redraw({ onPaper: false }));

find(document);
new MutationObserver((changes) => {
  const added = changes.flatMap((change) => [...change.addedNodes]);
  for (const node of added) if (node.nodeType === 1 && node.isConnected && !node.closest(".js-plotly-plot")) find(node.parentElement ?? node);
  if (changes.some((change) => change.removedNodes.length > 0)) letGo();
}).observe(document.getElementById("main"), { childList: true, subtree: true });
