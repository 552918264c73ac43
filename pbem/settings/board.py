"""`board`: how the HTML part of emails shows boards. The text part is the same for everyone."""

from __future__ import annotations

from pbem.mail.outgoing.look import BOARDS
from pbem.settings import Setting, SettingError


def _read(text: str) -> str:
    value = text.strip().casefold()
    if value not in BOARDS:
        raise SettingError(
            f"{text.strip()} is not a way to show boards. Choose one of: {', '.join(BOARDS)}"
        )
    return value


SETTING = Setting("board", "how your emails show boards: html, picture or ascii", BOARDS[0], _read)
