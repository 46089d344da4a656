// For whoever listens: whose turn it is, said once, and the whole situation when it is asked for.

import { sound } from "./sounds.js";

const table = document.getElementById("table");
const byId = (id) => document.getElementById(id);

function append(region, text) {
  const line = document.createElement("p");
  line.textContent = text;
  byId(region).append(line);
}

export const tell = (text) => append("live", text);

// "Your turn" is the one thing that may interrupt a listener. Returns whether it was said just now.

let calledFor = "";

export function callToTurn() {
  const turn = byId("play")?.elements.turn.value;
  if (!turn || turn === calledFor) return false;
  calledFor = turn;
  sound("turn");
  const sentence = byId("sentence");
  append("urgent", `${byId("urgent").dataset.turn} ${sentence.dataset.heard ?? sentence.textContent}`);
  return true;
}

// What is written in a part, as it is read out.

export function spoken(part) {
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT, (text) =>
    text.parentElement.closest("[aria-hidden=true], [hidden], .then") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const words = [];
  while (texts.nextNode()) words.push(texts.currentNode.data.replace(/^[ \n]+|[ \n]+$/g, "")); // no-break spaces stay
  return words.filter(Boolean).join(" ").replace(/ ([\u00a0\u202f]?[,.:!?])/g, "$1");
}

const cardOf = (part) => part.querySelector(".card")?.getAttribute("aria-label");

// The whole situation in sentences, for a listener who has lost the thread.

export function situation() {
  const seat = (place) => [spoken(place.querySelector(".seat")), cardOf(place.querySelector(".slot")), spoken(place.querySelector(".slot"))].filter(Boolean).join(": ");
  const parts = [
    spoken(byId("bar")),
    spoken(byId("sentence")),
    ...Array.from(byId("called").children, spoken),
    ...Array.from(table.querySelectorAll("#seats > li"), seat),
    ...(byId("result").hidden ? [] : [spoken(byId("result"))]),
    ...Array.from(byId("hand").querySelectorAll(".card"), (card) => card.getAttribute("aria-label")),
  ];
  tell(parts.filter(Boolean).map((part) => (/[.!?:]$/.test(part) ? part : `${part}.`)).join(" "));
}

window.arrived?.(import.meta.url);
