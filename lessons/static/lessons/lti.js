// The school's own system. A launch at the top of a window goes on by itself; in a frame, where we may have no
// cookies, its button opens a window. A platform that has registered us is told to close ours.
const button = document.querySelector("[data-window]");
if (button && window.top === window.self) location.replace(button.href);

document.querySelector("[data-close]")?.addEventListener("click", () => {
  (window.opener ?? window.parent).postMessage({ subject: "org.imsglobal.lti.close" }, "*");
});

window.arrived?.(import.meta.url);
