"""Every template renders every shape of its data, in each language and form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest

from pbem.commands import all_commands
from pbem.mail.outgoing import kinds
from pbem.mail.outgoing.kinds import (
    AnsweredBlock,
    ClubName,
    DigestAnswer,
    Mail,
    MatchOver,
    Position,
    RefusalMail,
)
from pbem.mail.outgoing.kinds.refusals import Refusal
from pbem.mail.outgoing.look import BOARDS, USUAL, Look, ReplyTo
from pbem.mail.outgoing.match_view import MatchView
from pbem.mail.outgoing.render import Renderer, WrittenMail
from tests.mail.samples import events, match_views, shapes
from tests.toys.language import LANGUAGE, toy_language

all_commands()  # some have their own refusals
CLUBS = (ClubName("pbem", "director@games.example"), ClubName("pbem", ""))
REPLY = ReplyTo("club+token@games.example", "Re: [pbem 1] hello")
LOOKS = (USUAL, *(Look(each, REPLY) for each in BOARDS))
LANGUAGES = ("en", pytest.param(LANGUAGE, marks=pytest.mark.thorough))


@pytest.fixture(scope="module", params=LANGUAGES)
def renderer(request: pytest.FixtureRequest) -> Renderer:
    return toy_language().into(request.param)


def leaves(of: type[Any]) -> Iterator[type[Any]]:
    for kind in of.__subclasses__():
        yield from leaves(kind) if kind.__subclasses__() else (kind,)


MAILS = [
    each
    for each in leaves(Mail)
    if each.__module__.startswith(kinds.__name__) and each is not RefusalMail
]
REFUSALS = [each for each in leaves(Refusal) if each.__module__.startswith("pbem.")]


def mails(kind: type[Any]) -> Iterator[Mail]:
    """Return all shapes of one kind with one match, and one shape with every match and reader."""
    views = [each for each in match_views() if each.match.result or kind is not MatchOver]
    some = [_of(views[0], each) for each in shapes(kind)]
    yield from some
    if _views_of(some[0]):
        yield from (_of(view, some[0]) for view in views)


def _of(view: MatchView, mail: Mail) -> Mail:
    """Return the same email about another match, if it is about one."""
    return replace(mail, **dict.fromkeys(_views_of(mail), view))


def _views_of(mail: Mail) -> list[str]:
    """Return the names of the fields with the match that an email is about."""
    return [name for name in ("view", "state") if getattr(mail, name, None) is not None]


def refused(kind: type[Any]) -> Iterator[Mail]:
    """Return the refusal to a player of the match, and to a director, a member or a stranger.

    One shape is about matches of all games, before, in and after play.
    """
    for shape in shapes(kind):
        for of_club in (False, True):
            yield RefusalMail(shape, None, of_club=of_club)
            yield RefusalMail(shape, match_views()[0], of_club=of_club, line="-- ")
        yield DigestAnswer([AnsweredBlock("Anna", None, refusal=shape)])
        yield DigestAnswer([AnsweredBlock("Anna", match_views()[0], refusal=shape)])
    yield from (RefusalMail(shape, view) for view in match_views()[::6])


def said(renderer: Renderer, mail: Mail) -> Iterator[WrittenMail]:
    """Return a language's text for readers of each sort, in one form after another."""
    for reader in ("Anna", ""):
        club, look = next(CLUBS_BY_TURNS), next(LOOKS_BY_TURNS)
        yield renderer.written(mail, club, reader, look)


AT_ONCE = 5
"""Events told in one email, since its board takes most of the time."""
CLUBS_BY_TURNS, LOOKS_BY_TURNS = cycle(CLUBS), cycle(LOOKS)


def check(renderer: Renderer, mail: Mail) -> None:
    for written in said(renderer, mail):
        assert written.failures == (), (mail, written.failures)
        assert written.html
        assert all(len(line) <= 72 or " " not in line for line in written.text.splitlines())


@pytest.mark.parametrize("kind", MAILS, ids=lambda kind: kind.name())
def test_every_shape_of_an_email_is_rendered(renderer: Renderer, kind: type[Mail]) -> None:
    for mail in mails(kind):
        check(renderer, mail)


@pytest.mark.parametrize("kind", REFUSALS, ids=lambda kind: kind.name())
def test_every_shape_of_a_refusal_is_rendered(renderer: Renderer, kind: type[Refusal]) -> None:
    for mail in refused(kind):
        check(renderer, mail)


def test_every_event_is_rendered_for_every_reader(renderer: Renderer) -> None:
    told = tuple(events())
    for view in match_views()[:3:2]:
        for first in range(0, len(told), AT_ONCE):
            check(renderer, Position(view, events=told[first : first + AT_ONCE]))
