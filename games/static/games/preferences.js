// How somebody likes to play, kept on this device: the form in the sheet "More".

const form = document.getElementById("preferences") ?? document.createElement("form"); // a puzzle has none
export const stored = read();

function read() {
  try {
    return JSON.parse(localStorage.getItem("xactika") ?? "{}");
  } catch {
    return {};
  }
}

export function keep() {
  try {
    localStorage.setItem("xactika", JSON.stringify(stored));
  } catch {
    // where nothing may be kept it holds for this page
  }
}

export function prefers(name) {
  const input = form.elements[name];
  return input instanceof RadioNodeList ? input.value : input?.checked;
}

for (const input of form.elements) {
  if (!(input.name in stored)) continue;
  if (input.type === "checkbox") input.checked = stored[input.name];
  if (input.type === "radio") input.checked = input.value === stored[input.name];
}
form.addEventListener("change", ({ target }) => {
  stored[target.name] = prefers(target.name);
  keep();
});

// Hints fade with experience: each has been read when it has come at eight turns.

const counted = new Map(); // by moment, at which turn; the prompt may come again within one

export function showHints() {
  const hint = document.querySelector("#prompt .hint");
  if (!hint) return;
  // Who has learnt by playing is told what comes after that; each is counted by itself.
  const knows = "learnt" in document.getElementById("table").dataset && hint.dataset.learnt;
  if (knows) hint.textContent = hint.dataset.learnt;
  const moment = (knows ? "next-" : "") + hint.dataset.hint;
  const { turn } = document.getElementById("turn").dataset;
  const times = (stored.times ??= {});
  if (counted.get(moment) !== turn) {
    counted.set(moment, turn);
    times[moment] = (times[moment] ?? 0) + 1;
    keep();
  }
  hint.hidden = !prefers("hints") || times[moment] > 8;
}
form.addEventListener("change", showHints);

// Whether hints have come at as many turns as a round has; whoever wants none knows the game.
const ROUND = 9;
export const hasPlayed = () => !prefers("hints") || Object.values(stored.times ?? {}).reduce((all, n) => all + n, 0) >= ROUND;

window.arrived?.(import.meta.url);
