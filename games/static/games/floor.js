// Whether this browser has what the pages need. It has to be read by browsers that have not: a plain
// script in words of 2009, no module. A page of games is left for one that says so in words; any other
// page shows what it can, under a line about it.
(function () {
  var script = document.getElementById("floor");
  var supports = window.CSS && CSS.supports;
  // The last of the floor's features that each browser learnt: in Chromium dvh (108), in Firefox
  // :has() (121), in Safari both (15.4). What came later is tried by name.
  var isOld = !supports || !CSS.supports("selector(:has(a))") || !CSS.supports("height", "1dvh") ||
    !("noModule" in document.createElement("script")) || !window.HTMLDialogElement;
  var because = isOld ? "old" : keepsCookies() ? "" : "cookies";

  // A browser may say that it does, and keep none for this address.
  function keepsCookies() {
    try {
      document.cookie = "kept=1; path=/; SameSite=Lax";
      var keeps = /(^|; )kept=1/.test(document.cookie);
      document.cookie = "kept=; path=/; SameSite=Lax; max-age=0";
      return keeps;
    } catch (error) {
      return false;
    }
  }

  function tell() {
    var answer = document.getElementById("device");
    // A link may say of a browser what is not true of this one, or not any more.
    var said = /[?&]because=(\w+)/.exec(location.search);
    if (answer && said && said[1] !== because) return location.replace(location.pathname + (because && "?because=" + because));
    if (answer) answer.firstChild.data = answer.getAttribute("data-" + (because || "yes"));
    var notice = document.getElementById("floor-notice");
    if (notice && because) notice.removeAttribute("hidden");
  }

  if (because && script && script.getAttribute("data-device")) {
    location.replace(script.getAttribute("data-device") + "?because=" + because);
  } else if (document.readyState === "complete" || document.readyState === "interactive") {
    tell();
  } else if (document.addEventListener) {
    document.addEventListener("DOMContentLoaded", tell);
  } else {
    window.attachEvent("onload", tell);
  }
}());
