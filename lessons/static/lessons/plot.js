// A figure of lessons/charts.py as SVG, in a few milliseconds also on a slow device: bars standing and
// lying, lines, dots, pies, their axes, legend and numbers. Figures are in Plotly's words; of these it
// knows the ones that charts.py uses. Colours are the page's tokens, so a theme needs no new drawing.

const ruler = document.createElement("canvas").getContext("2d");
const FACE = getComputedStyle(document.documentElement).fontFamily;
const DASHES = { dash: "9 6", dot: "1.5 5.5" };
const GAP = 8;

// Digits stand in columns, each as wide as the next: as wide as a 2 is otherwise.
function wide(text, size) {
  ruler.font = `${size}px ${FACE}`;
  return ruler.measureText(String(text).replace(/\d/g, "2")).width;
}

const safe = (text) => String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
const at = (number) => Math.round(number * 100) / 100;
const each = (list, index) => (Array.isArray(list) ? list[index] : list);

// Numbers

function digits(step) {
  for (let n = 0; n < 6; n++) if (Math.abs(step * 10 ** n - Math.round(step * 10 ** n)) < 1e-6) return n;
  return 6;
}

// How an axis writes its numbers, `step` apart.
function writer(axis, separators, step) {
  const [decimal, thousands] = separators;
  const isPercent = axis.tickformat?.endsWith("%");
  const places = digits(isPercent ? step * 100 : step);
  const percent = !isPercent ? "" : decimal === "," ? "\u00a0%" : "%";
  return (value) => {
    const [whole, part] = Math.abs(isPercent ? value * 100 : value).toFixed(places).split(".");
    const sign = value < 0 && Number(`${whole}.${part ?? 0}`) > 0 ? "−" : "";
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
    return `${sign}${grouped}${part ? decimal + part : ""}${percent}`;
  };
}

// The step of an axis that has room for so many numbers; whole multiples of `least`, if it is given.
function stepFor(span, room, least) {
  const rough = span / Math.max(1, room);
  if (least) return least * ([1, 2, 4, 5, 10, 20, 25, 50, 100].find((n) => n * least >= rough * 0.999) ?? Math.ceil(rough / least));
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((n) => n * power >= rough * 0.999);
}

function between(low, high, step) {
  const found = [];
  for (let n = Math.ceil(low / step - 1e-6); n * step <= high + step * 1e-6; n++) found.push(Number((n * step).toFixed(9)));
  return found;
}

// Words

// A text in lines no wider than `room`, where its spaces allow it.
function lines(text, size, room) {
  const found = [];
  for (const part of String(text).split("<br>")) {
    let line = "";
    for (const word of part.split(" ")) {
      const longer = line ? `${line} ${word}` : word;
      if (line && wide(longer, size) > room) {
        found.push(line);
        line = word;
      } else line = longer;
    }
    found.push(line);
  }
  return found;
}

function words(kind, text, x, y, { size, anchor = "middle", colour = "--ink", weight = "" }, paint) {
  const rows = Array.isArray(text) ? text : [text];
  const inside = rows.map((row, n) => (rows.length > 1 ? `<tspan x="${at(x)}" dy="${n ? at(size * 1.2) : 0}">${safe(row)}</tspan>` : safe(row)));
  return `<text class="${kind}" x="${at(x)}" y="${at(y)}" font-size="${at(size)}" text-anchor="${anchor}"${weight ? ` font-weight="${weight}"` : ""} fill="${paint(colour)}">${inside.join("")}</text>`;
}

// The names of the traces above the graph: their marks and texts, and how high they stand.
function legend(traces, size, room, paint) {
  const rows = [[]];
  let used = 0;
  for (const trace of traces) {
    const text = lines(trace.name, size, room - 2.1 * size);
    const needs = 2.1 * size + Math.max(...text.map((line) => wide(line, size))) + size;
    if (used && used + needs - size > room) {
      rows.push([]);
      used = 0;
    }
    rows[rows.length - 1].push([trace, text, used]);
    used += needs;
  }
  let [y, html] = [0, ""];
  for (const row of rows) {
    for (const [trace, text, x] of row) {
      html += sample(trace, x, y + size * 0.75, size / 14, paint) + words("legendtext", text, x + 2 * size, y + size * 1.1, { size, anchor: "start" }, paint);
    }
    y += size * 1.2 * Math.max(1, ...row.map(([, text]) => text.length)) + size * 0.25;
  }
  return [html, y];
}

// A trace's mark before its name; `k` is how much larger than usual the text is.
function sample(trace, x, y, k, paint) {
  if (trace.fillcolor) return `<rect x="${at(x)}" y="${at(y - 6 * k)}" width="${at(22 * k)}" height="${at(12 * k)}" fill="${paint(trace.fillcolor)}" fill-opacity="${trace.opacity}"/>`;
  if (trace.type === "bar") {
    const { color, line } = trace.marker;
    return `<rect x="${at(x + 3 * k)}" y="${at(y - 6 * k)}" width="${at(16 * k)}" height="${at(12 * k)}" fill="${paint(each(color, 0))}" stroke="${paint(line.color)}" stroke-width="${each(line.width, 0)}"/>`;
  }
  const { mode = "lines" } = trace;
  const drawn = mode.includes("lines") ? `<path d="M${at(x)} ${at(y)}h${at(22 * k)}" ${stroke(trace.line, paint)}/>` : "";
  return mode.includes("markers") ? drawn + mark(trace.marker, 0, x + 11 * k, y, paint, 15 * k) : drawn;
}

