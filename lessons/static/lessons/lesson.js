// A lesson's page in the browser: after a step's form the focus is at the step, or at what is said
// of a graph that was checked; and statements to put in order move up and down.

const [, to] = window.location.hash.match(/^#(step|verdict)$/) ?? [];
if (to) document.getElementById(to)?.focus({ preventScroll: true });

const list = document.querySelector(".ordering");

function number() {
  const items = [...list.children];
  items.forEach((item, index) => {
    item.querySelector("select").value = String(index + 1);
    const [up, down] = item.querySelectorAll("button");
    up.disabled = index === 0;
    down.disabled = index === items.length - 1;
  });
}

function move(item, step, button) {
  const items = [...list.children];
  const other = items[items.indexOf(item) + step];
  if (!other) return;
  if (step < 0) other.before(item);
  else other.after(item);
  number();
  (button.disabled ? item.querySelector("button:enabled") : button).focus();
}

if (list && !list.querySelector("select:disabled")) {
  const items = [...list.children];
  items.sort((a, b) => a.querySelector("select").value - b.querySelector("select").value);
  list.append(...items);
  for (const item of items) {
    const text = item.querySelector(".text");
    for (const [step, name, sign] of [[-1, list.dataset.up, "↑"], [1, list.dataset.down, "↓"]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.setAttribute("aria-label", `${name}: ${text.textContent}`);
      button.addEventListener("click", () => move(item, step, button));
      item.append(button);
    }
    item.querySelector("select").hidden = true;
  }
  number();
}

// A page goes along with the class, but takes nobody out of an answer that they have begun.

let begun = false;

for (const kind of ["input", "pointerdown", "keydown"]) {
  document.addEventListener(kind, (event) => {
    if (event.key !== "Tab" && event.target.closest?.("#step form")) begun = true;
  });
}
document.addEventListener("htmx:configRequest", (event) => {
  if (event.target.id === "room" && !begun) event.detail.parameters.waits = "1";
});

// On the teacher's page and the wall, which fetch themselves anew: what was open and where the
// focus was stay; and the wall fills the screen.

let kept = null;

document.addEventListener("htmx:beforeSwap", () => {
  kept = {
    open: Array.from(document.querySelectorAll("details[open][id]"), (details) => details.id),
    focus: document.activeElement?.id,
  };
});
document.addEventListener("htmx:afterSettle", () => {
  for (const id of kept?.open ?? []) document.getElementById(id)?.setAttribute("open", "");
  if (kept?.focus && document.activeElement === document.body) document.getElementById(kept.focus)?.focus({ preventScroll: true });
});

const full = document.getElementById("full-screen");
if (full && document.fullscreenEnabled) {
  full.hidden = false;
  full.addEventListener("click", () => document.documentElement.requestFullscreen());
  document.addEventListener("fullscreenchange", () => {
    full.hidden = document.fullscreenElement !== null;
  });
}

window.arrived?.(import.meta.url);
