"""Refusals: each type has a template with the same name, and gives its reason in one line."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.commands import all_commands
from pbem.mail.outgoing.kinds.refusals import (
    ConfirmAlone,
    IllegalAction,
    OldTurn,
    Refusal,
)
from pbem.resources import folder

all_commands()  # some have their own refusals


def _kinds(of: type[Refusal] = Refusal) -> Iterator[type[Refusal]]:
    for kind in of.__subclasses__():
        yield from _kinds(kind) if kind.__subclasses__() else (kind,)


def test_every_refusal_has_a_template() -> None:
    there = {path.name for path in (folder("templates") / "mail" / "en").iterdir()}
    assert {f"{kind.name()}.txt.j2" for kind in _kinds()} - there == set()


def test_refusal_has_the_name_and_fields_of_its_type() -> None:
    illegal = IllegalAction("[8-B]", "it is not there", ("[8-C]",))
    assert (illegal.name(), str(illegal)) == ("illegal_action", "illegal_action: it is not there")
    assert illegal.data == {"text": "[8-B]", "reason": "it is not there", "candidates": ("[8-C]",)}
    assert (OldTurn().data, str(OldTurn())) == ({"plan": False}, "old_turn")
    assert ConfirmAlone(asked=True, waiting=True).data["waiting"] is True
