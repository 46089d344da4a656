// The settings of this device: light or dark, size of text, motion, sound. They stand on <html> before anything is
// painted, so that nothing flashes: hence a plain script, in words that any browser reads.
//   data-theme="light|dark"    if one was chosen; else the screen decides (site.css)
//   data-text="large"          if it was chosen, beside what the browser's own text size is (site.css)
//   data-motion="calm|full"    what was chosen, else what the device asks for
//   data-sound="on"            if it was chosen; how loud, xactika.volume(), is 50 of 100 unless it was chosen
// Whoever moves something or makes a sound asks  xactika.calm()  and  xactika.sound()  each time, and may hear
// of changes, made here or in another tab:  document.addEventListener("xactika:settings", …)
(function () {
  var root = document.documentElement;
  // By whose clock the server tells the time to this browser (accounts/middleware.py).
  var zone = window.Intl && Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && document.cookie.indexOf("zone=" + zone) < 0) {
    document.cookie = "zone=" + zone + ";path=/;max-age=31536000;samesite=lax" + (location.protocol === "https:" ? ";secure" : "");
  }
  // Below the floor nothing can be chosen, and no button for it is shown.
  if (!window.HTMLDialogElement || !("noModule" in document.createElement("script"))) return;

  var MAY = { theme: ["light", "dark"], text: ["large"], motion: ["calm", "full"], sound: ["on"], volume: ["10", "20", "30", "40", "50", "60", "70", "80", "90", "100"] };
  var PAPER = { light: "#f4efe4", dark: "#191817" };
  var less = window.matchMedia("(prefers-reduced-motion: reduce)");
  var chosen = {};

  // Where nothing can be stored, a choice holds as long as the page.
  function recall() {
    try {
      for (var name in MAY) chosen[name] = localStorage.getItem("xactika-" + name);
    } catch (refused) { /* not here */ }
  }

  function keep(name, value) {
    chosen[name] = value;
    try {
      if (value) localStorage.setItem("xactika-" + name, value);
      else localStorage.removeItem("xactika-" + name);
    } catch (refused) { /* not here */ }
  }

  function choice(name) {
    return MAY[name].indexOf(chosen[name]) < 0 ? "" : chosen[name];
  }

  function put(name, value) {
    if (value) root.setAttribute("data-" + name, value);
    else root.removeAttribute("data-" + name);
  }

  function apply() {
    var theme = choice("theme");
    put("theme", theme);
    put("text", choice("text"));
    put("motion", choice("motion") || (less.matches ? "calm" : "full"));
    put("sound", choice("sound"));
    // What a browser draws around the page.
    var metas = document.querySelectorAll("meta[name=theme-color]");
    for (var i = 0; i < metas.length; i += 1) {
      metas[i].content = PAPER[theme || (metas[i].getAttribute("media").indexOf("dark") < 0 ? "light" : "dark")];
    }
  }

  function show() {
    var form = document.getElementById("settings-of-device");
    if (!form) return;
    for (var name in MAY) form.elements[name].value = choice(name) || form.elements[name].defaultValue || "";
  }

  function changed() {
    apply();
    show();
    document.dispatchEvent(new CustomEvent("xactika:settings"));
  }

  window.xactika = {
    calm: function () { return root.getAttribute("data-motion") === "calm"; },
    sound: function () { return root.getAttribute("data-sound") === "on"; },
    volume: function () { return Number(choice("volume") || 50); },
  };
  recall();
  apply();
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("change", function (event) {
    var form = event.target.form;
    if (!form || form.id !== "settings-of-device" || !MAY[event.target.name]) return;
    keep(event.target.name, event.target.value);
    changed();
  });
  window.addEventListener("storage", function (event) {
    if (event.key && event.key.indexOf("xactika-") !== 0) return;
    recall();
    changed();
  });
  // A page that comes back as it was left has missed what other tabs did.
  window.addEventListener("pageshow", function (event) {
    if (!event.persisted) return;
    recall();
    changed();
  });
  if (less.addEventListener) less.addEventListener("change", changed);
}());
