"""`mails`: how many emails a player gets about one match."""

from __future__ import annotations

from functools import partial

from pbem.commands.api import (
    Argument,
    Command,
    CommandContext,
    CommandResult,
    HelpGroup,
    Need,
    Scope,
)
from pbem.commands.settings import WrongSetting
from pbem.mail.outgoing.kinds.refusals import RefusedError, WhichMatch
from pbem.matches.match import MatchSummary
from pbem.service.members.choosing import choose_mails
from pbem.service.play.readable import played_by
from pbem.settings import mails


def _mails(asked: CommandContext) -> CommandResult:
    number, choice = asked.arguments
    match, choice = _match(asked, number), choice.casefold()
    if choice == mails.DIGEST and mails.digest_time(asked.player) is None:
        reason = f"choose a time for it first: send set mails {mails.EXAMPLE}"
        raise RefusedError(WrongSetting(mails.key_for(match.id), reason))
    before = mails.chosen(asked.player, match)
    after = mails.chosen(mails.with_choice(asked.player, match.id, choice), match)
    choose = partial(choose_mails, player=asked.player.id, match=match.id, choice=choice)
    done = CommandResult.answered("mails", number=match.id, mails=after, already=before == after)
    return done.then(CommandResult(effects=(choose,)))


def _match(asked: CommandContext, number: str) -> MatchSummary:
    """Return the match that is named, or that the email is about. Raises RefusedError."""
    if number:
        return played_by(asked.work, asked.player, number)
    if asked.about is None:
        raise RefusedError(WhichMatch())
    return asked.about


COMMANDS = (
    Command(
        "mails",
        "get every email of a match, or only those that need an answer",
        _mails,
        Scope.EITHER,
        Need.ANY,
        arguments=(
            Argument(
                "match", required=False, number=True, help="the number of one of your matches"
            ),
            Argument("choice", among=lambda: mails.CHOICES, help="turn, all, digest or usual"),
        ),
        group=HelpGroup.CHOOSE,
    ),
)
