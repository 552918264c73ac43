// Steps through the turns of a match. board.js draws them.
"use strict";

(() => {
  const SECOND = 1000;
  const SWIPE = 40;
  const by = (id) => document.getElementById(id);
  const data = window.replayData;
  const { steps, views } = data;
  const board = window.boardOf(data);
  const last = steps.length - 1;
  const turns = by("turns") ? Array.from(by("turns").children) : [];
  const grounds = document.querySelectorAll(".ground");
  let at = last;
  let view = 0;
  let timer = null;
  let remembering = null;

  function draw() {
    const layers = board(at, view);
    for (const layer in layers) by(layer).replaceChildren(...layers[layer]);
    grounds.forEach((ground, i) => {
      if (i === view) ground.removeAttribute("display");
      else ground.setAttribute("display", "none");
    });
    by("board-title").textContent = name();
    by("board").dataset.turn = steps[at][0];
    by("slider").value = at;
    by("slider").setAttribute("aria-valuetext", name());
    for (const id of ["first", "back"]) by(id).setAttribute("aria-disabled", at === 0);
    for (const id of ["forward", "last"]) by(id).setAttribute("aria-disabled", at === last);
    if (by("seen")) by("seen").textContent = views[view].title;
    tell();
  }

  const words = by("replay").dataset;
  const name = () => (at === 0 ? words.beginning : words.turn.replace("{}", steps[at][0]));

  // The moves of the turn, the notes beside it, and the state after it.
  function tell() {
    const head = document.createElement("p");
    head.className = "done";
    head.append(Object.assign(document.createElement("b"), { textContent: name() }));
    for (const turn of document.querySelectorAll(".turns .now")) turn.classList.remove("now");
    const told = [head];
    if (at > 0 && turns[at - 1]) {
      const [link, ...beside] = turns[at - 1].cloneNode(true).children;
      head.append(" ", ...Array.from(link.children).slice(1));
      told.push(...beside);
      turns[at - 1].classList.add("now");
      keepInSight(turns[at - 1]);
    }
    const stands = document.createElement("p");
    stands.className = "stands";
    for (const sentence of steps[at][3]) {
      const said = document.createElement("span");
      said.textContent = data.sentences[sentence];
      stands.append(said, " ");
    }
    by("now").replaceChildren(...told, stands);
  }

  // Scrolls the list, never the page.
  function keepInSight(turn) {
    const list = by("turns");
    const [top, height] = [turn.offsetTop, list.clientHeight];
    if (top < list.scrollTop || top + turn.offsetHeight > list.scrollTop + height) {
      list.scrollTop = top - height / 2;
    }
  }

  function go(to, remembered = true) {
    at = Math.max(0, Math.min(last, to));
    draw();
    if (remembered) remember();
  }

  // Browsers throttle an address that changes with every pixel of a slider.
  function remember() {
    clearTimeout(remembering);
    remembering = setTimeout(() => history.replaceState(null, "", `#turn-${steps[at][0]}`), 200);
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    playing();
  }

  function play() {
    if (timer !== null) return pause();
    if (at === last) go(0);
    timer = setInterval(() => {
      go(at + 1);
      if (at === last) pause();
    }, SECOND);
    return playing();
  }

  function playing() {
    by("play").setAttribute("aria-pressed", timer !== null);
    by("now").setAttribute("aria-live", timer === null ? "polite" : "off");
  }

  function step(to) {
    pause();
    go(to);
  }

  function turnBoard() {
    view = (view + 1) % views.length;
    draw();
  }

  const moves = {
    ArrowLeft: () => step(at - 1),
    ArrowRight: () => step(at + 1),
    Home: () => step(0),
    End: () => step(last),
    " ": play,
  };

  function key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const on = event.target.closest("input, select, textarea, button, a, summary, [tabindex]");
    if (on && !by("replay").contains(on)) return;
    if (on && on.id === "slider" && event.key !== " ") return; // it handles these keys itself
    if (on && event.key === " " && on.id !== "slider" && on.id !== "turns") return;
    if (moves[event.key]) {
      event.preventDefault();
      moves[event.key]();
    }
  }

  // Goes to the turn in the address, or to the last one before it.
  function fromAddress() {
    const found = /^#turn-(\d{1,9})$/.exec(location.hash);
    if (!found) return false;
    clearTimeout(remembering);
    const later = steps.findIndex(([turn]) => turn > Number(found[1]));
    pause();
    go(later === -1 ? last : later - 1, false);
    return true;
  }

  function swipes(board) {
    let start = null;
    board.addEventListener("touchstart", (event) => {
      start = event.touches.length === 1 ? event.touches[0] : null;
    }, { passive: true });
    board.addEventListener("touchend", (event) => {
      if (start === null) return;
      const end = event.changedTouches[0];
      const [right, down] = [end.clientX - start.clientX, end.clientY - start.clientY];
      if (Math.abs(right) > SWIPE && Math.abs(right) > 2 * Math.abs(down)) step(at - Math.sign(right));
      start = null;
    }, { passive: true });
  }

  function listen() {
    const pressed = {
      first: () => step(0), back: () => step(at - 1), play, forward: () => step(at + 1),
      last: () => step(last), turn: turnBoard,
    };
    for (const id in pressed) if (by(id)) by(id).addEventListener("click", pressed[id]);
    by("slider").addEventListener("input", () => step(Number(by("slider").value)));
    turns.forEach((turn, i) => turn.firstElementChild.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      step(i + 1);
    }));
    document.addEventListener("keydown", key);
    window.addEventListener("hashchange", fromAddress);
    swipes(by("board"));
  }

  listen();
  by("controls").hidden = false;
  document.documentElement.classList.add("replays");
  if (!fromAddress()) draw();
})();
