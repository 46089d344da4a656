// Whether all of this page has arrived; if not, it says so (base.html). A plain script that any browser reads, and the
// first of a page: without this one or without the style sheet the notice is seen by itself.
//   data-watched    on <html>: this has arrived, and looks after the rest
//   data-missing    something else has not
// A file may arrive and be empty, or half of itself: so each module, once it has run to its end, says
//   window.arrived?.(import.meta.url);
(function () {
  var root = document.documentElement;
  var here = {};
  var missing = [];
  root.setAttribute("data-watched", "");
  if (!("noModule" in document.createElement("script"))) return; // floor.js tells

  function tell(address) {
    if (address.indexOf(location.origin + "/")) return; // what an extension put there
    missing.push(address);
    root.setAttribute("data-missing", "");
  }

  window.arrived = function (address) {
    here[address] = true;
  };

  document.addEventListener("error", function (event) {
    var part = event.target;
    if (part.tagName === "SCRIPT") tell(part.src);
    else if (part.tagName === "LINK" && part.rel === "stylesheet") tell(part.href);
  }, true);

  window.addEventListener("load", function () {
    var old = document.getElementById("floor-notice");
    if (old && !old.hidden) return; // that explains it
    document.querySelectorAll("script[type=module]").forEach(function (script) {
      if (!here[script.src]) tell(script.src);
    });
    var htmx = document.querySelector('script[src*="/htmx-"]');
    if (htmx && !window.htmx) tell(htmx.src);
  });

  // What a browser keeps for a year it fetches anew only if it is told to.
  document.addEventListener("click", function (event) {
    if (event.target.id !== "reload") return;
    event.preventDefault();
    function again() { location.reload(); }
    Promise.all(missing.map(function (address) { return fetch(address, { cache: "reload" }); })).then(again, again);
  });
}());
