// The first page's deck deals itself, once a visit, when it is seen and a value was guessed, or nobody guesses: the
// cards come as from a shuffled deck, each to the stack of its value, and the bell grows. A plain script before the
// page is painted, so that nothing is shown and then taken away.
(function () {
  var root = document.documentElement;
  var DEALT = "xactika-dealt";
  var ALL = 900, FLIGHT = 300; // milliseconds: from the first card to the last, and on its way
  var GUESS = 2500; // in which a value can be pressed before
  try {
    if (window.xactika.calm() || !Element.prototype.animate || sessionStorage.getItem(DEALT)) return;
  } catch (refused) { return; } // where nothing is kept it would be dealt again and again
  root.setAttribute("data-deals", "");

  // In which order the stacks get a card, by chance; a stack grows from its foot.
  function order(stacks) {
    var next = [];
    stacks.forEach(function (cards, stack) { cards.forEach(function () { next.push(stack); }); });
    for (var i = next.length - 1; i > 0; i -= 1) {
      var j = Math.floor(Math.random() * (i + 1)), kept = next[i];
      next[i] = next[j];
      next[j] = kept;
    }
    return next.map(function (stack) { return stacks[stack].shift(); });
  }

  function deal(bell) {
    var cards = order(Array.from(bell.children).map(function (stack) {
      return Array.from(stack.querySelectorAll(".card"));
    }));
    var from = bell.getBoundingClientRect();
    var boxes = cards.map(function (card) { return card.getBoundingClientRect(); });
    cards.forEach(function (card, k) {
      var x = from.left + from.width / 2 - boxes[k].left - boxes[k].width / 2;
      var y = from.top - boxes[k].top - boxes[k].height / 2;
      card.animate(
        [{ opacity: 0, transform: "translate(" + x + "px, " + y + "px)" }, { opacity: 1, transform: "none" }],
        { duration: FLIGHT, delay: ALL * k / cards.length, easing: "ease-out", fill: "backwards" }
      );
    });
  }

  // The cards' pictures come last.
  window.addEventListener("load", function () {
    var bell = document.querySelector(".stacks"), late;
    function begin() {
      clearTimeout(late);
      bell.removeEventListener("click", guess, true);
      root.removeAttribute("data-deals");
      if (window.xactika.calm()) return;
      deal(bell);
      sessionStorage.setItem(DEALT, "yes");
    }
    // The stack that was pressed shows itself once all lie there.
    function guess(event) {
      var button = event.target.closest("button");
      if (!button) return;
      event.stopPropagation();
      button.parentNode.classList.add("guessed");
      begin();
      setTimeout(function () { // unless one was pressed meanwhile
        if (!document.getElementById("sheet-stack").open) button.click();
      }, ALL + FLIGHT);
    }
    bell.addEventListener("click", guess, true);
    new IntersectionObserver(function (entries, observer) {
      if (!entries.some(function (entry) { return entry.isIntersecting; })) return;
      observer.disconnect();
      if (root.hasAttribute("data-deals")) late = setTimeout(begin, window.xactika.calm() ? 0 : GUESS);
    }, { threshold: .25 }).observe(bell);
  });
}());
