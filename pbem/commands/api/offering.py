"""Offering: code shared by the commands about offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from pbem.commands.api.command import Argument, Command, HelpGroup, Need, Scope
from pbem.commands.api.context import CommandContext, CommandResult
from pbem.games.api import Option
from pbem.games.phrases import Phrase
from pbem.mail.outgoing.kinds import Section
from pbem.mail.outgoing.kinds.refusals import Refusal, RefusedError
from pbem.mail.outgoing.offer_view import OfferView
from pbem.mail.topic import OfferTopic
from pbem.matches.match import Player
from pbem.matches.offer import Offer
from pbem.matches.offer_terms import OfferError
from pbem.matches.words import phrase
from pbem.service.offers.answering import known, the_one
from pbem.service.offers.change import OfferChange, carry_out, view
from pbem.service.offers.matchmaking import outlook
from pbem.service.offers.options import words_of
from pbem.service.work import Work


def is_wish(text: str) -> bool:
    """Return whether a word asks for a seat."""
    return text.casefold().startswith("as=")


def seat_in(words: Sequence[str]) -> str:
    """Return the requested seat, empty for none."""
    return words[0].partition("=")[2] if words else ""


def about_offers(
    word: str, summary: str, run: Callable[[CommandContext], CommandResult], *of: Argument
) -> Command:
    """Return a command for members to make or answer offers."""
    return Command(word, summary, run, Scope.CLUB, Need.RECENT, arguments=of, group=HelpGroup.FIND)


@dataclass(frozen=True)
class NotOffered(Refusal):
    """An offer that cannot be made or changed as requested."""

    reason: Phrase | str
    meant: Sequence[str]
    """Suggested lines."""
    options: Sequence[Option] = ()
    """Match options to explain."""


@dataclass(frozen=True)
class TermsChanged(Refusal):
    """An answer to old terms of an offer."""

    offer: OfferView


@contextmanager
def refusals(asked: CommandContext, command: str = "") -> Iterator[None]:
    """Refuse the email on an OfferError. `command` is put before each suggestion."""
    try:
        yield
    except OfferError as error:
        meant = [f"{command} {line}".strip() for line in error.candidates]
        if not meant and asked.about is not None:  # they may mean an offer in the match
            meant = [f"{no}{each.kind}" for each in asked.about.offers for no in ("", "no ")]
        raise RefusedError(NotOffered(error.reason, meant, error.options)) from error


def changed(
    asked: CommandContext, work_out: Callable[[Work], OfferChange], did: str
) -> CommandResult:
    """Return the result of changing an offer, with the new offer shown once it is written.

    If a match started, its first email says so and nothing else does. Raises OfferError.
    """
    work_out(asked.work)

    def write(work: Work) -> Section | None:
        try:
            change = work_out(work)
        except OfferError as error:  # the offer is locked: another line of this email did it
            if _was_said(did, error):
                return None
            raise RefusedError(NotOffered(phrase("offer.lines"), ())) from error
        offer = carry_out(work, change)
        if offer.begun != (change.before.begun if change.before else ""):
            return None
        shown = {"offer": view(work, offer, change.by), "did": did}
        return Section("offer_now", {**shown, "outlook": outlook(work, offer)})

    return CommandResult(effects=(write,))


SAID_TWICE = {
    "accepted": ("offer.accepted", "offer.begun"),
    "declined": ("offer.declined",),
    "countered": ("offer.same",),
    "taken": ("offer.sits", "offer.begun", "offer.plays-here"),
    "left": ("offer.sits-not",),
    "withdrawn": ("offer.withdrawn",),
}
"""Errors that show that a line repeats an earlier one of the same email.

Any other error shows that the lines contradict each other.
"""


def _was_said(did: str, error: OfferError) -> bool:
    return isinstance(error.reason, Phrase) and error.reason.key in SAID_TWICE.get(did, ())


Answer = Callable[[Work, Player, Offer], OfferChange]


def answered(asked: CommandContext, offer: Offer, answer: Answer, did: str) -> CommandResult:
    """Return the result of answering an open offer. Raises OfferError."""
    return changed(asked, lambda work: answer(work, asked.player, known(work, offer.number)), did)


def named(
    asked: CommandContext, command: str, fits: Callable[[Offer], bool]
) -> tuple[Offer, list[str]]:
    """Return the offer meant by the number or the email, and the words after the number.

    Without either, it is the only offer that fits. Raises OfferError if there are several or none.
    """
    number, *rest = asked.arguments or ("",)
    words = words_of(" ".join(rest))
    if number:
        return known(asked.work, int(number.lstrip("#"))), words
    topic = _topic(asked)
    if topic is not None:
        return known(asked.work, topic.offer), words
    return the_one(asked.work, asked.player, command, fits), words


def require_same_terms(asked: CommandContext, offer: Offer) -> None:
    """Raise RefusedError if the email was written about older terms than the current ones."""
    if not _are_known(asked, offer) and offer.stands and asked.player.id in offer.players:
        raise RefusedError(TermsChanged(view(asked.work, offer, asked.player)))


def _are_known(asked: CommandContext, offer: Offer) -> bool:
    """Return whether the current terms were emailed to the sender before they wrote."""
    topic = _topic(asked)
    if topic is not None and topic.offer == offer.number:
        return topic.turn == offer.revision
    now = OfferTopic(offer.number, offer.revision)
    told_at = asked.work.outbox.queued_at(now.key, asked.player.id, now.turn)
    if told_at is None or asked.came_at is None:
        return True
    return told_at.replace(microsecond=0) <= asked.came_at  # mailboxes store whole seconds


def _topic(asked: CommandContext) -> OfferTopic | None:
    topic = asked.proof.topic if asked.proof is not None else None
    return topic if isinstance(topic, OfferTopic) else None
