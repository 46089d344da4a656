// A chapter of learning by playing: the table's page without a table. What is played goes to the
// chapter's own address, by a plain request that carries all moves so far; the answer is what a
// table would have pushed, one moment after the other. Reloaded, the page stands where it stood.

import { callToTurn, tell } from "./ear.js";
import { showChoice } from "./hand.js";
import { shake } from "./motion.js";

const table = document.getElementById("table");
const byId = (id) => document.getElementById(id);
const PACE = 700; // between two cards, as at a table of bots
const HEARD_AFTER = 400; // a live region is heard when it changes after the page is there

const rest = () => new Promise((done) => setTimeout(done, PACE));

class Line extends EventTarget {
  OPEN = 1;
  readyState = 0;
  isAsking = false;

  constructor() {
    super();
    setTimeout(() => {
      this.readyState = this.OPEN;
      this.emit("open");
    });
  }

  async send(text) {
    const { type, move } = JSON.parse(text);
    if (type !== "move" || this.isAsking) return;
    this.isAsking = true;
    try {
      const asked = new URLSearchParams({ moves: table.dataset.moves, move });
      const answer = await fetch(`${location.pathname}?${asked}`);
      if (!answer.ok) throw new Error(answer.status);
      await this.show(await answer.json());
    } catch {
      table.dispatchEvent(new CustomEvent("says", { detail: table.dataset.failed }));
    }
    this.isAsking = false;
  }

  async show({ moves, frames, wrong, through }) {
    table.dataset.moves = moves;
    const address = new URL(location.href);
    if (moves) address.searchParams.set("moves", moves);
    history.replaceState(history.state, "", address);
    for (const [place, data] of frames.entries()) {
      if (place) await rest();
      this.emit("message", { data });
    }
    if (wrong) takeBack(wrong);
    if (!through) return;
    const here = document.querySelector(".chapters [aria-current]");
    here.classList.add("done");
    here.querySelector("[hidden]")?.removeAttribute("hidden");
  }

  close() {}

  emit(type, facts) {
    const event = Object.assign(new Event(type), facts);
    this[`on${type}`]?.(event);
    this.dispatchEvent(event);
  }
}

// A card that is not meant shakes its head, and stays up, crossed out, until another is chosen.
function takeBack(move) {
  const input = table.querySelector(`#play [value="${move.split(":")[0]}"], #choices [value="${move}"]`);
  if (!input) return;
  input.checked = false;
  showChoice();
  const label = input.closest("label");
  label.classList.add("crossed");
  table.addEventListener("acts", () => label.classList.remove("crossed"), { once: true });
  shake(label);
}

const toClass = window.htmx.createWebSocket;
window.htmx.createWebSocket = (url) => (new URL(url).pathname.startsWith("/ws/") ? toClass(url) : new Line());

// At the end whoever uses keys has the way on under their fingers.

table.addEventListener("htmx:wsAfterMessage", () => {
  if ("keyed" in document.body.dataset && !table.contains(document.activeElement?.closest(".learnt"))) {
    document.querySelector(".learnt .primary")?.focus({ preventScroll: true });
  }
});

setTimeout(() => {
  if (byId("play")) callToTurn();
  else tell(`${byId("sentence").textContent} ${byId("learnt")?.textContent ?? ""}`);
}, HEARD_AFTER);

window.arrived?.(import.meta.url);
