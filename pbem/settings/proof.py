"""`proof`: what proves that an email is a player's, if not the club's default."""

from __future__ import annotations

from pbem.mail.proof.authentication import ProofRule
from pbem.settings import Setting, SettingError

CLUBS_RULE = "club"


def _read(text: str) -> str:
    if text == CLUBS_RULE:
        return ""
    if text not in [*ProofRule]:
        raise SettingError(
            f"{text} is not a rule. Choose one of: {', '.join((*ProofRule, CLUBS_RULE))}"
        )
    return text


SETTING = Setting("proof", "what proves that an email is from a player", "", _read, by_player=False)
