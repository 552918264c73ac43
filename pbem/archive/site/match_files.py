"""The files of a match: page, list of boards, records, pictures, and a board to embed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

from markupsafe import Markup

from pbem.archive.files import ArchiveFile
from pbem.archive.site import addresses
from pbem.archive.site.feeds import match_feed
from pbem.archive.site.rendering import rendered
from pbem.archive.site.replay_data import in_page, replay_data
from pbem.archive.site.replaying import Replayed, Step, replayed
from pbem.archive.site.sides import seat_titles, title_of
from pbem.archive.site.transcripts import files_in_formats
from pbem.archive.site.values import MatchPage, Site
from pbem.games import formats_of
from pbem.games.api import Seat
from pbem.games.diagram import Diagram, PieceToken
from pbem.games.phrases import ENGLISH
from pbem.matches.history import SUCCESSIONS, Happening
from pbem.matches.match import MatchSummary, PlayerId
from pbem.matches.record import to_json, to_text
from pbem.painters.ground import margin
from pbem.painters.svg import FONTS, SIDE, badges, marks, pieces, png, svg
from pbem.painters.tokens import definitions

PICTURE_WIDTH = 800


def files_of_match(site: Site, page: MatchPage) -> Iterator[ArchiveFile]:
    """Yield all files of a match."""
    played = replayed(page)
    data = _data(site, page, played)
    match, stem = page.entry.match, addresses.match_stem(page.entry.match)
    named = f"{data['title']}, match {page.entry.number}"
    picture = svg(played.diagram(len(played.steps) - 1), named)
    yield rendered(site, addresses.match_page(match), "match.html.j2", **data)
    yield rendered(site, addresses.embed_page(match), "embed.html.j2", **data)
    yield rendered(
        site,
        addresses.boards_page(match),
        "boards.html.j2",
        **data,
        first=drawn_on(played.diagram(0)),
    )
    positions = replay_data(played, data["seats"], match.seats)
    yield ArchiveFile(
        addresses.replay_data(match), f"window.replayData={in_page(positions)};\n".encode()
    )
    yield from _records(page, stem)
    if page.record is not None:
        yield from files_in_formats(stem, page.record, [*_said(page)])
    yield ArchiveFile(f"{stem}.svg", picture.encode())
    if site.url:
        yield ArchiveFile(f"{stem}.png", png(picture, PICTURE_WIDTH))
    if page.entry.origin is None:
        yield match_feed(site, page, played.steps, data["seats"])


def _data(site: Site, page: MatchPage, played: Replayed) -> dict[str, Any]:
    match, seats = page.entry.match, seat_titles(page.entry.match.game.info, page.entry.match.seats)
    steps, last = played.steps, played.steps[-1].position
    board = drawing(played)
    return {
        "entry": page.entry,
        "match": match,
        "title": title_of(page.entry),
        "seats": seats,
        "steps": steps,
        "last": steps[-1],
        "whose": whose(match, page.happenings),
        "earlier": held_earlier(match),
        "turn": last.turn,
        "to_act": None if match.result else match.game.to_act(last),
        "since": None if page.delayed else match.turn_started_at,
        "delayed": page.delayed,
        "board": board,
        "first_view": ", ".join(seats[seat] for seat in played.views[0].seats),
        "records": page.record is not None,
        "formats": formats_of(match.game_key) if page.record is not None else (),
        "step_links": _step_links(match, steps),
        "groups": played.diagrams[-1].groups,
        "terms": "; ".join(_terms(match)),
        "stem": addresses.match_stem(match),
        "picture": f"{addresses.match_stem(match)}.png" if site.url else "",
        "snippet": _snippet(site, match, title_of(page.entry)),
        "credits": any(score < 0 for score in match.result.scores.values())
        if match.result
        else False,
    }


def _terms(match: MatchSummary) -> Iterator[str]:
    yield ENGLISH.text(match.options.control.agreed)
    yield from map(ENGLISH.text, match.options.sayings)
    for option in match.game.info.options:
        if (value := match.options.game.get(option.key, option.default)) != option.default:
            yield f"{option.key.replace('_', ' ')} {option.format(value)}"


def _step_links(match: MatchSummary, steps: Sequence[Step]) -> list[str]:
    """Return the links to each turn for readers without scripts."""
    page = addresses.link(addresses.match_page(match), addresses.boards_page(match))
    return [f"{page}#turn-{step.turn}" for step in steps]


def _snippet(site: Site, match: MatchSummary, title: str) -> str:
    address = escape(f"{site.url}{addresses.embed_page(match)}")
    return (
        f'<iframe src="{address}" title="{escape(title)}" width="420" height="600"'
        ' loading="lazy"></iframe>'
    )


def _records(page: MatchPage, stem: str) -> Iterator[ArchiveFile]:
    if page.record is not None:
        # Actions taken back are in the record only.
        whole = len(page.actions) == len(page.record.actions)
        passes = [each.passed for each in page.actions] if whole else None
        yield ArchiveFile(f"{stem}.txt", to_text(page.record, passes).encode())
        yield ArchiveFile(f"{stem}.json", to_json(page.record).encode())


def _said(page: MatchPage) -> Iterator[tuple[int, str]]:
    """Yield what players said, by turn."""
    for note in page.notes:
        if note.text:
            yield note.turn, f"{page.entry.people[note.author].name}: {note.text}"


@dataclass(frozen=True)
class Drawing:
    """The parts of a match's board. The painters create all of them, so nothing needs escaping."""

    view_box: str
    fonts: str
    symbols: Markup
    """Pieces, drawn once and used by name."""
    grounds: tuple[Markup, ...]
    """The board without pieces, for each view."""
    below: Markup
    """Marks of the last turns below the pieces. `above` holds those above them."""
    pieces: Markup
    above: Markup


