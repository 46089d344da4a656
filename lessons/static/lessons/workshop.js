// What a slider stands at while it moves, what the example's cards are then worth, and its bid;
// what the rule before came to is no longer told.

const form = document.querySelector(".workshop form");
const example = document.querySelector(".worked");
const format = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 2 });
const inWords = (value) => format.format(value).replace("-", "−");

function tellWorth() {
  let sum = 0;
  for (const item of example.querySelectorAll("[data-of]")) {
    const names = item.dataset.of.split(",").filter(Boolean);
    const worth = Math.round(names.reduce((all, name) => all + Number(form.elements[name].value), 0) * 100) / 100;
    item.querySelector(".worth").textContent = inWords(worth);
    item.classList.toggle("counts", worth > 0);
    sum += worth;
  }
  sum = Math.round(sum * 100) / 100;
  const circles = [...example.querySelectorAll(".circles i")];
  const bid = Math.min(circles.length, Math.max(0, Math.ceil(sum - .5)));
  example.querySelector(".total").textContent = inWords(sum);
  const told = example.querySelector("output b");
  if (told.textContent !== `${bid}`) told.textContent = bid;
  circles.forEach((circle, place) => circle.classList.toggle("full", place < bid));
}

const came = document.querySelector("#came");
const said = came.querySelector(".said");
const before = said?.textContent;

function tellChanged() {
  const changed = [...form.querySelectorAll("[type=range]")].some(({ value, defaultValue }) => +value !== +defaultValue);
  came.classList.toggle("changed", changed);
  const words = changed ? came.dataset.changed : before;
  if (said && said.textContent !== words) said.textContent = words;
}

form.addEventListener("input", ({ target }) => {
  const output = form.querySelector(`output[for="${target.id}"]`);
  if (output) output.textContent = inWords(target.value);
  tellWorth();
  tellChanged();
});
tellWorth();
tellChanged(); // a browser keeps where sliders stood

window.arrived?.(import.meta.url);
