// The cockpit and the projector in the browser: running times, the panel of a table, what the
// server answers to a click, full screen.

const root = document.querySelector("[data-live]");
const panel = document.getElementById("panel");
const notice = document.getElementById("notice");

// What was done is said once: not again when the page is loaded anew.

const address = new URL(location.href);
if (address.searchParams.has("done")) {
  address.searchParams.delete("done");
  history.replaceState(history.state, "", address);
}

// How long a turn has lasted, and how long a board may last, by the server's clock.

const ahead = root.dataset.now ? Date.parse(root.dataset.now) - Date.now() : 0;

function tick() {
  for (const time of root.querySelectorAll("[data-since], [data-until]")) {
    const { since, until } = time.dataset;
    const now = Date.now() + ahead;
    const seconds = Math.max(0, Math.round((until ? Date.parse(until) - now : now - Date.parse(since)) / 1000));
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (time.textContent !== text) time.textContent = text;
  }
}
setInterval(tick, 1000);
root.addEventListener("htmx:wsAfterMessage", tick);
tick();

// The panel of a table: loaded when asked for, and again after what was done in it.

if (panel) {
  const body = document.getElementById("panel-body");
  // Only what a link asked for opens it: closed while it was being loaded again, it stays so.
  const isAsked = (event) => event.detail.requestConfig.elt.matches(".opens");
  const rows = () => Array.from(body.querySelectorAll(".panel-seats > li"));
  // A seat ends where it did while the pointer is here, lest another's button come under it.
  let [ends, pressed] = [[], ""];
  const keep = (high) => { body.style.minHeight = high; };
  body.addEventListener("htmx:beforeRequest", (event) => {
    if (!event.target.matches("form")) return;
    ends = rows().map((row) => row.getBoundingClientRect().bottom);
    pressed = document.activeElement.id;
    keep(`${body.offsetHeight}px`);
  });
  body.addEventListener("htmx:beforeSwap", (event) => {
    if (isAsked(event)) keep("");
    else if (!panel.open) event.detail.shouldSwap = false;
  });
  body.addEventListener("htmx:afterSwap", (event) => {
    const isNew = isAsked(event) && !panel.open;
    if (isNew) panel.open = true;
    rows().forEach((row, n) => {
      if (ends[n] && !isNew) row.style.minHeight = `${ends[n] - row.getBoundingClientRect().top}px`;
    });
    if (!isNew && body.contains(document.activeElement)) return;
    const back = document.getElementById(pressed.replace("-out-", "-in-")) ?? document.getElementById("panel-title");
    back?.focus({ preventScroll: !isNew });
  });
  body.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "mouse") return;
    keep("");
    for (const row of rows()) row.style.minHeight = "";
  });
  panel.addEventListener("closed", () => body.replaceChildren());
  const say = (text, but) => {
    for (const line of root.querySelectorAll(".notice")) if (!line.contains(but)) line.textContent = text;
  };
  // What was refused once need not be now: the line goes with the next press, and as soon as
  // there is another class to see: who is here and asks, who sits where, which round is played.
  root.addEventListener("htmx:beforeRequest", (event) => say("", event.target)); // but for its own Undo
  const picture = () =>
    Array.from(root.querySelectorAll("#room, #people, .sitters .who, .where"), (part) =>
      part.textContent.replace(/\d\/8$/, ""), // but for the trick: tables play on while one reads
    ).join();
  let seen = picture();
  let answeredAt = 0;
  root.addEventListener("htmx:afterRequest", () => {
    answeredAt = Date.now();
    seen = picture();
  });
  root.addEventListener("htmx:wsAfterMessage", () => {
    if (picture() === seen) return;
    seen = picture();
    // What comes together with an answer is what the answer is about; what can be taken back stays.
    if (Date.now() - answeredAt > 1000) say("", document.getElementById("panel-undo"));
  });
  document.getElementById("sheet-session").addEventListener("opened", () => {
    document.getElementById("expect-notice")?.replaceChildren();
  });
  root.addEventListener("htmx:responseError", (event) =>
    say(event.detail.xhr.status < 500 ? notice.dataset.gone : notice.dataset.failed));
  root.addEventListener("htmx:sendError", () => say(notice.dataset.failed));
}

// What comes next changes its meaning under the pointer: when it just has, a press was meant for
// what stood there before. For that moment it reads as disabled, so that the focus stays.

const acts = () => Array.from(root.querySelectorAll("#room .acts :is(button, a)"));
const SETTLED = 700;
let offered = "";
let changedAt = -SETTLED;

function settle() {
  const now = acts().map((each) => each.value || each.href).join();
  if (offered && now !== offered) {
    changedAt = performance.now();
    setTimeout(settle, SETTLED);
  }
  offered = now;
  const isNew = performance.now() - changedAt < SETTLED;
  for (const each of acts()) isNew ? each.setAttribute("aria-disabled", "true") : each.removeAttribute("aria-disabled");
}
root.addEventListener("htmx:wsAfterMessage", settle);
settle();
root.addEventListener("click", (event) => {
  if (!event.target.closest("#room .acts [aria-disabled=true]")) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

// The charts of the game: fetched when they are unfolded, and again after news, at most every
// five seconds. What somebody holds there stays as it is.

const inPlay = document.getElementById("in-play");
if (inPlay) {
  const [body, REST] = [inPlay.lastElementChild, 5000];
  let [askedAt, waits, isOpen] = [-REST, false, false];
  const ask = () => {
    waits = inPlay.open && (document.hidden || body.querySelector(".plot:focus, .here") !== null);
    if (waits) setTimeout(ask, REST);
    if (waits || !inPlay.open) return;
    askedAt = performance.now();
    body.dispatchEvent(new Event("stale"));
  };
  const news = () => {
    if (waits || !inPlay.open) return;
    waits = true;
    setTimeout(ask, Math.max(0, askedAt + REST - performance.now()));
  };
  inPlay.addEventListener("toggle", news);
  root.addEventListener("htmx:wsAfterMessage", news);
  body.addEventListener("htmx:beforeSwap", () => {
    isOpen = document.getElementById("in-play-numbers")?.open;
  });
  body.addEventListener("htmx:afterSwap", () => {
    if (isOpen) document.getElementById("in-play-numbers")?.setAttribute("open", "");
    for (const plot of body.querySelectorAll("[data-figure]")) {
      const detail = JSON.parse(document.getElementById(plot.dataset.figure).textContent);
      plot.dispatchEvent(new CustomEvent("figure", { detail, bubbles: true })); // at once: else it would flicker
    }
  });
}

const button = document.getElementById("full-screen");
if (button && document.fullscreenEnabled) {
  button.hidden = false;
  button.addEventListener("click", () => document.documentElement.requestFullscreen());
  document.addEventListener("fullscreenchange", () => {
    button.hidden = document.fullscreenElement !== null;
  });
}

window.arrived?.(import.meta.url);
