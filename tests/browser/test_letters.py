"""Test emails of the club on a phone: nothing scrolls sideways, and all text is readable."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest

from pbem.games import game_of
from pbem.mail.outgoing.kinds import Digest, DigestPart, Turn, TurnDue, WaitingNote
from pbem.mail.outgoing.look import BOARDS
from tests.browser.accessibility import findings
from tests.browser.conftest import Visit
from tests.mail.client_support import with_picture
from tests.mail.test_letter_html import in_play, letter, others

SOME = ("help", "rules of lanko-88", "tournament", "match over")
PHONE = {"width": 375, "height": 700}
WIDER_THAN_ITS_ROOM = """
[...document.querySelectorAll("div,p,ul,dl,table,blockquote,img")]
.filter(each => each.scrollWidth > each.clientWidth + 1
    && getComputedStyle(each).display != "inline"
    || each.getBoundingClientRect().right > innerWidth)
.map(each => each.outerHTML.slice(0, 120))
"""
LOW = """
[...document.querySelectorAll("a")].filter(each => !each.closest("table"))
.filter(each => each.getBoundingClientRect().height < 44).map(each => each.outerHTML.slice(0, 200))
"""


def digest(number: int) -> Digest:
    """Return a digest of some matches that wait, and a few others if there are many."""
    games = [game_of(key) for key in ("lanko-88", "lancelot", "lanrick-1893", "lanko-103")]
    views = [in_play(each, min(each.info.holders)) for each in games]
    parts = [
        DigestPart(
            replace(view, match=replace(view.match, id=12 + at), competition=None),
            number,
            notes=[WaitingNote("Bert", 12, ("What a move!", "I did not see that."))][at % 2 :],
            said=["The director has added 2 days to your time."][: at % 3 == 1],
        )
        for at, view in zip(range(number), cycle(views), strict=False)
    ]
    still = [TurnDue(each.view.match, ("Bert",), each.view.due) for each in parts[:3]]
    waiting = number - number // 4
    return Digest(parts[:waiting], still if number > 1 else (), parts[waiting:])


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write some turn emails, and some of other kinds, to files."""
    folder = tmp_path_factory.mktemp("letters")
    mails = {name: mail for name, mail in others() if name in SOME}
    for key in ("lanko-103", "lanrick-1893", "lancelot"):
        game = game_of(key)
        mails[key] = Turn(in_play(game, max(game.info.holders)))
    mails |= {f"digest of {number}": digest(number) for number in (1, 5, 20)}
    found = {}
    for name, mail in mails.items():
        for board in BOARDS if name == "lancelot" else BOARDS[:1]:
            found[f"{name}, {board}"] = file = folder / f"{name}-{board}.html"
            file.write_text(with_picture(letter(mail, board)))
    return found


def test_emails_fit_a_phone_and_are_readable(visit: Visit, letters: dict[str, Path]) -> None:
    page = visit("about:blank", viewport=PHONE)
    found: dict[str, list[str]] = {}
    for name, file in letters.items():
        page.goto(file.as_uri())
        page.add_style_tag(content="html{background:Canvas}")  # axe expects it
        light, dark = findings(page, rules={"region": {"enabled": False}})
        found[name] = light + page.evaluate(WIDER_THAN_ITS_ROOM) + page.evaluate(LOW)
        found[f"{name} in dark mode"] = dark
    assert {name: problems[:5] for name, problems in found.items() if problems} == {}
