// What is wrong with a wall, as sentences: every text and picture of it, in all its lines, is to be
// whole inside the screen and inside whatever clips it, large enough, and under nothing. Of a wall of
// slides the one of this number is looked at.
async (number) => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const found = new Set();
  const slide = document.querySelectorAll(".slide")[number ?? -1];
  const wall = slide ?? document.querySelector(".wall");
  const page = slide ?? document.documentElement;
  if (page.scrollHeight > innerHeight) found.add(`the page is ${page.scrollHeight - innerHeight} px too high`);
  if (page.scrollWidth > innerWidth) found.add(`the page is ${page.scrollWidth - innerWidth} px too wide`);
  const least = (22 * Math.min(innerHeight / 1080, innerWidth / 1920)) - 0.2;
  const tools = document.querySelector(".wall-tools:not(#wall *), .wall-tools:has(#new-session)")?.getBoundingClientRect();
  const inside = (box, outer) => box.left >= outer.left - 1.5 && box.right <= outer.right + 1.5 && box.top >= outer.top - 1.5 && box.bottom <= outer.bottom + 1.5;
  const isForTheEarAlone = (element) => getComputedStyle(element).clipPath === "inset(50%)";
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const check = (element, box, what) => {
    if (!inside(box, screen)) found.add(`off the screen: ${what}`);
    if (tools && box.left < tools.right && box.right > tools.left && box.top < tools.bottom && box.bottom > tools.top) found.add(`under the tools: ${what}`);
    for (let outer = element; outer && outer !== document.body; outer = outer.parentElement) {
      const style = getComputedStyle(outer);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      if (outer instanceof SVGElement && !(outer instanceof SVGSVGElement)) continue;
      if (!inside(box, outer.getBoundingClientRect())) found.add(`cut off: ${what}`);
    }
  };
  const walker = document.createTreeWalker(wall, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const words = node.textContent.trim();
    if (!words || !element.checkVisibility() || isForTheEarAlone(element) || element.closest(".wall-tools, .visually-hidden, script, style, math, [aria-hidden=true].visually-hidden")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const what = words.slice(0, 40);
    const tile = element.closest(".wall-table, .wall-standings")?.getBoundingClientRect();
    for (const box of range.getClientRects()) if (tile && !inside(box, tile)) found.add(`out of its place: ${what}`);
    for (const box of range.getClientRects()) if (box.width && box.height) check(element, box, what);
    const svg = element.closest("svg");
    const scale = svg?.viewBox.baseVal?.height ? Math.min(svg.getBoundingClientRect().height / svg.viewBox.baseVal.height, svg.getBoundingClientRect().width / svg.viewBox.baseVal.width) : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < least && !element.closest(".card, .solid")) found.add(`${size.toFixed(1)} px, not ${least.toFixed(1)}: ${what}`);
  }
  for (const drawn of wall.querySelectorAll("svg, img, progress, .card, td, th, li, button")) {
    const box = drawn.getBoundingClientRect();
    if (box.width && box.height && drawn.checkVisibility() && !drawn.closest(".wall-tools, .visually-hidden, svg svg")) {
      const tile = drawn.closest(".wall-table")?.getBoundingClientRect();
      if (tile && !inside(box, tile)) found.add(`out of its place: ${drawn.localName}`);
      check(drawn, box, drawn.className.baseVal ?? (drawn.className || drawn.localName));
    }
  }
  const lineOf = (text, from, to) => {
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to);
    return [...range.getClientRects()].at(-1);
  };
  for (const call of wall.querySelectorAll(":is(p, li) > .chip")) {
    const [own] = call.lastElementChild.getClientRects();
    if (!own || isForTheEarAlone(call.lastElementChild)) continue;
    const texts = [call.previousSibling, call.nextSibling].map((node) => node?.nodeType === Node.TEXT_NODE ? node : new Text());
    const [before, after] = texts.map((text) => text.data.trim() && text);
    const what = `${texts[0].data.slice(-9)}${call.textContent.trim()}${texts[1].data.slice(0, 9)}`;
    const mark = after ? after.data.search(/\S/) : 0;
    const lines = [before && lineOf(before, 0, before.length), after && lineOf(after, mark, mark + 1)];
    if (lines[1]?.top > own.bottom && /[?!;:.,]/.test(after.data[mark])) found.add(`a mark on a line of its own: ${what}`);
    for (const line of lines) if (line && line.top < own.bottom && line.bottom > own.top && Math.abs(line.bottom - own.bottom) > 4) found.add(`not on its line: ${what}`);
  }
  return [...found].slice(0, 6);
}
