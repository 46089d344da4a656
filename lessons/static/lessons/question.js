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

document.addEventListener("htmx:sendError", (event) => {
  const question = event.target.closest?.(".question");
  if (question) line(question, question.dataset.lost);
});

document.addEventListener("htmx:responseError", (event) => {
  const question = event.target.closest?.(".question");
  if (question) line(question, question.dataset.gone);
});

export function tellWhetherOpen() {
  const open = document.querySelector(".question[data-state=open]") !== null;
  if (open) document.body.dataset.question = "open";
  else delete document.body.dataset.question;
}

document.addEventListener("htmx:afterSettle", tellWhetherOpen);
tellWhetherOpen();

// A formula that is wider than its column can be scrolled by the keyboard, too.

function letScroll() {
  for (const line of document.querySelectorAll(".solution li")) {
    if (line.scrollWidth > line.clientWidth || line.scrollHeight > line.clientHeight) line.tabIndex = 0;
  }
}

document.addEventListener("htmx:afterSettle", letScroll);
addEventListener("resize", letScroll);
letScroll();
