"""Pending: a draw offer or a resignation that stands in a match, as somebody is told of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pbem.mail.outgoing.phrases import in_words
from pbem.matches.match import Match, PlayerId

Names = Mapping[PlayerId, str]


def pending(match: Match, names: Names, you: PlayerId | None) -> Iterator[str]:
    """Sentences, a line each, to one of the players or, None, to anybody; none after the end."""
    if match.result is None:
        yield from _offer(match, names, you)
        for player in sorted(match.resigned):
            yield from _resignation(match, names, player, you)


def open_to(match: Match, names: Names, you: PlayerId) -> str:
    """What a player can answer though another is to act; empty if there is nothing."""
    if match.result is not None:
        return ""
    if match.offer is not None and you in _unanswered(match):
        return "you can answer the draw offer"
    waiting = match.resigned.intersection(match.side_of(you)) - {you}
    if waiting and you not in match.resigned:
        return f"you can resign, as {in_words([names[each] for each in waiting])} would"
    return ""


def _unanswered(match: Match) -> list[PlayerId]:
    accepted = match.offer.accepted if match.offer is not None else frozenset()
    return [player for player in match.asked if player not in accepted]


def _offer(match: Match, names: Names, you: PlayerId | None) -> Iterator[str]:
    if match.offer is None:
        return
    left = _unanswered(match)
    if match.offer.by == you:
        yield f"Your draw offer stands. {_still_to_answer(names, left)}"
        return
    yield f"{names[match.offer.by]} offers a draw."
    if you is None:
        yield _still_to_answer(names, left)
    elif match.has_resigned(you):
        yield f"Those who still play are asked. {_still_to_answer(names, left)}"
    elif you in left:
        yield 'Reply "draw" to accept it; "no draw", or a move, declines it.'
    else:
        yield f"You have accepted it. {_still_to_answer(names, left)}"


def _still_to_answer(names: Names, players: Iterable[PlayerId]) -> str:
    who = [names[player] for player in players]
    return f"{in_words(who)} {'is' if len(who) == 1 else 'are'} still to answer."


def _resignation(
    match: Match, names: Names, player: PlayerId, you: PlayerId | None
) -> Iterator[str]:
    left = [each for each in match.side_of(player) if each not in match.resigned]
    moves = "you move" if player == you else f"{names[player]} moves"
    joined = "you do" if you in left else f"{in_words([names[each] for each in left])} does"
    yield f"{'You' if player == you else names[player]} would resign."
    yield f"The match ends if {joined} so, too, before {moves} again."
