// The numbers of a chart, mark by mark: under the pointer or a finger; by the arrow keys where the chart has
// the focus, and then for the ear, too.

const readout = Object.assign(document.createElement("span"), { className: "readout", ariaHidden: "true" });
const told = Object.assign(document.createElement("p"), { className: "visually-hidden" });
told.setAttribute("role", "status");
let here = null;

// Taken out of the drawing, so that no browser shows it twice.
function numbersOf(mark) {
  const title = mark.querySelector("title");
  if (title) {
    mark.dataset.told = title.textContent;
    title.remove();
  }
  return mark.dataset.told;
}

function hide() {
  here?.classList.remove("here");
  here = null;
  readout.remove();
}

function show(plot, mark) {
  if (mark === here && readout.isConnected) return;
  hide();
  here = mark;
  mark.classList.add("here");
  readout.textContent = numbersOf(mark);
  plot.append(readout);
  const [frame, box] = [plot, mark].map((part) => part.getBoundingClientRect());
  const half = readout.offsetWidth / 2;
  readout.style.left = `${Math.max(half, Math.min(frame.width - half, (box.left + box.right) / 2 - frame.left))}px`;
  readout.style.top = `${Math.max(0, box.top - frame.top - readout.offsetHeight - 4)}px`;
}

const REACH = 24; // of a finger, in pixels

function nearest(plot, { clientX, clientY }) {
  const away = (mark) => {
    const box = mark.getBoundingClientRect();
    return Math.hypot(Math.max(box.left - clientX, 0, clientX - box.right), Math.max(box.top - clientY, 0, clientY - box.bottom));
  };
  const all = Array.from(plot.querySelectorAll(".point"), (mark) => [away(mark), mark]).sort(([a], [b]) => a - b);
  return all[0]?.[0] <= REACH ? all[0][1] : null;
}

function look(event) {
  const plot = event.target.closest?.("[data-figure]");
  const mark = plot && (event.target.closest(".point") ?? (event.pointerType === "mouse" ? null : nearest(plot, event)));
  if (mark) show(plot, mark);
  else if (document.activeElement !== here?.closest("[data-figure]")) hide();
}

document.addEventListener("pointermove", look, { passive: true });
document.addEventListener("pointerdown", look, { passive: true });
document.addEventListener("keydown", (event) => {
  const plot = event.target;
  if (!plot.matches?.("[data-figure]") || event.altKey || event.ctrlKey || event.metaKey) return;
  const marks = Array.from(plot.querySelectorAll(".point"));
  const at = marks.indexOf(here);
  const next = { ArrowRight: at + 1, ArrowLeft: at < 0 ? marks.length - 1 : at - 1, Home: 0, End: marks.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  if (!marks[next]) return;
  show(plot, marks[next]);
  if (!told.isConnected) document.body.append(told);
  told.textContent = readout.textContent;
});
document.addEventListener("focusout", (event) => event.target.matches?.("[data-figure]") && hide());

window.arrived?.(import.meta.url);
