// Searches the lists of the archive. They are loaded as scripts, which also works from `file:`.
// A row is [number, game, players by side, winners, ending, day].
"use strict";

(() => {
  const MOST = 50;
  const by = (id) => document.getElementById(id);
  const { parts, games, endings } = JSON.parse(by("shards").textContent);
  const words = by("search").dataset;
  const fields = ["player", "game", "year", "ending"];
  const taken = new Map();
  let shown = MOST;
  let asked = 0;

  window.takeIn = (name, rows) => taken.set(name, rows);

  function takeIn(name) {
    if (taken.has(name)) return Promise.resolve();
    return new Promise((done) => {
      const script = document.createElement("script");
      script.src = `search/${name}.js`;
      script.onload = done;
      script.onerror = done; // show what the other parts contain
      document.head.append(script);
    });
  }

  // Lower case, without accents.
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  const wanted = () => Object.fromEntries(fields.map((field) => [field, by(field).value.trim()]));

  function partsOf({ year }) {
    if (year === "now") return ["running"];
    return parts.filter((part) => !year || part.startsWith(year)).reverse();
  }

  function endsAs(ending, won, ended) {
    if (ending === "won") return won.length > 0 && !isDrawn(won, ended);
    if (ending === "drawn") return ended && isDrawn(won, ended);
    return !ending || ended === ending;
  }

  function fits(row, { player, game, ending }) {
    const [, key, sides, won, ended] = row;
    const words = plain(player).split(/\s+/).filter(Boolean);
    const names = plain(sides.flat().join("\n"));
    if (game && key !== game) return false;
    if (!endsAs(ending, won, ended)) return false;
    return words.every((word) => names.includes(word));
  }

  function textElement(name, kind, text) {
    return Object.assign(document.createElement(name), { className: kind, textContent: text });
  }

  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  const shownDay = (day) => new Date(`${day}T00:00:00Z`).toLocaleDateString(words.days, {
    day: "numeric", month: "short", year: "numeric", timeZone: "UTC",
  });

  function listed(names) {
    if (names.length < 2) return names.join("");
    const first = names.slice(0, -1).join(words.between);
    return filled(words.names, { first, last: names[names.length - 1] });
  }

  const isDrawn = (won, ended) => won.length === 0 || ended === "draw" || ended === "adjudicated-draw";

  function result(won, ended) {
    if (won.length === 0) return words.drawn;
    if (isDrawn(won, ended)) return filled(words.draws, { names: listed(won) });
    return filled(won.length === 1 ? words.winner : words.winners, { names: listed(won) });
  }

  function state([, game, , won, ended, date]) {
    const day = shownDay(date);
    if (!ended) return filled(words.running, { day });
    const why = (endings[game] && endings[game][ended]) || ended;
    return filled(words.ended, { result: result(won, ended), why, day });
  }

  function item(row) {
    const [id, game, sides] = row;
    const made = document.createElement("li");
    const link = textElement("a", "title", sides.map((side) => listed(side)).join(" – "));
    link.href = `matches/match-${String(id).padStart(6, "0")}-${game}.html`;
    made.append(link, " ", textElement("span", "state", state(row)), " ");
    const meta = filled(words.meta, { game: games[game] || game, match: id });
    made.append(textElement("span", "meta", meta));
    return made;
  }

  async function find() {
    const want = wanted();
    asked += 1;
    const mine = asked;
    by("found").textContent = words.looking;
    const names = partsOf(want);
    await Promise.all(names.map(takeIn));
    if (mine !== asked) return;
    const found = names.flatMap((name) => (taken.get(name) || []).filter((row) => fits(row, want)));
    by("found").textContent = number(found.length);
    by("results").replaceChildren(...found.slice(0, shown).map(item));
    by("more").hidden = found.length <= shown;
  }

  function number(count) {
    if (count < 2) return count ? words.one : words.none;
    return filled(words.several, { count });
  }

  function remember() {
    const said = new URLSearchParams(Object.entries(wanted()).filter(([, value]) => value));
    history.replaceState(null, "", `#${said}`);
  }

  function fromAddress() {
    const said = new URLSearchParams(location.hash.slice(1));
    for (const field of fields) by(field).value = said.get(field) || "";
    return fields.some((field) => by(field).value);
  }

  function search() {
    shown = MOST;
    remember();
    find();
  }

  by("search").hidden = false;
  by("search").addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  for (const field of fields.slice(1)) by(field).addEventListener("change", search);
  by("more").addEventListener("click", () => {
    shown += MOST;
    find();
  });
  window.addEventListener("hashchange", () => fromAddress() && find());
  if (fromAddress()) find();
})();
