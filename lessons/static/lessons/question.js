// Questions in the browser: htmx sends and swaps them; this tells when that did not work, and
// lets the page know that a question is open (body[data-question]): what would give the answer
// away is folded then.

const line = (question, text) => {
  let verdict = question.querySelector(".verdict");
  if (!verdict) {
    verdict = document.createElement("div");
    verdict.className = "verdict";
    verdict.tabIndex = -1;
    const form = question.querySelector("form");
    form ? form.before(verdict) : question.append(verdict);
  }
  verdict.dataset.outcome = "refused";
  verdict.replaceChildren(Object.assign(document.createElement("p"), { textContent: text }));
  verdict.focus();
};

// The second click of a double click may meet the answer's own page, where it would be one more try.

document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest?.(".question-form button")) event.preventDefault();
}, true);

document.addEventListener("htmx:sendError", (event) => {
  const question = event.target.closest?.(".question");
  if (question) line(question, question.dataset.lost);
});

document.addEventListener("htmx:responseError", (event) => {
  const question = event.target.closest?.(".question");
  const isGone = event.detail.xhr.status < 500;
  if (question) line(question, isGone ? question.dataset.gone : question.dataset.failed);
});

function tellWhetherOpen() {
  const open = document.querySelector(".question[data-state=open]") !== null;
  if (open) document.body.dataset.question = "open";
  else delete document.body.dataset.question;
}

document.addEventListener("htmx:afterSettle", tellWhetherOpen);
tellWhetherOpen();

// What makes a graph that is built move comes once there is one.

function letBuild() {
  const built = document.querySelector("[data-build]");
  if (built) import(built.dataset.script);
}

document.addEventListener("htmx:afterSettle", letBuild);
letBuild();

// The dealer's seat on a board shows the bid that is chosen for it.

document.addEventListener("change", ({ target }) => {
  const seat = target.matches("input") && target.closest(".bids-board")?.querySelector(".dealer");
  if (!seat) return;
  const bid = Number(target.value);
  seat.querySelector("b").textContent = Number.isNaN(bid) ? "?" : target.value;
  seat.querySelector(".circles").replaceChildren(...Array.from({ length: bid || 0 }, () => document.createElement("i")));
});

// A formula that is wider than its column can be scrolled by the keyboard, too.

function letScroll() {
  for (const line of document.querySelectorAll(".solution li")) {
    if (line.scrollWidth > line.clientWidth || line.scrollHeight > line.clientHeight) line.tabIndex = 0;
  }
}

document.addEventListener("htmx:afterSettle", letScroll);
addEventListener("resize", letScroll);
letScroll();

// A part that asks anew (by hx-trigger="fetch") does so unless somebody is in the middle of an
// answer there: something is typed or chosen, a field has the focus, or a hint is being read.

function isHeld(part) {
  if (part.contains(document.activeElement) && document.activeElement.matches("input")) return true;
  if (part.querySelector(".question[data-state=open] .verdict")) return true;
  return Array.from(part.querySelectorAll("input:not([type=hidden])")).some((input) =>
    input.type === "radio" ? input.checked !== input.defaultChecked : input.value !== input.defaultValue,
  );
}

document.addEventListener("anew", (event) => {
  if (!isHeld(event.target)) window.htmx.trigger(event.target, "fetch");
});

// What a teacher puts before the class comes when the page's number of news has changed. It takes
// the place of a half-made answer only if the question itself was closed, shown or taken away.

const put = document.getElementById("class-question");

if (put) {
  // In the lobby; beside a table, the table's own script tells of it.
  let told = "";
  const tell = () => {
    const asks = put.querySelector("[data-new]");
    if (!asks || document.getElementById("sheet-question") || asks.dataset.exercise === told) return;
    told = asks.dataset.exercise;
    document.getElementById("live")?.append(Object.assign(document.createElement("p"), { textContent: asks.dataset.new }));
  };
  const number = () => document.querySelector("[data-news]")?.dataset.news;
  let news = number();
  const look = () => {
    if (number() === news) return;
    news = number();
    window.htmx.trigger(put, "fetch");
    document.dispatchEvent(new Event("news"));
  };
  put.addEventListener("htmx:beforeSwap", (event) => {
    if (event.target !== put) return;
    const next = document.createElement("template");
    next.innerHTML = event.detail.serverResponse;
    const isSame = next.content.firstElementChild?.dataset.exercise === put.querySelector(".before-class")?.dataset.exercise;
    if (isSame && isHeld(put)) event.detail.shouldSwap = false;
    else if (put.contains(document.activeElement)) put.dataset.hadFocus = "";
  });
  put.addEventListener("htmx:afterSettle", () => {
    tell();
    if (!("hadFocus" in put.dataset)) return;
    delete put.dataset.hadFocus;
    if (!put.contains(document.activeElement)) put.querySelector("h2")?.focus({ preventScroll: true });
  });
  document.addEventListener("htmx:wsBeforeMessage", () => queueMicrotask(look));
  document.addEventListener("htmx:wsAfterMessage", look);
}

window.arrived?.(import.meta.url);
