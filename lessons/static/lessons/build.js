// Graphs that a student builds: bars raised, points of a curve placed, slices set; by drag, by a
// tap, by the arrow keys. What is built stands in plain inputs, which without this script are all
// there is; whatever changes them moves the graph, and the other way round.

const PARKED = 20; // degrees between the handles of slices that are not set yet
const NEAR = 28; // pixels around a handle that a finger may miss

function shape(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(element, attributes);
  element.append(...children);
  return element;
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

// The next round number from here on: 1, 2, 5, 10, 20, 50, …
function roundUp(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  return power * [1, 2, 3, 4, 5, 6, 8, 10].find((n) => n * power >= number - 1e-9);
}

function begin(root) {
  const plan = JSON.parse(root.querySelector("script").textContent);
  const inputs = plan.fields.map((id) => document.getElementById(id));
  const labels = inputs.map((input) => input.labels[0].textContent);
  const plot = root.querySelector(".build-plot");
  const sum = root.querySelector(".build-sum");
  const graph = { plan, inputs, labels, plot, values: inputs.map(() => null) };
  // What was right at the last check, until it is changed.
  const right = inputs.map((input) => input.closest("[data-outcome=right]") && input.value);
  graph.isRight = (index) => right[index] === inputs[index].value;
  // What is to be looked at again, until it is changed.
  const off = inputs.map((input) => (input.getAttribute("aria-invalid") === "true" ? input.value : null));
  graph.isOff = (index) => off[index] === inputs[index].value;
  const isLocked = root.classList.contains("finished");

  graph.read = () => {
    graph.values = inputs.map((input) => number(input.value, plan.unit.endsWith("%")));
  };
  graph.change = (index, value) => {
    if (isLocked) return;
    const open = plan.total === null ? Infinity : plan.total - others(graph, index);
    const whole = Math.max(plan.low, Math.min(Math.round(value), plan.kind === "pie" ? open : graph.limit));
    if (graph.values[index] === whole) return;
    // The first bar that is raised makes zeros of the others: they stand there as such.
    if (["bars", "curve"].includes(plan.kind)) inputs.forEach((input, other) => graph.values[other] === null && write(input, 0));
    write(inputs[index], whole);
  };
  const write = (input, value) => {
    input.value = `${value}${plan.suffix}`;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  graph.say = () => {
    const total = graph.values.reduce((all, value) => all + (value ?? 0), 0);
    if (plan.total === null) return;
    const words = total > plan.total ? plan.words.over : total === plan.total ? plan.words.full : plan.words.open;
    sum.textContent = words.replace("{sum}", `${round(total)}${plan.unit}`).replace("{left}", `${round(plan.total - total)}${plan.unit}`);
  };

  const [draw, update] = { pie, box }[plan.kind]?.(graph) ?? columns(graph);
  root.addEventListener("input", () => {
    graph.read();
    update();
    graph.say();
  });
  root.classList.add("live");
  const typing = root.querySelector("details");
  typing.open = typing.querySelector("[autofocus]") !== null;
  plot.setAttribute("aria-label", plan.label);
  graph.read();
  let width = 0;
  new ResizeObserver(() => {
    if (plot.clientWidth === width || plot.clientWidth < 100) return;
    width = plot.clientWidth;
    const held = plot.contains(document.activeElement) ? document.activeElement.dataset.index : null;
    draw();
    update();
    if (held !== null) plot.querySelector(`[data-index="${held}"]`)?.focus();
  }).observe(plot);
  graph.say();
}

// What was typed, as the server reads it: of percents 7/25 and 0.28 are 28.
function number(text, isPercent) {
  const plain = text.replace(",", ".").replace(/[%°\s]/g, "");
  if (plain === "") return null;
  const [over, under] = plain.split("/");
  const value = under === undefined ? Number(over) : Number(over) / Number(under);
  if (!Number.isFinite(value) || value < 0) return null;
  const isShare = isPercent && !text.includes("%") && (under !== undefined || (plain.includes(".") && value < 1));
  return isShare ? 100 * value : value;
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function others(graph, index) {
  return graph.values.reduce((all, value, other) => all + (other === index ? 0 : value ?? 0), 0);
}

// A handle: a slider to the keyboard and to a screen reader.

function handle(graph, index, ...children) {
  const element = shape("g", { class: "handle", role: "slider", tabindex: 0, "data-index": index, "aria-label": graph.labels[index], "aria-valuemin": graph.plan.low }, ...children);
  const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 5, PageDown: -5 };
  element.addEventListener("keydown", (event) => {
    const value = graph.values[index] ?? graph.plan.low;
    if (event.key in steps) graph.change(index, value + steps[event.key]);
    else if (event.key === "Home") graph.change(index, 0);
    else if (event.key === "End") graph.change(index, graph.plan.kind === "pie" ? 360 : graph.top);
    else return;
    event.preventDefault();
  });
  // A finger on a handle drags it and does not scroll the page; touch-action alone does not
  // hold inside an SVG.
  const hold = (event) => event.target.classList.contains("near") && event.preventDefault();
  element.addEventListener("touchstart", hold, { passive: false });
  return element;
}

function tell(graph, element, index, max) {
  const value = graph.values[index];
  const text = value === null ? graph.plan.words.unset : `${round(value)}${graph.plan.unit}`;
  const [word, sign] = graph.isRight(index) ? [graph.plan.words.right, " ✓"] : graph.isOff(index) ? [graph.plan.words.again, " ?"] : ["", ""];
  set(element, { "aria-valuenow": value ?? graph.plan.low, "aria-valuemax": max, "aria-valuetext": word ? `${text}, ${word}` : text });
  element.classList.toggle("off", sign === " ?");
  return text + sign;
}

// Follows a pointer from here until it is lifted.
function follow(element, event, move, done) {
  event.preventDefault();
  element.focus();
  element.setPointerCapture(event.pointerId);
  const stop = new AbortController();
  const end = () => {
    stop.abort();
    done?.();
  };
  element.addEventListener("pointermove", move, { signal: stop.signal });
  for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, end, { signal: stop.signal });
}

// Bars and curves

function columns(graph) {
  const { plan, plot } = graph;
  const curve = plan.kind === "curve";
  const number = plan.categories.length;
  const [left, right, above, below] = [plan.unit ? 50 : 34, 6, 28, 30];
  let svg, width, height, column, mine, handles;
  graph.top = plan.top;
  graph.limit = plan.total ?? 10 * plan.top;

  const x = (place) => left + (place + 0.5) * column;
  const y = (value) => above + height * (1 - Math.min(value, graph.top) / graph.top);
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    return (1 - (event.clientY - box.top - above) / height) * graph.top;
  };
  const grow = () => {
    const highest = Math.max(...graph.values.map((value) => value ?? 0));
    const wanted = highest > graph.top ? roundUp(highest) : highest === graph.top && graph.top < graph.limit ? roundUp(graph.top * 1.4) : graph.top;
    const top = Math.min(wanted, graph.limit);
    if (top === graph.top) return;
    graph.top = top;
    const held = document.activeElement?.dataset?.index;
    draw();
    update();
    if (held !== undefined) handles[held]?.focus();
  };

  function draw() {
    width = plot.clientWidth;
    height = plot.clientHeight - above - below;
    column = (width - left - right) / number;
    svg = shape("svg", { viewBox: `0 0 ${width} ${plot.clientHeight}`, width, height: plot.clientHeight });
    const step = roundUp(graph.top / 6);
    for (let value = 0; value <= graph.top + 1e-9; value += step) {
      svg.append(shape("path", { class: value ? "grid" : "ground", d: `M${left} ${y(value)}H${width - right}` }), text(`${value}${plan.unit}`, left - 6, y(value) + 4, "tick end"));
    }
    plan.categories.forEach((name, place) => svg.append(text(name, x(place), y(0) + 20, "category")));
    for (const given of plan.given) svg.append(drawGiven(given));
    mine = shape("path", { class: "curve" });
    if (curve) svg.append(mine);
    handles = plan.places.map((place, index) => drawHandle(place, index));
    svg.append(...handles);
    plot.replaceChildren(svg);
  }

  function drawGiven({ label, places, heights }) {
    const group = shape("g", { class: "given" });
    const bar = column * (curve ? 0 : 0.78);
    if (curve) group.append(shape("path", { d: `M${places.map((place, k) => `${x(place)} ${y(heights[k])}`).join("L")}` }));
    places.forEach((place, k) =>
      group.append(curve ? shape("circle", { cx: x(place), cy: y(heights[k]), r: 4 }) : shape("rect", { x: x(place) - bar / 2, y: y(heights[k]), width: bar, height: y(0) - y(heights[k]) })),
    );
    if (!curve) places.forEach((place, k) => group.append(text(`${heights[k]}${plan.unit}`, x(place), y(heights[k]) - 6)));
    if (curve) {
      const peak = heights.indexOf(Math.max(...heights));
      group.append(text(label, x(places[peak]), y(heights[peak]) - 10, "given-label"));
    }
    return group;
  }

  function drawHandle(place, index) {
    const bar = column * 0.78;
    const parts = {
      hit: shape("rect", { class: "hit", x: x(place) - column / 2, y: 0, width: column, height: y(0) + below }),
      body: curve ? shape("circle", { class: "point", cx: x(place), r: 8 }) : shape("rect", { class: "bar", x: x(place) - bar / 2, width: bar }),
      grip: shape("rect", { class: "grip", x: x(place) - bar / 2, width: curve ? 0 : bar, height: 5, rx: 2.5 }),
      ring: shape("rect", { class: "ring", x: x(place) - column / 2 + 1, width: column - 2, height: 2 * 16, rx: 6 }),
      value: text("", x(place), 0, "value"),
      near: shape("rect", { class: "near", x: x(place) - column / 2, width: column, height: 2 * NEAR }),
    };
    const element = handle(graph, index, ...Object.values(parts));
    element.parts = parts;
    const move = (event) => graph.change(index, Math.min(at(event), graph.top));
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || (event.pointerType === "touch" && event.target !== parts.near)) return;
      // Whoever takes the bar by its end moves it from there; elsewhere it comes to the pointer.
      if (event.target !== parts.near) move(event);
      follow(element, event, move, grow);
    });
    element.addEventListener("click", (event) => {
      if (event.pointerType === "touch" && event.target !== parts.near) {
        element.focus();
        move(event);
        grow();
      }
    });
    return element;
  }

  function update() {
    if (!svg) return;
    if (graph.top < graph.limit && graph.values.some((value) => value > graph.top)) return grow();
    handles.forEach((element, index) => {
      const shown = tell(graph, element, index, graph.limit);
      const { body, grip, ring, value, near } = element.parts;
      const top = y(graph.values[index] ?? 0);
      if (curve) set(body, { cy: top });
      else set(body, { y: top, height: y(0) - top });
      set(grip, { y: top - 2.5 });
      set(ring, { y: top - 16 });
      set(near, { y: top - NEAR });
      set(value, { y: top - 12 });
      value.textContent = graph.values[index] === null ? "" : shown;
      element.classList.toggle("unset", graph.values[index] === null);
    });
    mine.setAttribute("d", `M${plan.places.map((place, index) => `${x(place)} ${y(graph.values[index] ?? 0)}`).join("L")}`);
  }
  return [draw, update];
}

