// The connection of a page to its table or class: a WebSocket or, where a filter lets none through, a question
// every two seconds over plain requests. To htmx and to the page's scripts both are one socket
// (docs/decisions/0036-without-sockets.md).

const ASK_EVERY = 2000;
const ASK_UNSEEN_EVERY = 10000;
const ANSWER_WITHIN = 10000;
const FIRST_FRAME_WITHIN = 5000; // some filters let a socket be opened, and then nothing through
const HOLDS_AFTER = 10000; // what ends sooner was none
const TRY_AGAIN_AFTER = 5000; // then twice as long each time
const TRY_AGAIN_AT_LEAST_EVERY = 300000;
const SLEPT = 15000;
const PRESS_AT_MOST = 2000;
const CLICK_WITHIN = 40; // after the end of its press
const OUR_CODES = [1008, 1009, 1011, 1012, 1013, 4404]; // no other has come from our server
const LOST = 1006;

const words = document.getElementById("connection");
const me = Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");
let line = null;
let got = 0; // frames of the server's line

// "lost", "gone", "asks" or nothing: the words for it stand in the page.
function say(what) {
  const text = what && words.dataset[what];
  if (words.textContent !== text) words.textContent = text;
  for (const kind of ["asks", "gone"]) words.classList.toggle(kind, what === kind);
}

// What a class says from now on in another language stands on a page that is in it as a whole.
document.addEventListener("htmx:wsAfterMessage", () => {
  const spoken = document.getElementById("language")?.dataset.language;
  if (spoken && spoken !== document.documentElement.lang) location.reload();
});

class Line extends EventTarget {
  OPEN = 1;
  readyState = 0;
  socket = null; // the one that holds
  tried = null; // the one of which that is not known yet, and what it has said
  heard = [];
  isAsking = false;
  unsent = [];
  question = null; // that is under way
  tryAgainAfter = TRY_AGAIN_AFTER;

  constructor(url) {
    super();
    this.url = url;
    const address = new URL(url.replace(/^ws/, "http"));
    address.pathname = address.pathname.replace("/ws/", "/ask/");
    address.searchParams.set("line", me);
    this.address = address.href;
    // Where none came through a page ago, nobody waits for the next one.
    if (sessionStorage.getItem("asks")) this.startAsking();
    else this.try();
  }

  // By socket.

  try() {
    const socket = new WebSocket(this.url);
    const giveUp = setTimeout(() => this.failed(socket), FIRST_FRAME_WITHIN);
    this.tried = socket;
    this.heard = [];
    socket.onmessage = ({ data }) => {
      clearTimeout(giveUp);
      if (socket === this.socket) return this.tell(data);
      this.heard.push(data);
      this.holdIfFree();
    };
    socket.onclose = ({ code }) => {
      clearTimeout(giveUp);
      if (socket === this.socket) this.ended(code);
      else this.failed(socket, code);
    };
  }

  failed(socket, code = LOST) {
    if (socket !== this.tried) return;
    this.tried = null;
    socket.onmessage = socket.onclose = null;
    socket.close();
    if (this.isAsking) this.tryAgain();
    else if (OUR_CODES.includes(code)) this.finish(code);
    else this.startAsking();
  }

  // What has been asked is answered first, so that nothing older comes after something newer.
  holdIfFree() {
    if (!this.heard.length || this.question || this.unsent.length) return;
    this.socket = this.tried;
    this.tried = null;
    if (this.isAsking) this.stopAsking();
    sessionStorage.removeItem("asks");
    this.since = Date.now();
    this.opened("");
    for (const frame of this.heard.splice(0)) this.tell(frame);
  }

  ended(code) {
    this.socket = null;
    if (OUR_CODES.includes(code) || Date.now() - this.since > HOLDS_AFTER) return this.finish(code);
    this.readyState = 0;
    say("lost");
    this.startAsking();
  }

  // By asking.

  startAsking() {
    this.isAsking = true;
    this.ask();
    this.tryAgain();
  }

  stopAsking() {
    this.isAsking = false;
    clearTimeout(this.next);
    clearTimeout(this.again);
    this.question?.abort();
    navigator.sendBeacon(this.address, JSON.stringify({ got, leaves: true }));
  }

  tryAgain() {
    clearTimeout(this.again);
    this.again = setTimeout(() => this.try(), this.tryAgainAfter);
    this.tryAgainAfter = Math.min(this.tryAgainAfter * 2, TRY_AGAIN_AT_LEAST_EVERY);
  }

