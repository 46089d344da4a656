// Shows the buttons that print the page, whole or the part that a button names (data-print="short"; the style sheet
// leaves out the rest); without scripts the browser's own menu prints.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    document.documentElement.dataset.print = button.dataset.print;
    print();
  });
}
addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("details.prints")) fold.open = true;
});
// In the guide one answer is open at a time.
document.querySelector(".guide")?.addEventListener("click", (event) => {
  const pressed = event.target.closest("summary")?.parentElement;
  if (!pressed) return;
  for (const fold of document.querySelectorAll(".guide details[open]")) if (fold !== pressed) fold.open = false;
});
// A fold that the address names is open.
const unfold = () => location.hash && document.querySelector(`details${location.hash}`)?.setAttribute("open", "");
addEventListener("hashchange", unfold);
unfold();
addEventListener("afterprint", () => delete document.documentElement.dataset.print);

window.arrived?.(import.meta.url);