// Marks

function stroke({ color, width, dash }, paint) {
  const dashes = DASHES[dash] ? ` stroke-dasharray="${DASHES[dash]}" stroke-linecap="${dash === "dot" ? "round" : "butt"}"` : "";
  return `fill="none" stroke="${paint(color)}" stroke-width="${width}" stroke-linejoin="round"${dashes}`;
}

function mark({ symbol: symbols = "circle", size, color, line }, index, x, y, paint, most = Infinity) {
  const symbol = each(symbols, index);
  const r = Math.min(each(size, index) ?? size, most) / 2;
  const isOpen = symbol.endsWith("-open");
  const look = `fill="${isOpen ? paint("--sheet") : paint(each(color, index))}" stroke="${isOpen ? paint(each(color, index)) : paint(line?.color ?? "--ink")}" stroke-width="${isOpen ? 2 : (line?.width ?? 1)}"`;
  if (symbol === "line-ew") return `<path d="M${at(x - r)} ${at(y)}h${at(2 * r)}" stroke="${paint(each(color, index))}" stroke-width="2.5"/>`;
  if (symbol.startsWith("square")) return `<rect x="${at(x - r)}" y="${at(y - r)}" width="${at(2 * r)}" height="${at(2 * r)}" ${look}/>`;
  if (symbol.startsWith("diamond")) return `<path d="M${at(x)} ${at(y - r * 1.25)}L${at(x + r * 1.25)} ${at(y)}L${at(x)} ${at(y + r * 1.25)}L${at(x - r * 1.25)} ${at(y)}Z" ${look}/>`;
  return `<circle cx="${at(x)}" cy="${at(y)}" r="${at(r)}" ${look}/>`;
}

const point = (drawn, told) => `<g class="point">${drawn}<title>${safe(told)}</title></g>`;

// Pies

function pie(trace, width, height, size, separators, paint) {
  const sum = trace.values.reduce((a, b) => a + b, 0);
  const percent = writer({ tickformat: "%" }, separators, 0.001);
  const colon = separators?.startsWith(",") ? "\u00a0: " : ": "; // as in French
  let texts = trace.labels.map((label, n) => [`${label}${colon}${percent(trace.values[n] / sum)}`]);
  const widest = () => Math.max(...texts.flat().map((line) => wide(line, size)));
  const most = width * 0.3;
  if (widest() > most) texts = trace.labels.map((label, n) => [...lines(label, size, width * 0.26), percent(trace.values[n] / sum)]);
  const [cx, cy] = [width / 2, height / 2];
  const r = Math.max(Math.min(width, height) * 0.24, Math.min(height / 2 - size * 1.8, width / 2 - widest() - 26));
  let [angle, html] = [0, ""];
  const sides = { left: [], right: [] };
  trace.values.forEach((value, n) => {
    const end = angle + (value / sum) * 2 * Math.PI;
    const place = (a, away = r) => [cx + away * Math.sin(a), cy - away * Math.cos(a)];
    const [begin, stop] = [place(angle), place(Math.min(end, angle + 2 * Math.PI - 1e-4))];
    const large = end - angle > Math.PI ? 1 : 0;
    const d = `M${at(cx)} ${at(cy)}L${begin.map(at).join(" ")}A${at(r)} ${at(r)} 0 ${large} 1 ${stop.map(at).join(" ")}Z`;
    const shape = `<path class="slice" d="${d}" fill="${paint(trace.marker.colors[n])}" stroke="${paint(trace.marker.line.color)}" stroke-width="${trace.marker.line.width}" stroke-linejoin="round"/>`;
    html += point(shape, `${texts[n].join(" ")} (${value})`);
    const middle = (angle + end) / 2;
    sides[Math.sin(middle) < 0 ? "left" : "right"].push({ n, edge: place(middle), y: place(middle, r + 16)[1], high: texts[n].length * size * 1.2 });
    angle = end;
  });
  for (const [side, labels] of Object.entries(sides)) {
    labels.sort((a, b) => a.y - b.y);
    // Beside each other from the top on, then, where the last would fall off, back up.
    let edge = 2;
    for (const label of labels) edge = (label.y = Math.max(label.y, edge + label.high / 2)) + label.high / 2 + 2;
    edge = height - 2;
    for (const label of labels.reverse()) edge = (label.y = Math.min(label.y, edge - label.high / 2)) - label.high / 2 - 2;
    for (const { n, edge: [ex, ey], y, high } of labels) {
      const out = Math.sqrt(Math.max(0, (r + 16) ** 2 - (y - cy) ** 2));
      const sign = side === "left" ? -1 : 1;
      const x = cx + sign * Math.max(out, Math.abs(ex - cx) + 6);
      html += `<path d="M${at(ex)} ${at(ey)}L${at(x)} ${at(y)}" ${stroke({ color: "--soft", width: 1 }, paint)}/>`;
      html += words("slicetext", texts[n], x + sign * 4, y - high / 2 + size, { size, anchor: side === "left" ? "end" : "start" }, paint);
    }
  }
  return html;
}

