// Read before all else on every page of a server that tests have started (ears.py). It keeps what
// goes wrong, for browsers whose console a test cannot read; and it takes away what the floor's
// version of this browser does not have yet: these browsers are newer than the floor.
(() => {
  const KEPT = "heard";
  const keep = (words) => {
    const heard = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
    sessionStorage.setItem(KEPT, JSON.stringify([...heard, `${location.pathname}: ${words}`]));
  };
  addEventListener("error", (event) => {
    const { target, message, filename, lineno } = event;
    keep(message ? `${message} (${filename}:${lineno})` : `not loaded: ${target.src ?? target.href}`);
  }, true);
  addEventListener("unhandledrejection", (event) => keep(`unhandled: ${event.reason}`));
  addEventListener("securitypolicyviolation", (event) =>
    keep(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));
  const { error } = console;
  console.error = (...words) => {
    keep(words.join(" "));
    error.apply(console, words);
  };

  const without = (owner, ...names) => {
    for (const name of names) if (owner) delete owner[name];
  };
  const agent = navigator.userAgent;
  if (agent.includes("Firefox")) { // 128
    without(document.constructor.prototype, "startViewTransition");
    without(Document.prototype, "startViewTransition");
    without(Element.prototype, "moveBefore");
    without(Promise, "try");
    without(HTMLDialogElement.prototype, "requestClose");
    without(Uint8Array, "fromBase64", "fromHex");
  } else if (!agent.includes("Chrome")) { // Safari 15.6
    without(Element.prototype, "checkVisibility", "setHTMLUnsafe", "getHTML", "requestFullscreen", "moveBefore");
    without(HTMLElement.prototype, "popover", "showPopover", "hidePopover", "togglePopover");
    without(HTMLFormElement.prototype, "requestSubmit");
    without(HTMLDialogElement.prototype, "requestClose");
    without(Document.prototype, "startViewTransition", "exitFullscreen", "fullscreenEnabled", "fullscreenElement");
    without(Array.prototype, "toSorted", "toReversed", "toSpliced", "with");
    without(Array, "fromAsync");
    without(Object, "groupBy");
    without(Map, "groupBy");
    without(Promise, "withResolvers", "try");
    without(Set.prototype, "union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isSupersetOf");
    without(URL, "canParse", "parse");
    without(AbortSignal, "timeout", "any");
    without(String.prototype, "isWellFormed", "toWellFormed");
    without(window, "Iterator", "requestIdleCallback", "cancelIdleCallback", "OffscreenCanvas", "navigation");
    without(CSS, "highlights", "registerProperty");
  }
})();
