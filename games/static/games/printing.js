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
addEventListener("afterprint", () => delete document.documentElement.dataset.print);

window.arrived?.(import.meta.url);