// Bars that lie: each with its name at the left and its number at the end

function lying(traces, { xaxis, separators, small: isSmall }, width, height, size, paint) {
  const [first] = traces;
  // Names on one line where there is room beside them, and no higher than their bars are apart.
  const whole = first.y.map((name) => [String(name).replace("<br>", " ")]);
  const longest = (names) => Math.max(...names.flat().map((line) => wide(line, size)));
  const beside = width * 0.35;
  const isOver = isSmall && longest(whole) > beside;
  const texts = first.x.map((_, n) => String(each(first.text, n) ?? "").split("<br>"));
  const right = Math.max(longest(texts), 0) + 2 * GAP;
  const room = Math.max(width * 0.2, Math.min(width * 0.5, width * 0.75 - right));
  const names = isOver || longest(whole) < beside ? whole : first.y.map((name) => (name.includes("<br>") ? name.split("<br>") : lines(name, size, room)));
  const left = isOver ? 1 : longest(names) + 2 * GAP;
  const below = isSmall ? 2 : size * 2.9;
  const most = Math.max(...traces.flatMap((trace) => trace.x)) || 1;
  const [low, high] = [0, (isSmall ? xaxis.range?.[1] : xaxis.tickvals?.[xaxis.tickvals.length - 1]) ?? most];
  const [named, above] = !isSmall && traces.length > 1 ? legend(traces, size, width, paint) : ["", 0];
  const X = (value) => left + ((value - low) / (high - low)) * (width - left - right);
  const band = (height - below - above) / names.length;
  const write = writer(xaxis, separators, 0.01);
  const small = Math.max(size * 0.6, Math.min(size, band / (isOver ? 2.15 : 1.25 * Math.max(...names.map((lines) => lines.length)))));
  let html = named;
  for (const tick of xaxis.tickvals ?? []) {
    html += `<path class="grid" d="M${at(X(tick))} ${at(above)}V${at(height - below)}" stroke="${paint("--grid")}"/>`;
    html += words("xtick", write(tick), X(tick), height - below + size * 1.25, { size }, paint);
  }
  if (xaxis.title.text) html += words("xtitle", xaxis.title.text, X((low + high) / 2), height - size * 0.35, { size }, paint);
  first.y.forEach((_, n) => {
    const top = height - below - (n + 1) * band;
    const thick = isOver ? Math.min(band - small * 1.2 - 4, size * 1.4) : Math.min(band * 0.72, size * 2.6);
    const y = isOver ? top + small * 1.2 + 1 + thick / 2 : top + band / 2;
    for (const { x, marker } of traces) {
      const bar = `<rect x="${at(left)}" y="${at(y - thick / 2)}" width="${at(Math.max(0, X(x[n]) - left))}" height="${at(thick)}" fill="${paint(each(marker.color, n))}" stroke="${paint("--ink")}" stroke-width="${each(marker.line.width, n)}"/>`;
      html += point(bar, `${names[n].join(" ")}: ${x === first.x ? texts[n].join(" ") : x[n]}`);
    }
    const end = X(Math.max(...traces.map(({ x }) => x[n])));
    html += words("label", texts[n], end + GAP * 0.75, y + small * 0.35 - (texts[n].length - 1) * small * 0.6, { size: small, anchor: "start" }, paint);
    if (isOver) {
      // A long name is written a little smaller, and then narrower.
      const fits = Math.min(1, (width - 4) / wide(names[n][0], small));
      const name = words("ytick", names[n], 0, top + small * 0.95, { size: small * Math.max(0.85, fits), anchor: "start" }, paint);
      html += fits < 0.85 ? name.replace("<text", `<text textLength="${at(width - 4)}" lengthAdjust="spacingAndGlyphs"`) : name;
    } else html += words("ytick", names[n], left - GAP, y + small * 0.35 - (names[n].length - 1) * small * 0.6, { size: small, anchor: "end" }, paint);
  });
  return isOver ? html : `${html}<path class="crisp" d="M${at(left)} ${at(above)}V${at(height - below)}" stroke="${paint("--ink")}"/>`;
}

// Box plots: each with its name at the left, or alone

