// What a pushed change must not disturb: the thing a person is holding.
// A fragment that has not changed is not swapped; around a swap, focus, selection,
// half-made choices and opened details are kept.

const table = document.getElementById("table");
const connection = document.getElementById("connection");
const shown = new Map();
for (const fragment of table.querySelectorAll("[id]")) shown.set(fragment.id, fragment.outerHTML);

document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
  const next = event.detail.fragment.firstElementChild;
  const target = event.detail.target;
  if (!next || next.id !== target.id) return; // appended to, not replaced
  if (shown.get(target.id) === next.outerHTML) event.detail.shouldSwap = false;
  shown.set(target.id, next.outerHTML);
});

let held = null;

table.addEventListener("htmx:wsBeforeMessage", () => {
  const active = table.contains(document.activeElement) ? document.activeElement : null;
  held = {
    active,
    activeId: active?.id,
    within: active?.closest("section, header")?.id,
    selection: active?.matches("input[type=text]") ? [active.selectionStart, active.selectionEnd] : null,
    checked: Array.from(table.querySelectorAll("input:checked"), (input) => input.id),
    details: Array.from(table.querySelectorAll("details[id]"), (d) => [d.id, d.open, d]),
  };
});

table.addEventListener("htmx:wsAfterMessage", () => {
  for (const id of held.checked) {
    const input = document.getElementById(id);
    if (input) input.checked = true;
  }
  for (const [id, open, before] of held.details) {
    const details = document.getElementById(id);
    if (details && details !== before) details.open = open;
  }
  if (held.active && !held.active.isConnected) {
    const again = document.getElementById(held.activeId) ?? document.getElementById(held.within);
    again?.focus({ preventScroll: true });
    if (held.selection && again?.setSelectionRange) again.setSelectionRange(...held.selection);
  }
});

// Enter on a chosen card goes on to its calls; in a form it would press the first button.
table.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("input[type=radio]")) return;
  event.preventDefault();
  event.target.parentElement.querySelector(".calls button")?.focus();
});

// What answered the last click goes with the next one.
table.addEventListener("htmx:wsBeforeSend", () => {
  document.getElementById("notice").textContent = "";
  shown.delete("notice");
});

// The connection: back quickly, then patiently, each browser at its own moment.
window.htmx.config.wsReconnectDelay = (tries) => Math.min(250 * 2 ** tries, 5000) * (0.5 + Math.random());

table.addEventListener("htmx:wsOpen", () => {
  connection.textContent = "";
});
table.addEventListener("htmx:wsClose", (event) => {
  const gone = event.detail.event.code === 4404;
  connection.textContent = gone ? connection.dataset.gone : connection.dataset.lost;
});
