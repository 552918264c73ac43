"""Return first: who was waited for has come back before their mail is judged.

A bot may have kept their seat, or it is offered: what they write counts as if it had been theirs.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.inbox.judge import judge
from pbem.inbox.judgement import Accepted, Judgement, Parked, Refused
from pbem.mail.refusals import NoCommand
from pbem.matches.match import Player
from pbem.ports.inbound import InboundMail
from pbem.service.hands.returning import heard_from, is_waited_for, tell_of_return
from pbem.service.work import Work


def judged(work: Work, mail: InboundMail) -> Judgement:
    """What a mail is; if its player has been waited for, they have come back before that."""
    judgement = judge(work, mail)  # which shows whether it is proven
    sender = judgement.reading.sender
    if not isinstance(judgement, Accepted | Parked | Refused) or sender is None:
        return judgement
    if sender.match is None or not sender.proven or not isinstance(sender.who, Player):
        return judgement
    match = sender.match
    if match.hands.earlier:  # else, as nearly always, it is as it is stored: nothing was given back
        match = work.matches.get(match.id)
    if not is_waited_for(work, match, sender.who):
        return judgement
    back = heard_from(work, match, sender.who)
    judgement = judge(work, mail)
    if back is not None:
        more = isinstance(judgement, Accepted) and judgement.done.match is not None
        if isinstance(judgement, Refused) and isinstance(judgement.refusal, NoCommand):
            more = True
            judgement = replace(judgement, refusal=replace(judgement.refusal, back=True))
        tell_of_return(work, back, match.id, too=not more)
    return judgement