function boxes(trace, { xaxis, separators }, width, height, size, paint) {
  const names = trace.y.map((name) => lines(name, size, width * 0.3));
  const left = Math.max(...names.flat().map((line) => wide(line, size)), 0) + 2 * GAP;
  const [least, most] = [Math.min(...trace.lowerfence), Math.max(...trace.upperfence)];
  const spare = (most - least || 1) * 0.05;
  const [low, high] = [least - spare, most + spare];
  const edge = width - 2 * GAP;
  const floor = height - size * 2.9;
  const X = (value) => left + ((value - low) / (high - low)) * (edge - left);
  const longest = (step) => Math.max(...between(low, high, step).map((tick) => wide(writer(xaxis, separators, step)(tick), size)));
  let step = stepFor(high - low, (edge - left) / (size * 3), xaxis.dtick);
  step = stepFor(high - low, (edge - left) / (longest(step) + size * 1.6), xaxis.dtick);
  const write = writer(xaxis, separators, step);
  let html = "";
  for (const tick of between(low, high, step)) {
    html += `<path class="grid" d="M${at(X(tick))} 0V${at(floor)}" stroke="${paint("--grid")}"/>`;
    html += words("xtick", write(tick), X(tick), floor + size * 1.25, { size }, paint);
  }
  html += `<path class="crisp" d="M${at(left)} ${at(floor)}H${at(edge)}" stroke="${paint("--ink")}"/>`;
  html += words("xtitle", xaxis.title.text, (left + edge) / 2, height - size * 0.3, { size, colour: "--soft" }, paint);
  const band = floor / trace.y.length;
  const thick = Math.min(band * 0.6, size * 6);
  const small = Math.max(size * 0.6, Math.min(size, band / 1.25));
  const { color, line } = trace.marker;
  const told = (n) => [trace.lowerfence, trace.q1, trace.median, trace.q3, trace.upperfence].map((side) => writer(xaxis, separators, 10 ** -digits(side[n]))(side[n])).join(" · ");
  trace.y.forEach((name, n) => {
    const y = floor - (n + 0.5) * band;
    const [a, q1, middle, q3, b] = [trace.lowerfence, trace.q1, trace.median, trace.q3, trace.upperfence].map((side) => X(side[n]));
    const ends = `M${at(a)} ${at(y - thick / 4)}v${at(thick / 2)}M${at(a)} ${at(y)}H${at(q1)}M${at(q3)} ${at(y)}H${at(b)}M${at(b)} ${at(y - thick / 4)}v${at(thick / 2)}`;
    const box = `<path d="${ends}" ${stroke({ color: line.color, width: line.width }, paint)}/><rect x="${at(q1)}" y="${at(y - thick / 2)}" width="${at(Math.max(1, q3 - q1))}" height="${at(thick)}" fill="${paint(color)}" stroke="${paint(line.color)}" stroke-width="${line.width}"/>`;
    // The middle line is seen on any fill.
    const median = `<path d="M${at(middle)} ${at(y - thick / 2)}v${at(thick)}" stroke="${paint("--sheet")}" stroke-width="7"/><path d="M${at(middle)} ${at(y - thick / 2)}v${at(thick)}" stroke="${paint(line.color)}" stroke-width="3"/>`;
    html += point(box + median, `${name ? `${name}: ` : ""}${told(n)}`);
    html += words("ytick", names[n], left - GAP, y + small * 0.35 - (names[n].length - 1) * small * 0.6, { size: small, anchor: "end" }, paint);
  });
  return html;
}

// Names at their marks, in a small chart

const meets = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// The middle of a text of this width and height beside one of these spots ([x, y, half its width, half its
// height]), where it touches nothing; undefined if it always would.
function freeBeside(spots, [w, h], [left, top, right, bottom], taken) {
  for (const [x, y, rx, ry] of spots) {
    const [across, up] = [rx + 5 + w / 2, ry + 1 + h / 2];
    const sides = [[across, 0], [-across, 0], [0, -up], [0, up], [-w / 2, -up], [w / 2, -up], [w / 2, up], [-w / 2, up]];
    for (const [dx, dy] of sides) {
      const box = [x + dx - w / 2, y + dy - h / 2, x + dx + w / 2, y + dy + h / 2];
      const isWithin = box[0] >= left && box[1] >= top && box[2] <= right && box[3] <= bottom;
      if (isWithin && !taken.some((other) => meets(box, other))) return box;
    }
  }
}

// Spots along a line through these places, from its end back.
function spotsAlong(places) {
  const found = [];
  for (let n = places.length - 1; n > 0; n--) {
    const [[ax, ay], [bx, by]] = [places[n], places[n - 1]];
    const steps = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / 5));
    for (let k = 0; k < steps; k++) found.push([ax + ((bx - ax) * k) / steps, ay + ((by - ay) * k) / steps, 1, 2]);
  }
  return [...found, [...places[0], 1, 2]];
}

const boxOf = ([x, y, rx, ry]) => [x - rx, y - ry, x + rx, y + ry];

// Everything else stands on two axes. The names of `listed` marks stand above a small chart, all others
// at their marks.