function text(words, x, y, kind = "") {
  const element = shape("text", { x, y, class: kind, "aria-hidden": true });
  element.textContent = words;
  return element;
}

// Slices

function pie(graph) {
  const { plan, plot } = graph;
  const letters = plan.fields.map((_, index) => String.fromCharCode(65 + index));
  let svg, middle, radius, wedges, handles;
  graph.limit = plan.total;

  // Clockwise from the top, in degrees.
  const point = (angle, at) => {
    const turn = ((angle - 90) * Math.PI) / 180;
    return [middle.x + at * Math.cos(turn), middle.y + at * Math.sin(turn)];
  };
  const angleAt = (event) => {
    const box = svg.getBoundingClientRect();
    const turn = Math.atan2(event.clientX - box.left - middle.x, middle.y - (event.clientY - box.top));
    return (turn * 180) / Math.PI;
  };
  // Where each slice begins and ends, and where its handle stands: a slice that is not set has no
  // size, as it has none in the sum, but a handle to be set by, parked beside those before it.
  const edges = () => {
    let [angle, parked] = [0, 0];
    return graph.values.map((value) => {
      const from = angle;
      angle = Math.min(angle + (value ?? 0), 360);
      if (value === null) parked += PARKED;
      return [from, angle, value === null ? from + parked : angle];
    });
  };

  function draw() {
    const [width, height] = [plot.clientWidth, plot.clientHeight];
    middle = { x: width / 2, y: height / 2 };
    radius = Math.min(width, height) / 2 - 46;
    svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height });
    svg.append(shape("circle", { class: "plate", cx: middle.x, cy: middle.y, r: radius }));
    for (let angle = 0; angle < 360; angle += 30) {
      const [[x1, y1], [x2, y2]] = [point(angle, radius), point(angle, radius + (angle % 90 ? 5 : 9))];
      svg.append(shape("path", { class: "grid", d: `M${x1} ${y1}L${x2} ${y2}` }));
    }
    wedges = plan.fields.map((_, index) => {
      const parts = { path: shape("path", { class: `wedge slice-${index}` }), letter: text(letters[index], 0, 0, "letter") };
      svg.append(...Object.values(parts));
      return parts;
    });
    handles = plan.fields.map((_, index) => {
      const parts = { line: shape("path", { class: "edge" }), ring: shape("circle", { class: "ring", r: 15 }), knob: shape("circle", { class: "knob", r: 10 }), name: text(letters[index], 0, 0, "knob-name"), near: shape("circle", { class: "near", r: 24 }) };
      const element = handle(graph, index, ...Object.values(parts));
      element.parts = parts;
      element.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        const [from, , held] = edges()[index];
        let last = angleAt(event);
        let size = held - from;
        follow(element, event, (moved) => {
          const now = angleAt(moved);
          size += ((now - last + 540) % 360) - 180;
          last = now;
          graph.change(index, size);
        });
      });
      return element;
    });
    svg.append(...handles);
    plot.replaceChildren(svg);
  }

  function update() {
    if (!svg) return;
    const bounds = edges();
    let [before, out] = [-Infinity, false];
    bounds.forEach(([from, to, held], index) => {
      const { path, letter } = wedges[index];
      const [[x1, y1], [x2, y2]] = [point(from, radius), point(to, radius)];
      const full = to - from >= 359.99;
      const arc = `A${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 1`;
      const around = full ? `M${middle.x} ${middle.y - radius}${arc} ${middle.x - 0.01} ${middle.y - radius}Z` : `M${middle.x} ${middle.y}L${x1} ${y1}${arc} ${x2} ${y2}Z`;
      path.setAttribute("d", to > from ? around : "");
      const [lx, ly] = point((from + to) / 2, radius * 0.62);
      set(letter, { x: lx, y: ly + 5 });
      letter.textContent = to - from >= 14 ? letters[index] : "";
      const { line, ring, knob, near, name } = handles[index].parts;
      // Handles that would lie on each other stand one further out than the other.
      out = held - before < 12 && !out;
      before = held;
      const [kx, ky] = point(held, radius + (out ? 34 : 12));
      const isSet = graph.values[index] !== null;
      line.setAttribute("d", isSet ? `M${middle.x} ${middle.y}L${kx} ${ky}` : "");
      for (const circle of [ring, knob, near]) set(circle, { cx: kx, cy: ky });
      set(name, { x: kx, y: ky + 4 });
      const shown = tell(graph, handles[index], index, 360);
      plan.rows[index].value.textContent = graph.values[index] === null ? "–" : shown;
    });
  }

  // The list beside the pie: what each letter stands for, with buttons for a degree more or less.
  const list = document.createElement("ol");
  list.className = "build-slices";
  list.setAttribute("aria-hidden", "true");
  plan.rows = graph.labels.map((label, index) => {
    const row = document.createElement("li");
    const [less, more] = [-1, 1].map((step) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", tabIndex: -1, textContent: step < 0 ? "−" : "+" });
      button.addEventListener("click", () => graph.change(index, (graph.values[index] ?? 0) + step));
      return button;
    });
    const [letter, name, value] = ["b", "span", "output"].map((tag) => document.createElement(tag));
    letter.textContent = letters[index];
    name.textContent = label;
    row.append(letter, name, less, value, more);
    list.append(row);
    return { value };
  });
  plot.after(list);
  return [draw, update];
}