def drawing(match: Replayed) -> Drawing:
    """Return the current board with the first seat at the bottom, and all parts to replay it."""
    last = match.diagram(len(match.steps) - 1)
    return Drawing(
        view_box(last),
        FONTS,
        _made(f"<defs>{definitions(tokens_of(match.diagrams))}</defs>"),
        tuple(_made(view.ground) for view in match.views),
        _made(marks(last)),
        _made(pieces(last)),
        _made(badges(last)),
    )


def drawn_on(diagram: Diagram) -> Markup:
    """Return the marks and pieces of a board, to put on its ground."""
    return _made(marks(diagram) + pieces(diagram) + badges(diagram))


def view_box(diagram: Diagram) -> str:
    """Return the view box of a board with its frame."""
    edge = margin(diagram)
    wide, high = (each * SIDE + 2 * edge for each in (diagram.columns, diagram.rows))
    return f"{-edge} {-edge} {wide} {high}"


def tokens_of(diagrams: Iterable[Diagram]) -> list[PieceToken]:
    """Return every kind of piece on some boards, in a fixed order."""
    cells = (cell for diagram in diagrams for cell in diagram.cells.values())
    return sorted({token for cell in cells for token in cell.tokens})


def _made(svg: str) -> Markup:
    return Markup(svg)  # noqa: S704  # by the painters, which escape their input


class Held(NamedTuple):
    """The turns in which an earlier player held a seat."""

    player: PlayerId
    first: int
    last: int


def held_earlier(match: MatchSummary) -> Mapping[Seat, list[Held]]:
    """Return the earlier holders of each seat in order, except those who had no turn."""
    held: dict[Seat, list[Held]] = {seat: [] for seat in match.seats}
    first = dict.fromkeys(match.seats, 1)
    for seat, player, until in match.hands.earlier:
        if until > first[seat]:
            held[seat].append(Held(player, first[seat], until - 1))
            first[seat] = until
    return held


def whose(match: MatchSummary, happenings: Iterable[Happening]) -> Mapping[int, PlayerId]:
    """Return who caused each event or was affected by it, by its entry in the history."""
    holders, found = dict(match.began), dict[int, PlayerId]()
    for each in sorted(happenings, key=lambda happening: happening.entry):
        if each.seat:
            found[each.entry] = holders[each.seat]
        if each.kind in SUCCESSIONS:
            old, new = map(int, each.text.split())
            holders = {seat: new if held == old else held for seat, held in holders.items()}
    return found
