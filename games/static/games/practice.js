// A practice trick's card that was wrong stays marked while others are tried.

document.addEventListener("change", ({ target }) => target.closest(".practice-trick .wrong")?.classList.add("tried"));

window.arrived?.(import.meta.url);
