// What is wrong with a page in the made-up language (made_up.py beside this), told on the console as often as the page has
// changed: words outside of every message, messages that follow each other as parts of one sentence, what is cut off or pushed out.
(() => {
  if (window !== top) return;
  const { BEGIN, END, SPACING } = MADE_UP;
  const told = new Set();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`*:not(.who, .code, svg, svg *, math, math *) { letter-spacing: ${SPACING} !important; }`);
  document.adoptedStyleSheets = [sheet];

  const named = (element) => {
    const name = element.id ? `#${element.id}` : [element.localName, ...element.classList].join(".");
    const host = element.id ? null : element.parentElement?.closest("[id]");
    return host ? `#${host.id} ${name}` : name;
  };
  const tell = (kind, element, what) => {
    const said = what.replaceAll(BEGIN, "").replaceAll(END, "").replace(/\s+/g, " ").trim().slice(0, 90);
    const key = [kind, named(element), said].join("|");
    if (told.has(key)) return;
    told.add(key);
    console.debug(`made-up: ${JSON.stringify({ kind, where: named(element), what: said, size: `${innerWidth}x${innerHeight}` })}`);
  };

  // Words outside of messages. A message begins and ends within one element, whatever stands between.
  const outside = (text, at) => {
    let said = "";
    for (const letter of text) {
      if (letter === BEGIN) at.depth++;
      said += at.depth ? " " : letter;
      if (letter === END && at.depth) at.depth--;
    }
    return said.trim();
  };
  // A message that goes on in small letters where another ended, with but a blank or a number between.
  const gluedIn = (text) => {
    let depth = 0, end = -1;
    for (let at = 0; at < text.length; at++) {
      if (text[at] === BEGIN && !depth++ && end > 0 && /\p{L}/u.test(text[end - 1]) && /^[\s\d]+$/.test(text.slice(end + 1, at)) && /\p{Ll}/u.test(text[at + 1])) {
        return text.slice(Math.max(0, end - 40), at + 40);
      }
      if (text[at] === END && depth && !--depth) end = at;
    }
    return "";
  };
  const isRead = (element) => !element.closest("script, style, noscript, template, math, svg .card, textarea");
  const words = () => {
    const at = { depth: 0, host: null };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!isRead(element)) continue;
      if (at.depth && !at.host.contains(node)) Object.assign(at, { depth: 0 });
      const before = at.depth;
      const said = outside(node.data, at);
      if (!before && at.depth) at.host = element;
      if (/[^\W\d_]{3}/u.test(said)) tell("unmarked", element, said);
    }
    for (const element of document.querySelectorAll("[aria-label], [title], [alt], [placeholder], [aria-description], [aria-valuetext]")) {
      for (const name of ["aria-label", "title", "alt", "placeholder", "aria-description", "aria-valuetext"]) {
        const said = outside(element.getAttribute(name) ?? "", { depth: 0 });
        if (/[^\W\d_]{3}/u.test(said)) tell("unmarked", element, `${name}: ${said}`);
      }
    }
    for (const element of document.querySelectorAll("p, li, td, th, dt, dd, h1, h2, h3, label, button, summary, legend, figcaption, caption")) {
      if (element.querySelector("p, li, ul, table, button, div, br, svg, form, option") || !element.checkVisibility()) continue;
      const glued = gluedIn(element.textContent);
      if (glued) tell("glued", element, glued);
    }
  };

  // What is cut off or pushed out.
  const boxed = "button, .button, td, th, summary, legend, .chip, .slot, .seat, .choice, .tile";
  let styles = new Map(); // of one look
  const styleOf = (element) => {
    if (!styles.has(element)) {
      const { overflowX, overflowY, position, textOverflow } = getComputedStyle(element);
      styles.set(element, { overflowX, overflowY, position, textOverflow });
    }
    return styles.get(element);
  };
  const check = (node, element) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = Array.from(range.getClientRects()).filter((box) => box.width > 2 && box.height > 2);
    if (!boxes.length) return;
    let cut = 0, seen = 0;
    let within = element; // what is laid over a box, like a note on a card, may be wider
    while (within && !within.matches(boxed)) within = styleOf(within).position === "absolute" ? null : within.parentElement;
    const box = within?.getBoundingClientRect();
    for (const each of boxes) {
      let [left, right, top, bottom] = [each.left, each.right, each.top, each.bottom];
      let isCut = false, isGone = false;
      for (let outer = element; outer && outer !== document.body; outer = styleOf(outer).position === "absolute" ? outer.offsetParent ?? outer.parentElement : outer.parentElement) {
        const style = styleOf(outer);
        if (style.overflowX !== "visible" || style.overflowY !== "visible") {
          const frame = outer.getBoundingClientRect();
          if (frame.width < 3 || frame.height < 3) return; // only to be heard
          if (style.textOverflow === "ellipsis" && outer.scrollWidth > outer.clientWidth + 1) tell("shortened", outer, node.data);
          const hides = (overflow) => overflow === "hidden" || overflow === "clip";
          if (right < frame.left + 1 || left > frame.right - 1 || bottom < frame.top + 1 || top > frame.bottom - 1) isGone = true;
          if (hides(style.overflowX) && (left < frame.left - 2 || right > frame.right + 2)) isCut = true;
          if (hides(style.overflowY) && (top < frame.top - 4 || bottom > frame.bottom + 4)) isCut = true;
          [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
          [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
        }
        if (style.position === "fixed") break;
      }
      if (!isGone && right > 0 && (left < -1 || right > document.documentElement.clientWidth + 1)) tell("off the screen", element, `${Math.round(left)} to ${Math.round(right)}: ${node.data}`);
      if (isCut) cut++;
      if (!isGone) seen++;
      if (box && box.width && !isGone && (each.left < box.left - 2 || each.right > box.right + 2)) tell("out of its box", element, `${Math.round(each.width)} px in ${Math.round(box.width)}: ${node.data}`);
    }
    if (cut && seen) tell("cut off", element, node.data);
  };
  const paper = document.createElement("canvas").getContext("2d");
  const places = () => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || !isRead(element) || element.closest(".visually-hidden, option")) continue;
      if (element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) check(node, element);
    }
    if (scrollWidth > clientWidth) {
      const widest = Array.from(document.body.querySelectorAll("*")).filter((each) => each.getBoundingClientRect().right > clientWidth + 1).slice(-1)[0];
      tell("too wide", widest ?? document.body, `${scrollWidth} px in ${clientWidth}`);
    }
    for (const select of document.querySelectorAll("select")) {
      const style = getComputedStyle(select);
      const chosen = select.selectedOptions[0]?.textContent.trim() ?? "";
      if (!chosen || !select.checkVisibility() || select.size > 1) continue;
      paper.font = style.font;
      paper.letterSpacing = style.letterSpacing;
      const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const wide = paper.measureText(chosen).width;
      if (wide > room + 2) tell("shortened", select, `${Math.round(wide)} px in ${Math.round(room)}: ${chosen}`);
    }
  };

  let soon = 0, took = 0;
  const look = () => {
    soon = 0;
    const began = performance.now();
    styles = new Map();
    if (!document.body || document.documentElement.matches(":has(> body > pre:only-child)")) return;
    if (document.documentElement.lang === "en") words();
    places();
    console.debug(`made-up: ${JSON.stringify({ kind: "looked" })}`);
    took = performance.now() - began;
  };
  const plan = () => { soon ||= setTimeout(look, Math.max(250, 6 * took)); }; // tests need the page more
  new MutationObserver(plan).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  addEventListener("load", plan);
  addEventListener("resize", plan);
  addEventListener("scroll", plan, { capture: true, passive: true });
})();
