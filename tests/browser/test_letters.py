"""Test emails of the club on a phone: nothing scrolls sideways, and all text is readable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from pbem.games import game_of
from pbem.mail.outgoing.kinds import Turn
from pbem.mail.outgoing.look import BOARDS
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


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write some turn emails, and some of other kinds, to files."""
    folder = tmp_path_factory.mktemp("letters")
    mails = {name: mail for name, mail in others() if name in SOME}
    for key in ("lanko-103", "lanrick-1893", "lancelot"):
        game = game_of(key)
        mails[key] = Turn(in_play(game, max(game.info.holders)))
    found = {}
    for name, mail in mails.items():
        for board in BOARDS if name == "lancelot" else BOARDS[:1]:
            found[f"{name}, {board}"] = file = folder / f"{name}-{board}.html"
            file.write_text(with_picture(letter(mail, board)))
    return found


@pytest.mark.parametrize("scheme", ("light", "dark"))
def test_emails_fit_a_phone_and_are_readable(
    visit: Visit, letters: dict[str, Path], scheme: str
) -> None:
    page = visit("about:blank", viewport=PHONE, color_scheme=scheme)
    found: dict[str, Any] = {}
    for name, file in letters.items():
        page.goto(file.as_uri())
        page.add_style_tag(content="html{background:Canvas}")  # axe expects it
        result = Axe().run(page, options={"rules": {"region": {"enabled": False}}})
        problems = [
            f"{each['id']}: {node['html'][:120]}"
            for each in result.response["violations"]
            for node in each["nodes"]
        ]
        problems += page.evaluate(WIDER_THAN_ITS_ROOM) + page.evaluate(LOW)
        if problems:
            found[name] = problems[:5]
    assert found == {}
