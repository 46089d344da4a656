// The stats table: the whole deck, or what I have not seen.

const SHAPES = ["ball", "cube", "cone", "star"];
const sheet = document.getElementById("sheet-stats");
const stats = document.getElementById("stats");
const choice = document.getElementById("stats-choice");

export function countStats() {
  if (!sheet.open) return;
  const seen = new Set();
  if (choice.elements.cards.value === "unseen") {
    for (const card of document.querySelectorAll("#table [data-card]:not(#revealed *)")) seen.add(card.dataset.card);
  }
  const shape = SHAPES.indexOf(choice.elements.shape.value);
  const rows = new Map(Array.from(stats.tBodies[0].rows, (row) => [Number(row.cells[0].textContent), [0, 0, 0, 0, row]]));
  for (let n = 0; n < 81; n++) {
    const code = [27, 9, 3, 1].map((power) => (Math.floor(n / power) % 3) + 1);
    if (seen.has(code.join(""))) continue;
    const counts = rows.get(code.reduce((a, b) => a + b));
    counts[0] += 1;
    counts[code[shape]] += 1;
  }
  for (const [total, one, two, three, row] of rows.values()) {
    [total, one, two, three].forEach((count, place) => (row.cells[place + 1].textContent = count));
  }
  stats.caption.textContent = stats.caption.dataset[choice.elements.cards.value];
}

choice.addEventListener("change", countStats);
sheet.addEventListener("opened", () => {
  const called = document.querySelector("#called use")?.getAttribute("href").split("#")[1];
  if (called) choice.elements.shape.value = called;
  countStats();
});

window.arrived?.(import.meta.url);
