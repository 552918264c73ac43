"""`board`: how the HTML part of emails shows boards. The text part is the same for everyone."""

from __future__ import annotations

from pbem.mail.outgoing.look import BOARDS
from pbem.settings import Setting, SettingError

OLDER_NAMES = {"html": "letters"}


def _read(text: str) -> str:
    value = text.strip().casefold()
    value = OLDER_NAMES.get(value, value)
    if value not in BOARDS:
        raise SettingError(
            f"{text.strip()} is not a way to show boards. Choose one of: {', '.join(BOARDS)}"
        )
    return value


SETTING = Setting(
    "board",
    "how your emails show boards: picture, letters or ascii",
    BOARDS[0],
    _read,
    older_names=OLDER_NAMES,
)
