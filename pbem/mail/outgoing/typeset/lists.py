"""Lists: what stands below one another, or side by side while there is room."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from pbem.mail.outgoing.typeset import style
from pbem.mail.outgoing.typeset.style import element

if TYPE_CHECKING:
    from pbem.mail.outgoing.taps import Tap, Taps


def flowing(items: Iterable[str]) -> str:
    """Items side by side, as many to a line as fit."""
    texts = "\n".join(element("span", style.FLOW, escape(each, quote=False)) for each in items)
    return element("p", f"{style.PARAGRAPH};{style.MONO};font-size:14px", texts)


def listed(items: Iterable[str]) -> str:
    """Items below one another, escaped already."""
    return element("ul", style.LIST, "\n".join(element("li", style.ITEM, each) for each in items))


def definitions(said: str) -> str:
    """Lines of a term and what it is, on one line with a gap or on two, escaped already."""
    return element("dl", style.PARAGRAPH, "\n".join(_definitions(said)))


def explained(rows: Iterable[Sequence[str]]) -> str:
    """Terms and what they are, escaped already."""
    parts = (
        f"{element('dt', style.TERM, term)}\n{element('dd', style.DEFINITION, said)}"
        for term, said in rows
    )
    return element("dl", style.PARAGRAPH, "\n".join(parts))


_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")


def _definitions(said: str) -> Iterator[str]:
    for line in filter(str.strip, said.splitlines()):
        if line.startswith("    "):
            yield element("dd", style.DEFINITION, line.strip())
        else:
            term, *meaning = _GAP.split(line.strip(), maxsplit=1)
            yield element("dt", style.TERM, term)
            yield from (element("dd", style.DEFINITION, each) for each in meaning)


def to_tap(taps: Taps) -> str:
    """What can be tapped beside the board: actions as buttons, commands below them."""
    look = style.SMALL_PILL if taps.many else style.PILL
    groups = (buttons(group.taps, group.title, look) for group in taps.groups)
    hint = (style.small(escape(taps.hint, quote=False)),) if taps.hint else ()
    return "\n".join((*groups, *hint, commands(taps)))


def commands(taps: Taps) -> str:
    """What can be asked for, as links."""
    return element("p", style.PARAGRAPH, _links(taps.commands, style.QUIET))


def buttons(taps: Iterable[Tap], title: str = "", look: str = style.PILL) -> str:
    """Some of it, as buttons after a title."""
    return element("p", style.BUTTONS, f"{_title(title)}{_links(taps, look)}")


def _title(said: str) -> str:
    return element("b", style.TITLE, escape(said, quote=False)) + "\n" if said else ""


def _links(taps: Iterable[Tap], look: str) -> str:
    return "\n".join(
        f'<a href="{escape(tap.href)}" style="{look}">{escape(tap.label, quote=False)}</a>'
        for tap in taps
    )
