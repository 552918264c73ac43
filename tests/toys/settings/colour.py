"""`colour`: a toy setting."""

from pbem.settings import Setting, SettingError


def _read(text: str) -> str:
    if text.casefold() not in ("red", "green", "blue"):
        raise SettingError(f"a colour is red, green or blue, not {text}")
    return text.casefold()


SETTING = Setting("colour", "the colour of your pieces", "red", _read)
