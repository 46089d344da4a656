// A slider beside each number of a rule: both say the same.

for (const field of document.querySelectorAll(".rule .slider input")) {
  const { least, most, step } = field.dataset;
  const slider = document.createElement("input");
  const inWords = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 2 });
  const read = () => Number(field.value.trim().replace(",", ".").replace(/[−–]/, "-"));
  Object.assign(slider, { type: "range", min: least, max: most, step, value: read() });
  slider.setAttribute("aria-labelledby", field.id + "-label");
  field.labels[0].id = field.id + "-label";
  slider.addEventListener("input", () => {
    field.value = inWords.format(slider.value).replace("-", "−");
  });
  field.addEventListener("input", () => {
    if (!Number.isNaN(read())) slider.value = read();
  });
  field.before(slider);
}

window.arrived?.(import.meta.url);
