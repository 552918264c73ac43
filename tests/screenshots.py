"""Pictures of pages and emails for docs/screenshots: `make screenshots`.

They contain no time and no chance: the same code, fonts and browser give the same pictures.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from pbem.archive.site import pages
from pbem.archive.site.values import FeedEntry, MatchPage, Person, Site
from pbem.games import keys
from pbem.games.phrases import ENGLISH
from pbem.mail.outgoing.kinds import ClubName, Turn
from pbem.mail.outgoing.look import Look, ReplyTo
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.render import of_the_club
from pbem.matches.match import Player
from pbem.matches.score import since_last_turn, trails, turn_lines
from tests.browser.conftest import CHROMIUM
from tests.mail.client_support import with_picture
from tests.matches.playing import NAMES, Contest, started
from tests.palette_png import with_palette

FOLDER = Path(__file__).parents[1] / "docs" / "screenshots"
SITE = Site("Plus & Cross", "club@plus.example")
SHOWN = {
    "lanko-88": (4, 34),
    "lanko-68": (3, 30),
    "lanko-103": (4, 32),
    "lanrick-1881": (2, 50),
    "lanrick-1893": (2, 36),
    "lancelot": (5, 60),
    "chess": (2, 36),
}
"""Players and actions of the match that shows a game. Chess is shown if pbem-chess is installed."""
IMMORTAL = """
e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6 h5 Qg5
Qf3 Ng8 Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1"""
"""Adolf Anderssen against Lionel Kieseritzky, London 1851."""
PAGE = {"width": 1120, "height": 960}
PHONE = {"width": 375, "height": 900}


@cache
def contest(number: int, key: str) -> Contest:
    """Return a match in progress, played by choosing from the middle of the list of moves."""
    players, most = SHOWN[key]
    found = Contest(replace(started(key, players), id=number))
    for move in IMMORTAL.split() if key == "chess" else ():
        found.moves(move)
    while len(found.actions) < most and found.match.result is None:
        legal = found.legal()
        found.moves(legal[len(found.actions) * 37 % len(legal)])
    return found


def files() -> Iterator[tuple[str, Iterator[tuple[str, bytes]]]]:
    """Return the files of a match page of each game, by key."""
    people = {id_: Person(id_, name, page=True) for id_, name in NAMES.items()}
    for number, key in enumerate(filter(keys().__contains__, SHOWN), start=12):
        found = contest(number, key)
        page = MatchPage(FeedEntry(found.match, people), found.actions, found.happenings)
        yield key, iter(pages.match_files(SITE, page))


def letter(number: int, key: str) -> str:
    """Return the HTML of a turn email."""
    found = contest(number, key)
    match, lines = (
        found.match,
        turn_lines(found.match.game, tuple(found.match.seats), found.actions),
    )
    you = match.player_to_act or 1
    view = MatchView(
        match=match,
        you=Player(you, NAMES[you], (f"{NAMES[you].lower()}@mail.example",)),
        names=NAMES,
        now=found.now,
        words=ENGLISH,
        since=since_last_turn(lines, match.seats_of(you)),
        trails=trails(match.game, found.actions, match.seats),
        due_at=found.now + timedelta(days=5),
    )
    look = Look(reply=ReplyTo("club+12-7-n-abcdefghijklmnop@plus.example", "Re: your turn"))
    club = ClubName("Plus & Cross", "director@plus.example")
    return with_picture(of_the_club().written(Turn(view), club, NAMES[you], look))


def taken(browser: Browser, address: str, size: dict[str, int], name: str) -> None:
    """Take a picture of an address."""
    page = browser.new_page(viewport={"width": size["width"], "height": size["height"]})
    page.goto(address)
    (FOLDER / f"{name}.png").write_bytes(with_palette(page.screenshot()))
    page.close()


def main() -> None:
    """Take all pictures, or only those of games named on the command line."""
    wanted = sys.argv[1:] or [key for key in SHOWN if key in keys()]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        root = Path(folder)
        for file in pages.static_files(SITE):
            write(root / file.name, file.data)
        for number, (key, of_match) in enumerate(files(), start=12):
            if key in wanted:
                for name, data in of_match:
                    write(root / name, data)
                page = root / "matches" / f"match-{number:06d}-{key}.html"
                taken(browser, page.as_uri(), PAGE, f"page-{key}")
                write(root / f"{key}.html", letter(number, key).encode())
                taken(browser, (root / f"{key}.html").as_uri(), PHONE, f"mail-{key}")
        browser.close()


def write(path: Path, data: bytes) -> None:
    """Write a file, and create its folder if needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


if __name__ == "__main__":
    main()
