"""Kinds of emails: each has a template, and every event is in some email."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from pbem.mail.outgoing import kinds
from pbem.mail.outgoing.kinds import Mail, RefusalMail
from pbem.mail.outgoing.kinds.mail import snake_case
from pbem.matches.decision import Decision, OfPlayer
from pbem.matches.event import Event
from pbem.matches.seat_changes import HandedOn
from pbem.resources import folder


def _leaves(of: type[Mail]) -> Iterator[type[Mail]]:
    for kind in of.__subclasses__():
        if kind.__module__.startswith(kinds.__name__) and kind is not RefusalMail:
            yield from _leaves(kind) if kind.__subclasses__() else (kind,)


def test_every_kind_has_a_template() -> None:
    there = {path.name for path in (folder("templates") / "mail" / "en").iterdir()}
    assert {f"{kind.name()}.txt.j2" for kind in _leaves(Mail)} - there == set()


def test_every_event_sentence_belongs_to_an_event() -> None:
    sentences = (folder("templates") / "mail" / "en" / "events").glob("*.txt.j2")
    names = {path.name.partition(".")[0] for path in sentences}
    events = [*get_args(Event), *HandedOn.__subclasses__()]
    events += [*Decision.__subclasses__(), *OfPlayer.__subclasses__()]
    assert names <= {snake_case(event.__name__) for event in events}


def test_no_language_has_templates_that_english_lacks() -> None:
    root = folder("templates") / "mail"
    english = {path.relative_to(root / "en") for path in (root / "en").rglob("*.*")}
    for language in root.iterdir():
        assert {path.relative_to(language) for path in language.rglob("*.*")} <= english
