// Sheets: <dialog class="sheet">, over a page that stays as it is below them. Whether one is open
// says its attribute `open`, which any script may set; this looks after the rest.
//   <button data-opens="its id">   opens it, and closes it again
//   <button data-closes>           in it, closes it
//   data-stays                     stays while one goes on below, and takes no focus
// An open sheet without data-stays takes the focus, and gives it back. Escape closes it, a press
// beside it, and another sheet. Of those that stay, which lie in one place, one is open at a time.
// A sheet is sent "opened" and "closed".
//
// dialog.show() is not used: it moves the focus, in each browser to something else.

const sheets = Array.from(document.querySelectorAll(".sheet"));
const opened = new Set();
const stays = (sheet) => "stays" in sheet.dataset;
const buttonOf = (sheet) => Array.from(document.querySelectorAll(`[data-opens="${sheet.id}"]`)).find((button) => button.getClientRects().length);

// Where the focus was before it went into a sheet.

let outside = null;
let byKey = false;
document.addEventListener("keydown", () => (byKey = true), true);
document.addEventListener("pointerdown", () => (byKey = false), true);
document.addEventListener("focusin", ({ target }) => {
  if (!target.closest(".sheet")) outside = target;
});

function giveBack(sheet) {
  // What was there may have been put in place anew.
  const before = stays(sheet) ? [] : [outside, document.getElementById(outside?.id || "none")];
  (before.find((one) => one?.getClientRects().length) ?? buttonOf(sheet))?.focus({ preventScroll: true });
}

function changed(sheet) {
  if (sheet.open === opened.has(sheet)) return;
  for (const button of document.querySelectorAll(`[data-opens="${sheet.id}"]`)) button.setAttribute("aria-expanded", sheet.open);
  const held = document.activeElement;
  if (sheet.open) {
    opened.add(sheet);
    for (const other of opened) if (other !== sheet && stays(other) === stays(sheet)) other.open = false;
    if (!stays(sheet) && !sheet.contains(held)) sheet.querySelector("h2")?.focus({ preventScroll: true });
  } else {
    opened.delete(sheet);
    if (sheet.contains(held) || (byKey && held === document.body)) giveBack(sheet);
  }
  sheet.dispatchEvent(new Event(sheet.open ? "opened" : "closed"));
}

const watch = new MutationObserver((changes) => changes.forEach(({ target }) => changed(target)));
for (const sheet of sheets) {
  watch.observe(sheet, { attributeFilter: ["open"] });
  for (const button of document.querySelectorAll(`[data-opens="${sheet.id}"]`)) button.setAttribute("aria-expanded", false);
}

document.addEventListener("click", ({ target }) => {
  // Not every browser gives the focus to what is pressed.
  if (!target.closest(".sheet")) outside = target.closest("a, button") ?? outside;
  const button = target.closest("[data-opens], [data-closes]");
  if (!button) return;
  const sheet = button.dataset.opens ? document.getElementById(button.dataset.opens) : button.closest(".sheet");
  sheet.open = button.dataset.opens ? !sheet.open : false;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  const all = Array.from(opened);
  const top = all.find((sheet) => !stays(sheet)) ?? all[0];
  if (top) top.open = false;
});

// A press beside it: begun and ended there, so that neither scrolling nor selecting closes it.

const isBeside = (sheet, { target }) => target.closest && !target.closest(`.sheet, [data-opens="${sheet.id}"]`);
let begun = null;
document.addEventListener("pointerdown", (event) => (begun = event), true);
document.addEventListener("pointerup", (event) => {
  for (const sheet of opened) if (!stays(sheet) && begun && isBeside(sheet, begun) && isBeside(sheet, event)) sheet.open = false;
}, true);

window.arrived?.(import.meta.url);
