"""Vacancies: seats that are offered, to the partner alone or to all substitutes of the club."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.match import Match, Player
from pbem.service.work import Work


def offer_to_partner(work: Work, match: Match, player: Player, at: datetime) -> Match:
    """A player's partner may say `takeover`; they are mailed. The match is locked, and stored."""
    raise NotImplementedError


def offer_to_substitutes(work: Work, match: Match, player: Player, at: datetime) -> Match:
    """Whoever first says `takeover` gets the seats of a player; all substitutes are mailed.

    A partner may, too. The match is locked, and stored. Any proven mail of the player about the
    match ends the offer, and so does their turn when somebody else plays it.
    """
    raise NotImplementedError