function upright(figure, width, height, size, paint, listed = []) {
  const { data, layout } = figure;
  const { xaxis, yaxis, separators, small: isSmall } = layout;
  const bars = data.filter((trace) => trace.type === "bar");
  const others = data.filter((trace) => trace.type !== "bar");
  const isNamed = xaxis.type === "category" || data.some((trace) => trace.x.some((value) => typeof value === "string"));
  const names = isNamed ? [...new Set(data.flatMap((trace) => trace.x.map(String)))] : [];
  const places = new Map(names.map((name, n) => [name, n]));
  const position = (value) => (isNamed ? places.get(String(value)) : Number(value));

  // How far the axes reach.
  const xs = data.flatMap((trace) => trace.x.map(position));
  for (const shape of layout.shapes ?? []) xs.push(...[shape.x0, shape.x1].filter((end) => end !== undefined));
  const sorted = [...new Set(bars.flatMap((trace) => trace.x.map(position)))].sort((a, b) => a - b);
  const apart = sorted.length > 1 ? Math.min(...sorted.slice(1).map((value, n) => value - sorted[n])) : 1;
  let [left, right] = isNamed ? [-0.5, names.length - 0.5] : [Math.min(...xs), Math.max(...xs)];
  if (!isNamed && bars.length) [left, right] = [Math.min(left, sorted[0] - apart / 2), Math.max(right, sorted[sorted.length - 1] + apart / 2)];
  else if (!isNamed && data.some((trace) => trace.mode?.includes("markers"))) [left, right] = [left - (right - left) * 0.04, right + (right - left) * 0.04];
  if (xaxis.range) [left, right] = xaxis.range;
  if (left === right) [left, right] = [left - 1, right + 1];

  const ys = data.flatMap((trace) => trace.y.flatMap((value, n) => [value - (trace.error_y?.array[n] ?? 0), value + (trace.error_y?.array[n] ?? 0)]));
  for (const shape of layout.shapes ?? []) ys.push(...[shape.y0, shape.y1].filter((end) => end !== undefined));
  let [low, high] = [Math.min(...ys), Math.max(...ys)];
  if (yaxis.rangemode === "tozero") [low, high] = [Math.min(0, low), Math.max(0, high)];
  if (low === high) high = low + 1;
  const span = high - low;
  const isAbove = data.some((trace) => trace.text) || layout.annotations?.length;
  if (high > 0 || yaxis.rangemode !== "tozero") high += span * (isAbove ? 0.13 : 0.06);
  if (low < 0 || yaxis.rangemode !== "tozero") low -= span * (isAbove ? 0.13 : 0.06);
  if (yaxis.range) [low, high] = yaxis.range;

  // What stands around the graph.
  // In a small chart marks and their names stand behind the name of the axis, on its line.
  const ytitle = yaxis.title.text ? lines(yaxis.title.text, size, width) : [];
  const indent = isSmall && ytitle.length ? wide(ytitle[0], size) + size : 0;
  const known = layout.showlegend ? [...data, ...(layout.shapes ?? [])].filter((each) => each.name && each.showlegend !== false) : [];
  const keyed = isSmall ? listed : known;
  const [key, deep] = keyed.length ? legend(keyed, size, width - indent, paint) : ["", 0];
  const named = indent ? `<g transform="translate(${at(indent)} 0)">${key}</g>` : key;
  const above = isSmall ? 0 : deep;
  const top = Math.max(isSmall ? deep : 0, above + ytitle.length * size * 1.25) + size * (isSmall && !yaxis.tickvals.length ? 0.2 : 0.7);
  const yroom = (height - top - size * 3) / (size * 2.6);
  const ystep = yaxis.tickvals?.length > 1 ? yaxis.tickvals[1] - yaxis.tickvals[0] : yaxis.tickvals?.[0] === 0 ? 1 : stepFor(high - low, yroom, yaxis.dtick);
  const yticks = yaxis.tickvals ?? between(low, high, ystep);
  const writeY = writer(yaxis, separators, ystep);
  const margin = Math.max(...yticks.map((tick) => wide(writeY(tick), size)), 0) + (isSmall && !yticks.length ? 2 : GAP + 2);

  let [xticks, texts] = [[], []];
  const frame = width - margin - GAP * 1.5;
  if (isNamed) {
    const room = frame / names.length - size * 0.4;
    const broken = names.map((name) => (/[^\W\d]{2}/.test(name) ? lines(name, size, room) : [name]));
    const widest = Math.max(...broken.flat().map((line) => wide(line, size)));
    const every = Math.max(1, Math.ceil((widest + size * 0.3) / (room + size * 0.4)));
    xticks = names.map((_, n) => n).filter((n) => (xaxis.showticklabels === false ? false : isSmall && names.length > 3 ? n === 0 || n === names.length - 1 : n % every === 0));
    texts = xticks.map((n) => (isSmall ? [names[n]] : broken[n]));
  } else if (xaxis.tickvals) {
    xticks = xaxis.tickvals;
    texts = xticks.map((tick) => [writer(xaxis, separators, xticks[1] - xticks[0] || tick)(tick)]);
  } else {
    const least = xaxis.dtick;
    const longest = (step) => Math.max(...between(left, right, step).map((tick) => wide(writer(xaxis, separators, step)(tick), size)));
    let step = stepFor(right - left, frame / (size * 2), least);
    for (let n = 0; n < 3; n++) step = stepFor(right - left, frame / (longest(step) + size * (least ? 0.8 : 1.6)), least);
    xticks = between(left, right, step);
    texts = xticks.map((tick) => [writer(xaxis, separators, step)(tick)]);
  }
  // Between a small chart's numbers an arrow tells the axis's name from them.
  const xname = isSmall && !isNamed && xticks.length && xaxis.title.text ? `${xaxis.title.text}\u00a0→` : xaxis.title.text;
  const xtitle = xname ? lines(xname, size, frame) : [];
  const last = texts.length ? Math.max(...texts[texts.length - 1].map((line) => wide(line, size))) : 0;
  const edge = isSmall ? width - 3 : width - Math.max(GAP, isNamed ? 2 : last / 2 - ((right - xticks[xticks.length - 1]) / (right - left)) * frame);
  const X = (value) => margin + ((value - left) / (right - left)) * (edge - margin);
  // In a small chart the outermost numbers end at its edges, and none runs into another: the last
  // goes before the first, both before the others. The axis's name goes where they leave room.
  const spots = [];
  for (const n of isSmall ? [...new Set([xticks.length - 1, 0, ...xticks.keys()])].filter((n) => n in xticks) : xticks.keys()) {
    const half = isSmall ? wide(texts[n][0], size) / 2 : 0;
    const place = half ? Math.max(half, Math.min(width - half, X(xticks[n]))) : X(xticks[n]);
    if (!half || spots.every((spot) => Math.abs(place - spot.place) >= half + spot.half + size * 0.8)) spots.push({ n, place, half });
  }
  const ends = [{ place: 0, half: 0 }, ...[...spots].sort((a, b) => a.place - b.place), { place: width, half: 0 }];
  const gaps = ends.slice(1).map(({ place, half }, n) => [ends[n].place + ends[n].half, place - half]);
  const gap = isSmall && xticks.length && xtitle.length ? gaps.filter(([from, to]) => to - from > wide(xtitle[0], size) + size).pop() : null;
  const under = gap ? 0 : xtitle.length;
  const below = isSmall && !xticks.length ? (under ? size * 1.5 : yticks.length ? size * 0.5 : 3) : size * (0.15 + 1.2 * Math.max(1, ...texts.map((text) => text.length)) + (under ? 0.3 + 1.2 * under : 0.2));
  const floor = height - below;
  const Y = (value) => floor - ((value - low) / (high - low)) * (floor - top);

  // Where a band ends there, if there is one: a text at a dot doesn't lie on its edge.
  const edgeAt = (value, isDown) => {
    for (const { fill, x, y } of others) {
      const n = fill ? x.indexOf(value) : -1;
      if (n >= 0) return Math[isDown ? "min" : "max"](y[n], y[y.length - 1 - n]);
    }
  };

  // A small chart's axis reaches as far as the texts at its dots.
  for (const { text, textposition, marker, x, y: heights } of isSmall && !yaxis.range ? others : []) {
    heights.forEach((height, n) => {
      if (!each(text, n)) return;
      const value = edgeAt(x[n], each(textposition, n)?.startsWith("bottom")) ?? height;
      const needs = Math.min(0.4, ((each(marker.size, n) ?? marker.size) / 2 + size * 1.3) / (floor - top));
      if ((each(textposition, n) ?? "top").startsWith("bottom")) low = Math.min(low, (value - needs * high) / (1 - needs));
      else high = Math.max(high, (value - needs * low) / (1 - needs));
    });
  }

  // What is where: beside it names find their places.
  const [taken, spotsOf] = [ytitle.map((line, n) => [0, above + size * n * 1.2, wide(line, size), above + size * (n + 1) * 1.2]), new Map()];
  const take = (mark, spots) => {
    taken.push(...spots.map(boxOf));
    spotsOf.set(mark, [...(spotsOf.get(mark) ?? []), ...spots]);
  };

  let html = named;
  ytitle.forEach((line, n) => (html += words("ytitle", line, 0, above + size * (1.05 + n * 1.2), { size, anchor: "start", colour: "--soft" }, paint)));
  // Where each bar says how high it is, a grid would only strike its number through.
  const isSaid = bars.length && !others.length && bars.every((trace) => trace.x.every((_, n) => each(trace.text, n)));
  for (const tick of yticks) {
    if (tick < low || tick > high) continue;
    if (yaxis.showgrid && !isSaid) html += `<path class="grid" d="M${at(margin)} ${at(Y(tick))}H${at(edge)}" stroke="${paint("--grid")}"/>`;
    html += words("ytick", writeY(tick), margin - GAP, Y(tick) + size * 0.35, { size, anchor: "end" }, paint);
    taken.push([0, Y(tick) - size * 0.6, margin - GAP, Y(tick) + size * 0.6]);
  }
  // Bars stand on zero; what is below it hangs there.
  const ground = Y(bars.length ? Math.max(low, Math.min(high, 0)) : low);
  for (const tick of isNamed ? [] : xticks) html += `<path d="M${at(X(tick))} ${at(floor)}v4" stroke="${paint("--ink")}"/>`;
  for (const { n, place } of spots) html += words("xtick", texts[n], place, floor + size * 1.25, { size }, paint);
  if (gap) html += words("xtitle", xtitle[0], (gap[0] + gap[1]) / 2, floor + size * 1.25, { size, colour: "--soft" }, paint);
  else xtitle.forEach((line, n) => (html += words("xtitle", line, (margin + edge) / 2, height - size * (0.3 + 1.2 * (xtitle.length - 1 - n)), { size, colour: "--soft" }, paint)));

  // How far luck goes lies behind the data.
  for (const shape of layout.shapes ?? []) {
    const { x0, x1, y0, y1, fillcolor, opacity } = shape;
    if (!fillcolor) continue;
    const [a, b] = x0 === undefined ? [margin, edge] : [x0, x1].map((place) => Math.max(margin, Math.min(edge, X(place))));
    const [c, d] = y0 === undefined ? [floor, top] : [y0, y1].map((place) => Math.max(top, Math.min(floor, Y(place))));
    if (x0 !== undefined && y0 !== undefined) take(shape, [[(a + b) / 2, (c + d) / 2, (b - a) / 2, (c - d) / 2]]);
    html += `<rect class="strip" x="${at(a)}" y="${at(d)}" width="${at(Math.max(2, b - a))}" height="${at(Math.max(2, c - d))}" fill="${paint(fillcolor)}" fill-opacity="${opacity}"/>`;
  }
  for (const trace of others) {
    const { x, y, fill, fillcolor, opacity } = trace;
    if (!fill) continue;
    const ends = x.slice(0, x.length / 2).map((value, n) => [X(position(value)), Y(y[n]), Y(y[y.length - 1 - n])]);
    spotsOf.set(trace, ends.map(([place, a, b]) => [place, (a + b) / 2, 0, Math.abs(a - b) / 2]).reverse());
    for (let n = 1; isSmall && n < ends.length; n++) {
      const [[ax, ...from], [bx, ...to]] = [ends[n - 1], ends[n]];
      for (let x = ax; x < bx; x += 5) {
        const sides = from.map((y, side) => y + ((to[side] - y) * (x - ax)) / (bx - ax));
        taken.push([x, Math.min(...sides), x + 5, Math.max(...sides)]);
      }
    }
    html += `<path class="strip" d="${x.map((value, n) => `${n ? "L" : "M"}${at(X(position(value)))} ${at(Y(y[n]))}`).join("")}Z" fill="${paint(fillcolor)}" fill-opacity="${opacity}"/>`;
  }

  const tellX = (value) => (isNamed ? value : writer(xaxis, separators, xaxis.tickformat ? 0.01 : 10 ** -digits(value))(value));
  const tellY = (value) => writer(yaxis, separators, yaxis.tickformat ? 0.001 : Number.isInteger(value) ? 1 : 0.01)(value);
  const told = (trace, n) => `${trace.name ? `${trace.name}: ` : ""}${tellX(trace.x[n])}, ${tellY(trace.y[n])}`;

  const isLaid = layout.barmode === "overlay";
  bars.forEach((trace, order) => {
    const full = apart * (1 - layout.bargap);
    const width = trace.width ?? (isLaid ? full : full / bars.length);
    const offset = isLaid ? 0 : (order - (bars.length - 1) / 2) * width;
    let [drawn, numbers] = ["", ""];
    trace.x.forEach((value, n) => {
      const [x, y] = [X(position(value) + offset), Y(trace.y[n])];
      const half = Math.min(Math.max(0.5, X(width / 2) - X(0)), isNamed ? 5 * size : Infinity);
      take(trace, [[x, (y + ground) / 2, half, Math.abs(y - ground) / 2]]);
      const { color, line } = trace.marker;
      const bar = `<rect x="${at(x - half)}" y="${at(Math.min(y, ground))}" width="${at(2 * half)}" height="${at(Math.abs(y - ground))}" fill="${paint(each(color, n))}" stroke="${paint(line.color)}" stroke-width="${each(line.width, n)}"/>`;
      drawn += point(bar, told(trace, n));
      const text = each(trace.text, n);
      if (!text) return;
      // Numbers that would run into each other are written smaller, or not at all.
      const fits = Math.min(1, (2 * half + (edge - margin) * (0.1 / Math.max(1, trace.x.length))) / wide(text, size));
      if (fits < 0.62) return;
      const inside = each(trace.textposition, n) === "inside";
      const down = trace.y[n] < 0 ? size * 1.15 : inside ? size * 1.2 : -size * 0.4;
      taken.push(boxOf([x, y + down - size * 0.35, (wide(text, size) * fits) / 2, size * 0.6]));
      numbers += words(inside ? "label inside" : "label", text, x, y + down, { size: size * fits, colour: inside ? "--sheet" : "--ink" }, paint);
    });
    html += `<g class="trace bars">${drawn}${numbers}</g>`;
  });
  const axis = `<path class="crisp" d="M${at(margin)} ${at(ground)}H${at(edge)}" stroke="${paint("--ink")}"/>`;
  html += axis;
  for (const shape of layout.shapes ?? []) {
    const { x0, y0, line } = shape;
    if (!line) continue;
    take(shape, spotsAlong(x0 === undefined ? [[margin, Y(y0)], [edge, Y(y0)]] : [[X(x0), floor], [X(x0), top]]));
    html += `<path class="line" d="${x0 === undefined ? `M${at(margin)} ${at(Y(y0))}H${at(edge)}` : `M${at(X(x0))} ${at(floor)}V${at(top)}`}" ${stroke(line, paint)}/>`;
  }

  for (const trace of others) {
    let drawn = "";
    const spots = trace.x.map((value, n) => [X(position(value)), Y(trace.y[n])]);
    if (trace.mode.includes("lines") && spots.length > 1) {
      take(trace, spotsAlong(spots));
      const steps = trace.line.shape === "hv";
      const d = spots.map(([x, y], n) => (n === 0 ? `M${at(x)} ${at(y)}` : steps ? `H${at(x)}V${at(y)}` : `L${at(x)} ${at(y)}`)).join("");
      // A line ends at the graph's edges, whatever its numbers are.
      drawn += `<svg x="${at(margin)}" y="${at(top - 2)}" width="${at(edge - margin)}" height="${at(floor - top + 4)}" viewBox="${at(margin)} ${at(top - 2)} ${at(edge - margin)} ${at(floor - top + 4)}"><path class="line" d="${d}" ${stroke(trace.line, paint)}/></svg>`;
    }
    const { error_y: error, marker } = trace;
    if (trace.mode.includes("markers")) {
      spots.forEach(([x, y], n) => {
        const r = (each(marker.size, n) ?? marker.size) / 2;
        take(trace, [[x, y, r, error ? Math.max(r, Math.abs(Y(trace.y[n] + error.array[n]) - y)) : r]]);
        if (error) {
          const [up, down] = [Y(trace.y[n] + error.array[n]), Y(trace.y[n] - error.array[n])];
          const end = (y) => (error.width === 0 ? "" : `M${at(x - 4)} ${at(y)}h8`);
          drawn += `<path d="${end(up)}M${at(x)} ${at(up)}V${at(down)}${end(down)}" ${stroke({ color: error.color, width: error.thickness ?? 1.5 }, paint)}/>`;
        }
        drawn += point(mark(marker, n, x, y, paint), told(trace, n));
      });
    }
    spots.forEach(([x, y], n) => {
      const text = each(trace.text, n);
      if (!text) return;
      const r = (each(marker.size, n) ?? marker.size) / 2;
      const [upDown, side] = (each(trace.textposition, n) ?? "top center").split(" ");
      const dx = side === "right" ? r + 3 : side === "left" ? -r - 3 : 0;
      let dy = upDown === "top" ? -r - size * 0.3 : upDown === "bottom" ? r + size * (side === "right" ? 0.6 : 1) : size * 0.35;
      const edge = isSmall && !dx ? edgeAt(trace.x[n], upDown === "bottom") : undefined;
      const off = edge === undefined ? Infinity : Y(edge) - y;
      if (off > dy - size && off < dy + size * 0.3) dy = off + size * (upDown === "bottom" ? 1 : -0.3);
      const half = isSmall && !dx ? Math.min(width, wide(text, size)) / 2 : 0;
      const place = half ? Math.max(half, Math.min(width - half, x)) : x + dx;
      const reach = wide(text, size) / 2;
      taken.push(boxOf([place + Math.sign(dx) * reach, y + dy - size * 0.35, reach, size * 0.6]));
      drawn += words("label", text, place, y + dy, { size, anchor: dx ? (dx > 0 ? "start" : "end") : "middle" }, paint);
    });
    html += `<g class="trace dots">${drawn}</g>`;
  }
  for (const note of layout.annotations ?? []) {
    html += words("label", note.text, X(position(note.x)), Y(note.y) - note.yshift + size * 0.35, { size: size * 1.15, weight: 650 }, paint);
  }
  if (!isSmall) return html;
  const homeless = [];
  for (const mark of known.filter((each) => !["luck", "margin"].includes(each.legend) && !listed.includes(each))) {
    const room = [wide(mark.name, size), size * 1.15];
    const spots = (spotsOf.get(mark) ?? []).slice().sort(mark.mode === "markers" ? (a, b) => b[0] - a[0] : () => 0);
    const box = freeBeside(spots, room, [0, 0, width, floor], taken);
    if (!box) homeless.push(mark);
    else {
      taken.push(box);
      html += words("label name", mark.name, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2 + size * 0.35, { size }, paint);
    }
  }
  return homeless.length ? upright(figure, width, height, size, paint, [...listed, ...homeless]) : html;
}

