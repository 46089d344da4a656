// Shows the buttons that print the page; without scripts the browser's own menu does.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
window.arrived?.(import.meta.url);
