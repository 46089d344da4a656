// Own questions: what is wrong leads to its line in the text, the text to its question; whoever saves finds the place
// again; what is not saved is not left unasked.
const text = document.querySelector(".set-form textarea");
const PLACE = `set:${location.pathname}`;
let isSaved = true;

document.querySelector(".set-form")?.addEventListener("input", () => (isSaved = false));
document.addEventListener("submit", (event) => {
  if (event.target.id !== "set-form") return;
  isSaved = true;
  sessionStorage.setItem(PLACE, JSON.stringify([scrollY, text.scrollTop, text.selectionStart]));
});
window.addEventListener("beforeunload", (event) => {
  if (!isSaved) event.preventDefault();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-line]");
  if (!button || !text) return;
  const lines = text.value.split("\n");
  const line = Number(button.dataset.line) - 1;
  const start = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[line] ?? "").length);
  text.scrollTop = Math.max(0, (line / lines.length) * text.scrollHeight - 60);
});

// The question that is being written is the one in sight.
function follow() {
  const before = text.value.slice(0, text.selectionStart);
  const number = (before.match(/^#/gm) ?? []).length;
  const pane = document.getElementById("set-preview");
  const question = pane.querySelector(`[data-question-of="${number}"]`);
  if (question && pane.scrollHeight > pane.clientHeight) pane.scrollTop = question.offsetTop - pane.offsetTop;
}
if (text) {
  ["click", "keyup"].forEach((name) => text.addEventListener(name, follow));
  document.getElementById("set-preview").addEventListener("htmx:afterSwap", follow);
  const place = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
  if (place) {
    scrollTo(0, place[0]);
    text.scrollTop = place[1];
    text.setSelectionRange(place[2], place[2]);
    sessionStorage.removeItem(PLACE);
    follow();
  }
}

window.arrived?.(import.meta.url);
