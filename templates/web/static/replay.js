// The replay of a match: shows positions that the engine has worked out; it knows no rules.
// A step of the data is [turn, changes, ways, sentences]; a change is [square, pieces, ground].
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SECOND = 1000;
  const SWIPE = 40;
  const by = (id) => document.getElementById(id);
  const data = JSON.parse(by("data").textContent);
  const { side, steps, views } = data;
  const last = steps.length - 1;
  const turns = by("turns") ? Array.from(by("turns").children) : [];
  const grounds = document.querySelectorAll(".ground");
  const positions = positionsOf(steps);
  let at = last;
  let view = 0;
  let timer = null;
  let remembering = null;

  // What stands on each square after each step: a row a step, which shares what has not changed.
  function positionsOf(all) {
    const squares = [];
    return all.map(([, changes]) => {
      for (const [square, pieces, ground] of changes) squares[square] = [pieces, ground];
      return squares.slice();
    });
  }

  function element(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const corner = (square) => [views[view].at[2 * square] * side, views[view].at[2 * square + 1] * side];
  const middle = (square) => corner(square).map((each) => each + side / 2);

  // As pbem/painters/svg.py places pieces: one near the middle, several beside each other.
  function pieces() {
    return positions[at].flatMap(([tokens], square) => {
      const [x, y] = corner(square);
      const spots = data.spots[Math.min(tokens.length, data.spots.length) - 1];
      return tokens.slice(0, data.spots.length).map((token, i) => {
        const [right, below, size] = spots[i];
        return element("use", {
          href: "#" + data.tokens[token],
          "data-square": data.squares[square],
          transform: `translate(${x + right} ${y + below}) scale(${size})`,
        });
      });
    });
  }

  // Squares that are of another kind now than at the beginning, as Lanrick's rendezvous.
  function marked() {
    return positions[at].flatMap(([, ground], square) => {
      if (ground === positions[0][square][1]) return [];
      const [x, y] = corner(square);
      const [column, row] = [x / side, y / side];
      const odd = data.checkered && (column + row + data.rows) % 2 === 0;
      const fill = data.fills[ground][odd ? 1 : 0];
      const drawn = [element("rect", { x: x + 0.5, y: y + 0.5, width: side - 1, height: side - 1, fill })];
      if (data.grounds[ground] === "mark") {
        for (const r of [20, 5]) {
          drawn.push(element("circle", {
            cx: x + side / 2, cy: y + side / 2, r, fill: "none", stroke: data.frame, "stroke-width": 2,
          }));
        }
      }
      const [right, below, size, ink] = data.name;
      drawn.push(element(
        "text", { x: x + right, y: y + below, "font-size": size, fill: ink }, data.squares[square],
      ));
      return drawn;
    });
  }

  // The last turn of each player up to now, oldest first.
  function trails() {
    const found = new Map();
    const players = new Set(Object.values(data.holders)).size;
    for (let i = at; i > 0 && i > at - 4 * players && found.size < players; i -= 1) {
      const [turn, , [seat, ...paths]] = steps[i];
      const player = data.holders[seat];
      if (seat !== undefined && !found.has(player)) found.set(player, { turn, paths, paint: data.seats[seat] });
    }
    return Array.from(found.values()).reverse();
  }

  // As pbem/painters/ground.py draws them.
  function way({ paths, paint: [fill, edge] }) {
    const d = paths.map((path) => {
      const [x, y] = corner(path[path.length - 1]);
      const frame = `M${x + 2} ${y + 2}h44v44h-44z`;
      return path.length === 1 ? frame : `M${path.map((each) => middle(each).join(" ")).join("L")}${frame}`;
    }).join("");
    const group = element("g", { fill: "none", "stroke-linejoin": "round" });
    group.append(
      element("path", { d, stroke: edge, "stroke-width": 4.6 }),
      element("path", { d, stroke: fill, "stroke-width": 2.4 }),
    );
    for (const path of paths.filter((each) => each.length > 1)) {
      const [cx, cy] = middle(path[0]);
      group.append(element("circle", { cx, cy, r: 5, fill, stroke: edge, "stroke-width": 1.5 }));
    }
    return group;
  }

  function badge({ turn, paths, paint: [fill, edge, charge] }) {
    const path = paths[paths.length - 1];
    const [x, y] = corner(path[path.length - 1]);
    const width = 10 + 8 * String(turn).length;
    const [right, top] = [x + side + 7, y - 7];
    const group = element("g", { "font-size": 13, "text-anchor": "middle" });
    group.append(
      element("rect", {
        x: right - width, y: top, width, height: 17, rx: 8.5, fill, stroke: edge, "stroke-width": 1.5,
      }),
      element("text", { x: right - width / 2, y: top + 13, fill: charge }, turn),
    );
    return group;
  }

  function draw() {
    const shown = trails();
    by("marked").replaceChildren(...marked());
    by("below").replaceChildren(...shown.map(way));
    by("pieces").replaceChildren(...pieces());
    by("above").replaceChildren(...shown.map(badge));
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

  // What was done in the turn, what was written beside it, and how it stands since.
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

  // Browsers take it ill if an address changes with every pixel of a slider.
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
    if (on && on.id === "slider" && event.key !== " ") return; // it knows these keys by itself
    if (on && event.key === " " && on.id !== "slider" && on.id !== "turns") return;
    if (moves[event.key]) {
      event.preventDefault();
      moves[event.key]();
    }
  }

  // Where an address leads: to a turn that was played, or else the last one before it.
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
