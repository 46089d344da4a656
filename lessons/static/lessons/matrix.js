// Sorts the students of a matrix in place; without this script the links do.

const table = document.querySelector(".matrix tbody");
const links = Array.from(document.querySelectorAll(".matrix [data-sort]"));
const isByName = () => links.some((link) => link.dataset.sort === "name" && link.hasAttribute("aria-current"));

if (table && !isByName()) {
  const rows = Array.from(table.rows);
  for (const link of links) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const place = (row) => (link.dataset.sort === "name" ? Number(row.dataset.name) : rows.indexOf(row));
      table.append(...rows.slice().sort((a, b) => place(a) - place(b)));
      for (const each of links) each.toggleAttribute("aria-current", false);
      link.setAttribute("aria-current", "true");
    });
  }
}

window.arrived?.(import.meta.url);