// A box plot: its data as dots above the line, below it the box, and a row for each of its five numbers.

const ROW = 34;

function box(graph) {
  const { plan, plot } = graph;
  const [left, right, ground, middle, first] = [142, 20, 96, 152, 210];
  let svg, scale, whiskers, body, median, handles;
  graph.top = graph.limit = plan.top;

  const x = (value) => left + (value - plan.low) * scale;
  const valueAt = (event) => plan.low + (event.clientX - svg.getBoundingClientRect().left - left) / scale;

  function draw() {
    const width = plot.clientWidth;
    scale = (width - left - right) / (plan.top - plan.low);
    svg = shape("svg", { viewBox: `0 0 ${width} ${plot.clientHeight}`, width, height: plot.clientHeight });
    svg.append(shape("path", { class: "ground", d: `M${x(plan.low)} ${ground}H${x(plan.top)}` }));
    for (let value = plan.low; value <= plan.top; value++) svg.append(shape("path", { class: "grid", d: `M${x(value)} ${ground}V${first + ROW * 4.5}` }), text(value, x(value), ground + 18, "tick"));
    const dots = shape("g", { class: "given" });
    plan.dots.forEach((value, n) => dots.append(shape("circle", { cx: x(value), cy: ground - 12 - 17 * plan.dots.slice(0, n).filter((other) => other === value).length, r: 7 })));
    whiskers = shape("path", { class: "whiskers" });
    body = shape("rect", { class: "bar", y: middle - 18, height: 36 });
    median = shape("path", { class: "median" });
    svg.append(dots, whiskers, body, median);
    handles = plan.fields.map((_, index) => drawRow(first + ROW * index, index));
    svg.append(...handles);
    plot.replaceChildren(svg);
  }

  function drawRow(y, index) {
    const parts = {
      hit: shape("rect", { class: "hit", x: 0, y: y - ROW / 2, width: x(plan.top) + right, height: ROW }),
      name: text(graph.labels[index], 10, y + 5, "name"),
      track: shape("path", { class: "ground", d: `M${x(plan.low)} ${y}H${x(plan.top)}` }),
      ring: shape("circle", { class: "ring", cy: y, r: 15 }),
      knob: shape("circle", { class: "knob", cy: y, r: 11 }),
      value: text("", 0, y + 5, "knob-name"),
      near: shape("rect", { class: "near", y: y - ROW / 2, width: 2 * NEAR, height: ROW }),
    };
    const element = handle(graph, index, ...Object.values(parts));
    element.parts = parts;
    const move = (event) => graph.change(index, valueAt(event));
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || (event.pointerType === "touch" && event.target !== parts.near)) return;
      move(event);
      follow(element, event, move);
    });
    element.addEventListener("click", (event) => {
      if (event.pointerType !== "touch" || event.target === parts.near) return;
      element.focus();
      move(event);
    });
    return element;
  }

  function update() {
    if (!svg) return;
    const [least, lower, half, upper, greatest] = graph.values;
    const between = (one, other, y) => (one === null || other === null ? "" : `M${x(one)} ${y}H${x(other)}`);
    const end = (value) => (value === null ? "" : `M${x(value)} ${middle - 9}V${middle + 9}`);
    whiskers.setAttribute("d", between(least, lower ?? greatest, middle) + between(upper ?? least, greatest, middle) + end(least) + end(greatest));
    const hasBox = lower !== null && upper !== null;
    set(body, { x: hasBox ? x(Math.min(lower, upper)) : 0, width: hasBox ? Math.abs(x(upper) - x(lower)) : 0 });
    median.setAttribute("d", half === null ? "" : `M${x(half)} ${middle - 18}V${middle + 18}`);
    handles.forEach((element, index) => {
      const shown = tell(graph, element, index, plan.top);
      const { ring, knob, value, near } = element.parts;
      const at = x(Math.min(Math.max(graph.values[index] ?? plan.low, plan.low), plan.top));
      set(ring, { cx: at });
      set(knob, { cx: at });
      set(near, { x: at - NEAR });
      set(value, { x: at });
      value.textContent = graph.values[index] === null ? "" : shown.split(" ")[0];
      element.classList.toggle("unset", graph.values[index] === null);
      element.classList.toggle("sure", graph.isRight(index));
    });
  }
  return [draw, update];
}

function find(root) {
  for (const each of root.querySelectorAll("[data-build]:not(.live)")) begin(each);
}

find(document);
new MutationObserver((changes) => {
  if (changes.some((change) => [...change.addedNodes].some((node) => node.querySelector?.("[data-build]:not(.live)") || node.matches?.("[data-build]:not(.live)")))) find(document);
}).observe(document.body, { childList: true, subtree: true });

window.arrived?.(import.meta.url);
