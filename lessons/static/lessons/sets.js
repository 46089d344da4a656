// Own questions: what is wrong leads to its line in the text.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-line]");
  const text = document.querySelector(".set-form textarea");
  if (!button || !text) return;
  const lines = text.value.split("\n");
  const line = Number(button.dataset.line) - 1;
  const start = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start);
  text.scrollTop = Math.max(0, (line / lines.length) * text.scrollHeight - 60);
  text.setSelectionRange(start, start + (lines[line] ?? "").length);
});
