// What a slider stands at, while it moves.

const form = document.querySelector(".workshop form");
const inWords = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 2 });

form.addEventListener("input", ({ target }) => {
  const output = form.querySelector(`output[for="${target.id}"]`);
  if (output) output.textContent = inWords.format(target.value).replace("-", "−");
});

window.arrived?.(import.meta.url);
