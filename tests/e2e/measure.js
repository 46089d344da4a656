// All boxes, texts and targets of a table's page as they are drawn, once the browser has drawn a new size.
async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  scrollTo(0, 0);
  const { scrollWidth, clientWidth } = document.documentElement;
  const tell = (element) => {
    const name = element.id ? `#${element.id}` : element.classList.length
      ? `.${Array.from(element.classList).join(".")}` : element.localName;
    const host = element.parentElement?.closest("[id]");
    const text = (element.querySelector("[data-card]")?.dataset.card ??
      element.dataset.card ?? element.textContent).trim().replace(/\s+/g, " ");
    return `${element.id ? "" : `#${host?.id} `}${name} “${text.slice(0, 40)}”`;
  };
  const box = (element, kind) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { kind, what: tell(element), left, top, right, bottom };
  };
  const all = (kind, selector) => Array.from(document.querySelectorAll(selector))
    .filter((element) => element.checkVisibility({ checkVisibilityCSS: Boolean(element.closest(".slot")) }))
    .map((element) => box(element, kind));
  const words = (kind, selector) => Array.from(document.querySelectorAll(selector))
    .filter((element) => element.checkVisibility()).flatMap((element) => {
      const frame = element.getBoundingClientRect();
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const found = [];
      while (texts.nextNode()) {
        if (texts.currentNode.parentElement.closest(".visually-hidden")) continue;
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        for (const { left, right, top, bottom } of range.getClientRects()) {
          if (top >= frame.bottom || left >= frame.right) continue;
          found.push({ kind, what: tell(element), left, right: Math.min(right, frame.right),
            top: top + 4 /* above capitals */, bottom: Math.min(bottom, frame.bottom) });
        }
      }
      return found;
    });
  const out = Array.from(document.querySelectorAll("body *"))
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
    .map((element) => `${tell(element)} to ${element.getBoundingClientRect().right}`);
  const pressed = "main :is(button, .button, summary, select, label, input[type=text])";
  const isOff = (element) => element.matches(":disabled, :has(input:disabled)");
  const texts = `${pressed}, .seat :is(.name, .facts, .mark), .slot :is(.by, .note), ` +
    ".called, .chip, .sentence, .hint, .aside, .big, #result :is(th, td), #bar p";
  return {
    wide: scrollWidth > clientWidth ? `${scrollWidth} px wide in ${clientWidth}: ${out}` : "",
    boxes: [
      ...all("card of the hand", "#hand .held"),
      ...all("confirm button", "#confirm"),
      ...all("choice", "#choices .choice"),
      ...all("seat", ".seat"),
      ...all("prompt", "#prompt"),
      ...all("sentence", "#prompt .sentence"),
      ...all("call", "#called .call"),
      ...all("chip", "#called > p, #called .call > *:not(.visually-hidden)"),
      ...all("card of the trick", ".board .slot .card"),
      ...all("slot", ".board .slot:not(.none)"),
      ...all("result", "#result"),
      ...words("name", ".seat .name"),
      ...words("facts", ".seat .facts"),
      ...all("sheet", ".sheet[open]"),
    ],
    overflowing: Array.from(document.querySelectorAll(texts))
      .filter((element) => element.checkVisibility()
        && element.scrollWidth > element.clientWidth + 1
        && getComputedStyle(element).clipPath === "none" // which is only to be heard
        && !["inline", "contents"].includes(getComputedStyle(element).display)
        && (element.matches(".facts") || getComputedStyle(element).textOverflow !== "ellipsis"))
      .map((element) => [tell(element), element.scrollWidth, element.clientWidth]),
    cut: Array.from(document.querySelectorAll(".seat .name, .seat .facts"))
      .filter((element) => element.checkVisibility()
        && element.scrollHeight > element.clientHeight + 4 /* below letters */)
      .map((element) => [tell(element), element.scrollHeight, element.clientHeight]),
    targets: Array.from(document.querySelectorAll(pressed))
      .filter((element) => element.checkVisibility() && !isOff(element))
      .map((element) => box(element, "target")),
  };
}
