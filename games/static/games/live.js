// What a push must not disturb, on pages whose fragments are pushed whole: what has not changed
// is not swapped, and around a swap the focus and what somebody opened are kept.

const root = document.querySelector("[data-live]");
const shown = new Map();
for (const fragment of root.querySelectorAll("[id]")) shown.set(fragment.id, fragment.outerHTML);

document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
  const next = event.detail.fragment.firstElementChild;
  const target = event.detail.target;
  if (!next || next.id !== target.id) return;
  if (shown.get(target.id) === next.outerHTML) {
    event.detail.shouldSwap = false;
    return;
  }
  // What holds it, and what it held, is not what was sent any more.
  for (const inner of target.querySelectorAll("[id]")) shown.delete(inner.id);
  for (let outer = target.parentElement?.closest("[id]"); outer; outer = outer.parentElement?.closest("[id]")) shown.delete(outer.id);
  shown.set(target.id, next.outerHTML);
});

let held = null;

root.addEventListener("htmx:wsBeforeMessage", () => {
  const active = root.contains(document.activeElement) ? document.activeElement : null;
  held = {
    active,
    activeId: active?.id,
    within: (active?.closest(".sheet")?.querySelector("h2") ?? active?.closest("section[id], header[id]"))?.id,
    open: Array.from(root.querySelectorAll("details[open][id]"), (details) => details.id),
  };
});

root.addEventListener("htmx:wsAfterMessage", () => {
  for (const id of held.open) document.getElementById(id)?.setAttribute("open", "");
  if (!held.active || held.active.getClientRects().length) return;
  const again = document.getElementById(held.activeId || "none") ?? document.getElementById(held.within || "none");
  again?.focus({ preventScroll: true });
});

window.arrived?.(import.meta.url);
