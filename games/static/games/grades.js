// The file of a school's gradebook with our grades as further columns. What it rests on: Moodle
// finds users by e-mail address or number, takes any column as a new grade item, and "-" as no
// grade; Canvas wants its own columns first, as it exported them, and how many points are possible.

const CANVAS = /^\W*Points Possible/; // its row of the points

function rowsOf(text, separator) {
  const rows = [[""]];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    const row = rows.at(-1);
    if (sign === '"' && isQuoted && text[at + 1] === '"') {
      row[row.length - 1] += sign;
      at += 1;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) row[row.length - 1] += sign;
    else if (sign === separator) row.push("");
    else if (sign === "\n") rows.push([""]);
    else if (sign !== "\r") row[row.length - 1] += sign;
  }
  return rows.filter((row) => row.length > 1 || row[0]);
}

const wordsOf = (text) =>
  text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}@._-]+/gu) ?? [];

function written(rows, separator) {
  const cell = (text) => (/["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => row.map(cell).join(separator)).join("\r\n");
}

// The school's file with a column for each of ours; how many students have grades in it, and the
// made-up names of those whose line is not there, or not clear. Nothing for what is no gradebook.
export function withGrades(book, ours, realNames) {
  const [mark, text] = book.startsWith("\ufeff") ? ["\ufeff", book.slice(1)] : ["", book];
  const [first] = text.split("\n", 1);
  const separator = [",", ";", "\t"].reduce((best, each) => (first.split(each).length > first.split(best).length ? each : best));
  const [head, ...lines] = rowsOf(text, separator);
  if (!(head?.length > 2 && lines.length)) return null;
  const [[, ...titles], ...students] = rowsOf(ours.replace("\ufeff", ""), ",");
  const isCanvas = lines.some((line) => CANVAS.test(line[0]));
  const nobody = isCanvas ? "" : "-";
  const words = lines.map((line) => new Set(line.flatMap(wordsOf)));
  const places = titles.map((title) => {
    const place = head.findIndex((name) => name === title || name.startsWith(`${title} (`));
    return place < 0 ? head.push(title) - 1 : place;
  });
  for (const line of lines) {
    while (line.length < head.length) line.push("");
    const isPoints = CANVAS.test(line[0]);
    const isSomebody = !isCanvas || /\d/.test(line[1]);
    for (const place of places) if (isPoints || !line[place]) line[place] = isPoints ? "100" : isSomebody ? nobody : "";
  }
  const lost = [];
  const taken = new Map();
  for (const [madeUp, ...percents] of students) {
    const name = wordsOf(realNames.get(madeUp) ?? "");
    const fits = [...lines.keys()].filter((at) => name.length && name.every((word) => words[at].has(word)));
    taken.set(madeUp, [fits, percents]);
  }
  const wanted = [...taken.values()].flatMap(([fits]) => (fits.length === 1 ? fits : []));
  for (const [madeUp, [fits, percents]] of taken) {
    const isClear = fits.length === 1 && wanted.filter((at) => at === fits[0]).length === 1;
    if (!isClear) lost.push(madeUp);
    else percents.forEach((percent, at) => (lines[fits[0]][places[at]] = percent || lines[fits[0]][places[at]]));
  }
  return { text: mark + written([head, ...lines], separator), graded: taken.size - lost.length, lost };
}

window.arrived?.(import.meta.url);
