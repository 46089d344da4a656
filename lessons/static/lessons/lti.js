// The school's own system. A launch at the top of a window goes on by itself; in a frame, where we may have no
// cookies, its button opens a window. A platform that has registered us is told to close ours.
const button = document.querySelector("[data-window]");
if (button && window.top === window.self) location.replace(button.href);

const close = document.querySelector("[data-close]");
const platform = window.opener ?? (window.top === window.self ? null : window.parent);
if (close) close.hidden = !platform;
close?.addEventListener("click", () => platform.postMessage({ subject: "org.imsglobal.lti.close" }, "*"));

window.arrived?.(import.meta.url);
