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

function colour(token) {
  probe.style.color = `var(${token})`;
  return getComputedStyle(probe).color;
}

// The figure with its tokens as the theme has them now.
function inColour(part, known = new Map()) {
  if (typeof part === "string") {
    if (!part.startsWith("--")) return part;
    if (!known.has(part)) known.set(part, colour(part));
    return known.get(part);
  }
  if (Array.isArray(part)) return part.map((each) => inColour(each, known));
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inColour(value, known)]));
}

function draw(plot, { onPaper = matchMedia("print").matches } = {}) {
  const { data, layout } = inColour(figures.get(plot));
  // Paper has one width, whatever the window had.
  const size = onPaper ? { ...PAPER, autosize: false } : { autosize: true };
  window.Plotly.react(plot, data, { ...layout, ...size }, CONFIG);
}

function redraw(options) {
  for (const plot of figures.keys()) {
    if (plot.isConnected) draw(plot, options);
    else figures.delete(plot);
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
for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)", "print"]) {
  matchMedia(query).addEventListener("change", () => redraw());
}
addEventListener("beforeprint", () => redraw({ onPaper: true }));
addEventListener("afterprint", () => redraw({ onPaper: false }));

find(document);
new MutationObserver((changes) => {
  const added = changes.flatMap((change) => [...change.addedNodes]);
  for (const node of added) if (node.nodeType === 1 && node.isConnected && !node.closest(".js-plotly-plot")) find(node.parentElement ?? node);
}).observe(document.getElementById("main"), { childList: true, subtree: true });
