// How things move on the page: in one way, from where something was to where it is.

export const EASE = "ease-out";

export const box = (element) => element.getBoundingClientRect();

export const shift = (from, to) => `translate(${to.x + to.width / 2 - from.x - from.width / 2}px, ${to.y + to.height / 2 - from.y - from.height / 2}px)`;

export const run = (element, frames, duration, more = {}) => element.animate(frames, { duration, easing: EASE, fill: "backwards", ...more }).finished.catch(() => {});

window.arrived?.(import.meta.url);
