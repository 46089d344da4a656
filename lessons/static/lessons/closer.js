// "Look closer" at a chart: the same figure drawn large by Plotly, with each number under the pointer, a part to be chosen
// with the mouse (double click: all of it again) and series to be hidden by their names. Plotly is large, so it is fetched
// when it is first asked for, and never for what the page shows by itself (plot.js).

import { figureOf } from "./charts.js";

const { plotly, style, waits, fails, closes } = document.getElementById("plotly-files").dataset;
const CONFIG = { displayModeBar: false, responsive: true };
// Where Plotly would put a sheet of its own into the page, which our policy forbids, it finds these two. Both ids stand in
// its script (tests/lessons/test_charts.py).
const SHEETS = ["plotly.js-style-global", "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53"];

let fetched = null;

function fetchPlotly() {
  const sheets = SHEETS.map((id) => Object.assign(document.createElement("link"), { id, rel: "stylesheet", href: style }));
  const script = Object.assign(document.createElement("script"), { src: plotly });
  fetched ??= Promise.all([...sheets, script].map((part) => new Promise((done, failed) => {
    part.onload = done;
    part.onerror = failed;
    document.head.append(part);
  }))).then(() => window.Plotly.setPlotConfig({ logging: 0 })).catch((error) => {
    fetched = null;
    throw error;
  });
  return fetched;
}

// A token as the theme has it now; other texts as they are.
function inColour(part) {
  if (typeof part === "string") return part.startsWith("--") ? colour(part) : part;
  if (Array.isArray(part)) return part.map(inColour);
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inColour(value)]));
}

const probe = document.createElement("i");
probe.hidden = true;
document.body.append(probe);

function colour(token) {
  probe.style.color = `var(${token})`;
  return getComputedStyle(probe).color;
}

// What plot.js knows without being told.
function inFull({ data, layout }) {
  const axis = (own) => ({ ...own, automargin: true, zeroline: false, gridcolor: "--grid", linecolor: "--ink", tickcolor: "--ink", showline: !own.showgrid });
  const traces = data.map((trace) => ({
    ...trace,
    ...(trace.type === "pie" ? { sort: false, direction: "clockwise", texttemplate: "%{label}: %{percent:.1%}", hoverinfo: "label+value+percent" } : {}),
    ...(trace.type === "box" ? { line: trace.marker.line, fillcolor: trace.marker.color } : {}),
    ...(trace.error_y ? { error_y: { ...trace.error_y, type: "data" } } : {}),
  }));
  const across = ({ y0, y1 }) => ({ xref: "paper", x0: 0, x1: 1, y1: y1 ?? y0 });
  const upright = ({ x0, x1 }) => ({ yref: "paper", y0: 0, y1: 1, x1: x1 ?? x0 });
  const shapes = (layout.shapes ?? []).map((each) => ({
    ...each,
    ...(each.x0 === undefined ? across(each) : upright(each)),
    ...(each.fillcolor ? { type: "rect", layer: "below", line: { width: 0 } } : { type: "line" }),
  }));
  return inColour({
    data: traces,
    layout: {
      ...layout,
      font: { ...layout.font, size: 16, family: getComputedStyle(document.documentElement).fontFamily, color: "--ink" },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      margin: { l: 60, r: 20, t: 40, b: 50 },
      legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
      hoverlabel: { bgcolor: "--sheet", font: { color: "--ink" }, bordercolor: "--ink" },
      shapes,
      xaxis: axis(layout.xaxis),
      yaxis: axis(layout.yaxis),
    },
  });
}

async function lookCloser(chart) {
  const dialog = Object.assign(document.createElement("dialog"), { className: "closer" });
  const title = Object.assign(document.createElement("h2"), { textContent: chart.querySelector("h2").textContent });
  const close = Object.assign(document.createElement("button"), { textContent: closes });
  const place = Object.assign(document.createElement("div"), { className: "closer-plot", textContent: waits });
  const head = document.createElement("header");
  head.append(title, close);
  dialog.append(head, place);
  dialog.setAttribute("aria-label", title.textContent);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    window.Plotly?.purge(place);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  try {
    await fetchPlotly();
    if (!dialog.open) return;
    place.textContent = "";
    const { data, layout } = inFull(figureOf(chart.querySelector("[data-figure]")));
    await window.Plotly.newPlot(place, data, layout, CONFIG);
  } catch (error) {
    place.textContent = fails;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-closer]");
  if (button) lookCloser(button.closest(".chart"));
});

window.arrived?.(import.meta.url);
