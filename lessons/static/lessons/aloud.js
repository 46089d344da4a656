// Reading aloud: whatever carries data-aloud, by a voice of this device that speaks the page's
// language. Only voices whose localService is true: others send the text away. The word that is
// spoken is marked, where the browser can.

const language = document.documentElement.lang;
const synthesis = window.speechSynthesis;
const SILENT = "button, nav, input, select, script, style, template, noscript, .kind, [hidden], [aria-hidden=true]";

const voice = () => {
  const own = synthesis.getVoices().filter((each) => each.localService && each.lang.replace("_", "-").split("-")[0] === language.split("-")[0]);
  return own.find((each) => each.default) ?? own[0];
};

// What is said, in pieces: each is of one node, and `same` where it is said letter by letter.

function pieces(part, words) {
  const found = [];
  const say = (node, text, same = false) => {
    if (text.trim()) found.push({ node, text, same });
  };
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = spoken(node.data, words);
      return say(node, text, text === node.data);
    }
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(SILENT)) return;
    if (node.matches("[role=img]")) return say(node, `${node.getAttribute("aria-label")}.`);
    if (node.localName === "math") return say(node, ` ${formula(node, words)} `);
    if (!node.getClientRects().length) return;
    for (const child of node.childNodes) walk(child);
    const isInline = getComputedStyle(node).display.startsWith("inline");
    if (!isInline && found.length) found.at(-1).ends = true;
  };
  walk(part);
  return found;
}

const put = (words, parts) => words.replace(/{(\w)}/g, (_all, name) => parts[name] ?? "");

const spoken = (text, words) => text
  .replace(/\s+/g, " ")
  .replace(/(\d+) ?\/ ?(\d+)/g, (_all, a, b) => put(words.over, { a, b }))
  .replace(/−(\d[\d.,]*)/g, (_all, a) => put(words.minus, { a }));

function formula(node, words) {
  const parts = Array.from(node.children, (child) => formula(child, words));
  const [a, b] = parts;
  if (node.localName === "msup") return put(words.power, { a, b });
  if (node.localName !== "mfrac") return parts.length ? parts.join(" ") : spoken(node.textContent.replace("·", "×"), words);
  return parseFloat(node.getAttribute("linethickness") ?? 1) === 0 ? put(words.choose, { n: a, k: b }) : put(words.over, { a, b });
}

// One thing is read at a time.

let reading = null;

function stop() {
  synthesis.cancel();
  CSS.highlights?.delete("aloud");
  reading?.button.setAttribute("aria-pressed", "false");
  if (reading) reading.button.lastChild.data = reading.part.dataset.aloud;
  reading = null;
}

function read(part, button) {
  const same = reading?.button === button;
  stop();
  if (same) return;
  const said = pieces(part, part.dataset);
  let text = "";
  for (const piece of said) {
    piece.at = text.length;
    text += piece.text + (piece.ends && !/[.!?:…]\s*$/.test(piece.text) ? ". " : " ");
  }
  const utterance = Object.assign(new SpeechSynthesisUtterance(text), { lang: language, voice: voice() });
  utterance.onend = utterance.onerror = () => reading?.utterance === utterance && stop();
  utterance.onboundary = ({ charIndex, charLength }) => mark(said, charIndex, charLength);
  reading = { part, button, utterance };
  button.setAttribute("aria-pressed", "true");
  button.lastChild.data = part.dataset.quiet;
  synthesis.speak(utterance);
}

function mark(said, at, length = 1) {
  const piece = said.findLast((each) => each.at <= at);
  if (!piece?.node.isConnected || !CSS.highlights) return;
  const range = document.createRange();
  range.selectNode(piece.node);
  if (piece.same) {
    range.setStart(piece.node, Math.min(at - piece.at, piece.node.length));
    range.setEnd(piece.node, Math.min(at - piece.at + length, piece.node.length));
  }
  CSS.highlights.set("aloud", new Highlight(range));
}

// A button at each, as long as there is a voice.

function offer() {
  if (reading && !reading.part.isConnected) stop();
  if (!voice()) return;
  for (const part of document.querySelectorAll("[data-aloud]")) {
    if (part.querySelector(":scope .aloud")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "aloud";
    button.setAttribute("aria-pressed", "false");
    button.append(part.dataset.aloud);
    button.addEventListener("click", () => read(part, button));
    const head = part.querySelector(".question-head, h1");
    if (head?.matches("h1")) head.after(button);
    else if (head) head.append(button);
    else part.prepend(button);
  }
}

if (synthesis && window.SpeechSynthesisUtterance) {
  synthesis.addEventListener?.("voiceschanged", offer);
  document.addEventListener("htmx:afterSettle", offer);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && reading && stop());
  addEventListener("pagehide", stop);
  offer();
}

window.arrived?.(import.meta.url);
