// A page of results in chapters: the one that the address names is shown. Without this script the
// stylesheet does the same by :target; here it also lasts when news is put in place.

export function choose() {
  const chosen = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest(".chapter");
  for (const chapter of document.querySelectorAll(".chapter")) chapter.classList.toggle("chosen", chapter === chosen);
  for (const link of document.querySelectorAll(".chapters > ul > li > a")) {
    const isShown = link.hash === `#${chosen?.id ?? "overview"}`;
    if (!isShown) link.removeAttribute("aria-current");
    else {
      link.setAttribute("aria-current", "true");
      const row = link.closest("ul");
      row.scrollLeft = link.offsetLeft - row.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
    }
  }
}

addEventListener("hashchange", choose);
choose();

// Showing or hiding names comes back to the chapter that is open: a redirect keeps the fragment.
for (const form of document.querySelectorAll("form.names")) {
  form.addEventListener("submit", () => {
    form.action = form.getAttribute("action").split("#")[0] + location.hash;
  });
}

window.arrived?.(import.meta.url);
