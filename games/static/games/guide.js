// Of the guide's answers one is open at a time, first the one that the address names. A name for all of them would do
// that, too, but on paper all are open.
document.querySelector(".guide").addEventListener("click", (event) => {
  const pressed = event.target.closest("summary")?.parentElement;
  if (!pressed) return;
  for (const fold of document.querySelectorAll(".guide details[open]")) if (fold !== pressed) fold.open = false;
});
const unfold = () => document.getElementById(location.hash.slice(1))?.closest("details")?.setAttribute("open", "");
addEventListener("hashchange", unfold);
unfold();

window.arrived?.(import.meta.url);
