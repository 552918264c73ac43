// Draws boards from the engine's results (matches/*.js), without knowing any rules.
// A step of the data is [turn, changes, ways, sentences]; a change is [square, pieces, ground].
"use strict";

window.boardOf = (data) => {
  const SVG = "http://www.w3.org/2000/svg";
  const { side, steps, views } = data;
  const positions = positionsOf(steps);

  // Contents of each square after each step: one row per step. Rows share what has not changed.
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

  // Places pieces as pbem/painters/svg.py does: one near the middle, several side by side.
  function pieces(at, corner) {
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

  // Squares whose kind has changed since the start, such as Lanrick's rendezvous.
  function marked(at, corner) {
    return positions[at].flatMap(([, ground], square) => {
      if (ground === positions[0][square][1]) return [];
      const [x, y] = corner(square);
      const [column, row] = [x / side, y / side];
      const odd = data.checkered && (column + row + data.rows) % 2 === 1;
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

  // The last turn of each player so far, oldest first.
  function trails(at) {
    const found = new Map();
    const players = new Set(Object.values(data.holders)).size;
    for (let i = at; i > 0 && i > at - 4 * players && found.size < players; i -= 1) {
      const [turn, , [seat, ...paths]] = steps[i];
      const player = data.holders[seat];
      if (seat !== undefined && !found.has(player)) found.set(player, { turn, paths, paint: data.seats[seat] });
    }
    return Array.from(found.values()).reverse();
  }

  // Drawn as in pbem/painters/ground.py.
  function way({ paths, paint: [fill, edge] }, corner) {
    const middle = (square) => corner(square).map((each) => each + side / 2);
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

  function badge({ turn, paths, paint: [fill, edge, charge] }, corner) {
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

  // The layers of the board after a step in a view, lowest first.
  return (at, view = 0) => {
    const corner = (square) => [0, 1].map((way) => views[view].at[2 * square + way] * side);
    const shown = trails(at);
    return {
      marked: marked(at, corner),
      below: shown.map((each) => way(each, corner)),
      pieces: pieces(at, corner),
      above: shown.map((each) => badge(each, corner)),
    };
  };
};