// The figure as SVG of this size. `paint` says what a colour's token is; with a `title` it stands above.
export function drawing(figure, { width, height, size, paint = (token) => `var(${token})`, title = "" }) {
  const { data, layout } = figure;
  const colour = (name) => (name.startsWith("--") ? paint(name) : name.startsWith("rgba(0,0,0,0") ? "none" : name);
  const head = title ? lines(title, size * 1.3, width) : [];
  const room = height - head.length * size * 1.7;
  const [first] = data;
  const inside = !first
    ? ""
    : first.type === "pie"
      ? pie(first, width, room, size, layout.separators, colour)
      : first.type === "box"
        ? boxes(first, layout, width, room, size, colour)
      : first.orientation === "h"
        ? lying(data, layout, width, room, size, colour)
        : upright(figure, width, room, size, colour);
  const above = head.length ? words("title", head, 0, size * 1.4, { size: size * 1.3, anchor: "start", weight: 650 }, colour) : "";
  const moved = above ? `${above}<g transform="translate(0 ${at(height - room)})">${inside}</g>` : inside;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${at(width)}" height="${at(height)}" viewBox="0 0 ${at(width)} ${at(height)}" font-family="system-ui, sans-serif">${moved}</svg>`;
}

window.arrived?.(import.meta.url);