  async ask() {
    clearTimeout(this.next);
    if (this.question) return; // after its answer
    const question = (this.question = new AbortController());
    const giveUp = setTimeout(() => question.abort(), ANSWER_WITHIN);
    const messages = this.unsent.splice(0);
    let answer = null;
    try {
      const response = await fetch(this.address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ got, messages }),
        signal: question.signal,
      });
      answer = response.status === 204 ? { frames: [] } : await response.json();
      if (!Array.isArray(answer.frames)) throw new TypeError("the answer is somebody else's");
    } catch {
      answer = null;
    }
    clearTimeout(giveUp);
    if (question !== this.question) return;
    this.question = null;
    if (!this.isAsking) return;
    if (answer === null) return this.finish(LOST);
    sessionStorage.setItem("asks", "1");
    if (answer.frames.length) got = answer.from + answer.frames.length;
    this.opened("asks");
    for (const frame of answer.frames) this.tell(frame);
    if (answer.closed) return this.finish(answer.closed);
    this.holdIfFree();
    if (this.isAsking) this.askSoon();
  }

  askSoon() {
    clearTimeout(this.next);
    const wait = document.hidden ? ASK_UNSEEN_EVERY : ASK_EVERY;
    this.next = setTimeout(() => this.ask(), this.unsent.length ? 0 : wait);
  }

  // What htmx knows of a socket.

  send(text) {
    if (this.socket) return this.socket.send(text);
    this.unsent.push(text);
    this.ask();
  }

  close() {
    if (this.isAsking) this.stopAsking();
    this.finish(1000);
  }

  opened(how) {
    say(how);
    if (this.readyState === this.OPEN) return;
    this.readyState = this.OPEN;
    line = this;
    this.emit("open");
  }

  tell(data) {
    if (pressed || holds(data)) return waits.push(() => this.tell(data));
    if (this.readyState === this.OPEN) this.emit("message", { data });
  }

  finish(code) {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.isAsking = false;
    clearTimeout(this.next);
    clearTimeout(this.again);
    for (const socket of [this.socket, this.tried]) {
      if (!socket) continue;
      socket.onmessage = socket.onclose = null;
      socket.close();
    }
    this.socket = this.tried = null;
    say(code === 4404 ? "gone" : "lost");
    this.emit("close", { code });
  }

  emit(type, facts) {
    const event = Object.assign(new Event(type), facts);
    this[`on${type}`]?.(event);
    this.dispatchEvent(event);
  }
}

// A press that has begun does not lose what it was on: what comes meanwhile waits for its end. A page may let news
// wait, too, for as long as it says so of each.

let pressed = null;
let holds = () => false;
const waits = [];

export const holdNews = (which) => (holds = which);

export function release() {
  if (!pressed) for (const tell of waits.splice(0)) tell();
}

function endPress() {
  pressed = null;
  release();
}
addEventListener("pointerdown", () => {
  clearTimeout(pressed);
  pressed = setTimeout(endPress, PRESS_AT_MOST);
}, true);
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => {
    clearTimeout(pressed);
    pressed = setTimeout(endPress, CLICK_WITHIN);
  }, true);
}

// A device that slept does not know that its socket has died meanwhile: who wakes opens another.

let awakeAt = Date.now();

function wake() {
  const slept = Date.now() - awakeAt > SLEPT;
  awakeAt = Date.now();
  if (line?.isAsking) line.ask();
  else if (slept && line?.socket) line.finish(LOST);
}
setInterval(() => {
  if (document.hidden) return;
  if (Date.now() - awakeAt > SLEPT) wake();
  awakeAt = Date.now();
}, 1000);
document.addEventListener("visibilitychange", () => (document.hidden ? (awakeAt = Date.now()) : wake()));
// Whoever goes is not waited for; who comes back by the button "back" asks again.
addEventListener("pagehide", () => {
  if (line?.isAsking) navigator.sendBeacon(line.address, JSON.stringify({ got, leaves: true }));
});

const hasSockets = Boolean(window.htmx.createWebSocket);
window.htmx.createWebSocket = (url) => new Line(url);
// Back quickly, then patiently, each browser at its own moment.
window.htmx.config.wsReconnectDelay = (tries) => Math.min(250 * 2 ** tries, 5000) * (0.5 + Math.random());

if (hasSockets) window.arrived?.(import.meta.url);
