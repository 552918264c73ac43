// All boards of a match, one below the other. Each is drawn when it comes near the window.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const board = window.boardOf(window.replayData);
  const list = document.getElementById("boards");
  const model = list.querySelector("svg");
  const waiting = new Map();
  document.getElementById("scriptless").hidden = true;

  function empty(item, step) {
    const made = model.cloneNode(false);
    const words = step === 0 ? list.dataset.beginning : list.dataset.turn.replace("{}", item.value);
    made.setAttribute("aria-label", words);
    const ground = document.createElementNS(SVG, "use");
    ground.setAttribute("href", "#ground");
    made.append(ground);
    (item.querySelector(".done") || item.querySelector("h2")).after(made);
    waiting.set(made, step);
    return made;
  }

  function fill(made) {
    const step = waiting.get(made);
    if (step === undefined) return;
    waiting.delete(made);
    made.append(...Object.values(board(step)).flat());
  }

  const near = new IntersectionObserver((seen) => {
    for (const each of seen) if (each.isIntersecting) fill(each.target);
  }, { rootMargin: "100%" });
  Array.from(list.children).forEach((item, step) => {
    if (!item.querySelector("svg")) near.observe(empty(item, step));
  });
  window.addEventListener("beforeprint", () => Array.from(waiting.keys()).forEach(fill));
  // The boards have made the page longer, so the turn in the address has moved down.
  const wanted = document.getElementById(location.hash.slice(1));
  if (wanted) wanted.scrollIntoView();
})();
