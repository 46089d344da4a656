// A puzzle is answered as one plays: with the hand and the board (hand.js). What is chosen is sent as
// the answer, by the page itself.

import { offerCalls, picked, showChoice } from "./hand.js";

const play = document.getElementById("play");

for (const text of document.querySelectorAll(`#table [data-me="${document.getElementById("table").dataset.me}"][data-you]`)) {
  text.textContent = text.dataset.you;
}
offerCalls();
showChoice();
play?.addEventListener("submit", () => {
  const card = picked("card")?.value;
  document.getElementById("answer").value = picked("bid")?.value ?? (card && `${card}:${picked("call")?.value}`) ?? "";
});

window.arrived?.(import.meta.url);
