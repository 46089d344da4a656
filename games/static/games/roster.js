// Who is who, in the page's memory alone: what is typed here is in no form, no request and no
// storage, and is wiped when the page is left, so that no history brings it back.

import { withGrades } from "./grades.js";

const table = document.getElementById("who");

if (table) {
  const fields = Array.from(table.querySelectorAll("input"));
  const made = fields.map((field) => field.closest("tr").querySelector("th").textContent.trim());
  const list = document.getElementById("list");
  const notice = document.getElementById("roster-notice");
  const file = document.getElementById("file");
  const grades = document.getElementById("grades-file");
  const show = document.getElementById("show");
  const school = document.getElementById("school");
  let isKept = true;

  const lines = (text) => text.split(/[\r\n]+/).map((line) => line.trim()).filter(Boolean);
  // A tab would end the name in our file.
  const tidy = (name) => name.replace(/[\p{Cc}\s]+/gu, " ").trim();
  // Without a number before it ("3. "), and a class after it (";7b").
  const listed = (line) => tidy(line.replace(/^\d{1,3}[.)]\s+/, "").replace(/[;\t]\s*\d{1,2} ?\p{L}$/u, ""));
  const isHidden = () => table.hasAttribute("data-hidden");
  const say = (label, number) => {
    notice.textContent = `${label} ${number}`;
  };
  const sayFilled = (label, number) => {
    say(label, number);
    if (isHidden()) notice.textContent += `. ${notice.dataset.unseen}`;
  };

  function save(text, download) {
    const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    Object.assign(document.createElement("a"), { href, download }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  }

  function fill(names) {
    const free = fields.filter((field) => !field.value);
    names.slice(0, free.length).forEach((name, index) => {
      free[index].value = name;
    });
    isKept = false;
    const over = names.slice(free.length);
    list.value = over.join("\n");
    if (over.length) sayFilled(notice.dataset.over, over.length);
    else sayFilled(notice.dataset.filled, names.length);
  }

  function wipe() {
    for (const field of [...fields, list, file, grades]) field.value = "";
    notice.textContent = "";
  }

  document.getElementById("fill").addEventListener("click", () => {
    fill(lines(list.value).map(listed).filter(Boolean));
  });
  show.addEventListener("click", () => {
    const hidden = table.toggleAttribute("data-hidden");
    show.setAttribute("aria-pressed", String(!hidden));
    notice.textContent = notice.textContent.replace(notice.dataset.unseen, "");
  });
  // What is typed is seen until the field is left.
  table.addEventListener("change", () => {
    notice.textContent = isHidden() ? notice.dataset.unseen : "";
  });
  table.addEventListener("input", () => {
    isKept = false;
  });
  document.getElementById("print").addEventListener("click", () => window.print());
  document.getElementById("save").addEventListener("click", () => {
    const rows = fields.map((field, index) => `${made[index]}\t${tidy(field.value)}`);
    save(`${rows.join("\n")}\n`, document.getElementById("roster").dataset.file);
    isKept = true;
  });
  document.getElementById("open").addEventListener("click", () => file.click());
  file.addEventListener("change", async () => {
    if (!file.files[0]) return;
    const text = await file.files[0].text();
    file.value = "";
    let found = 0;
    for (const line of lines(text)) {
      const [plays, ...columns] = line.split("\t");
      const name = tidy(columns.join(" "));
      const place = made.indexOf(plays.trim());
      if (place < 0 || !name) continue;
      fields[place].value = name;
      found += 1;
    }
    sayFilled(notice.dataset.filled, found);
  });
  document.getElementById("open-grades").addEventListener("click", () => grades.click());
  grades.addEventListener("change", async () => {
    const [book] = grades.files;
    if (!book) return;
    const answer = await fetch(school.dataset.grades);
    const found = withGrades(await book.text(), await answer.text(), new Map(made.map((name, at) => [name, fields[at].value])));
    grades.value = "";
    if (!found) notice.textContent = notice.dataset.odd;
    if (!found) return;
    say(notice.dataset.graded, found.graded);
    if (found.lost.length) notice.textContent += `. ${notice.dataset.lost} ${found.lost.join(", ")}`;
    save(found.text, book.name);
  });
  if (location.hash === "#school") school.open = true;
  addEventListener("beforeunload", (event) => {
    if (isKept || !fields.some((field) => field.value)) return;
    event.preventDefault();
    event.returnValue = "";
  });
  addEventListener("pagehide", wipe);
}

window.arrived?.(import.meta.url);
