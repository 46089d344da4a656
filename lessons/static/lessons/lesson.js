// A lesson's page in the browser: after a step's form the focus is at the step, and statements
// to put in order move up and down.

if (window.location.hash === "#step") document.getElementById("step")?.focus({ preventScroll: true });

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
