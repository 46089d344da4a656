// Parts that take a while to work out: fetched when their fold is opened, and again until they stand.

async function fill(part) {
  const answer = await fetch(part.dataset.from, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) return; // the link in it leads there all the same
  part.innerHTML = await answer.text();
  if (part.querySelector("[data-again]") && part.isConnected) setTimeout(() => fill(part), 1500);
}

// "toggle" does not bubble.
document.addEventListener(
  "toggle",
  ({ target }) => {
    const part = target.open && target.querySelector("[data-from]:not([data-begun])");
    if (!part) return;
    part.dataset.begun = "";
    fill(part);
  },
  true,
);

window.arrived?.(import.meta.url);
