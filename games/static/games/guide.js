// Of the guide's answers one is open at a time, first the one that the address names. A name for all of them would do
// that, too, but on paper all are open.
const closeOthers = (kept) => {
  for (const fold of document.querySelectorAll(".guide details[open]")) if (fold !== kept) fold.open = false;
};
document.querySelector(".guide").addEventListener("click", (event) => {
  const pressed = event.target.closest("summary")?.parentElement;
  if (pressed) closeOthers(pressed);
});
function unfold() {
  const named = document.getElementById(location.hash.slice(1))?.closest("details");
  if (!named) return;
  closeOthers(named);
  named.open = true;
}
addEventListener("hashchange", unfold);
unfold();

window.arrived?.(import.meta.url);
