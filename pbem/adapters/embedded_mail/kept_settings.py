"""Kept settings: ports and passwords of the embedded server, the same from run to run."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from pathlib import Path

PASSWORD_BYTES = 9
SMTP_PORT, IMAP_PORT = 2525, 1143


@dataclass
class KeptSettings:
    """Where the servers listen, and who may read what; a file for the owner alone."""

    file: Path
    smtp_port: int = SMTP_PORT
    imap_port: int = IMAP_PORT
    passwords: dict[str, str] = field(default_factory=dict)
    """By address, in lower case."""

    @classmethod
    def of(cls, folder: Path) -> KeptSettings:
        """Those in a folder, or new ones where there are none; raises OSError."""
        file = folder / "settings.json"
        try:
            found = json.loads(file.read_text("utf-8"))
            passwords = {str(name): str(word) for name, word in found["passwords"].items()}
            return cls(file, int(found["smtp_port"]), int(found["imap_port"]), passwords)
        except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
            return cls(file)

    def password(self, address: str) -> str:
        """Password of a mailbox, made where it has none yet."""
        name = address.casefold()
        if name not in self.passwords:
            self.passwords[name] = secrets.token_urlsafe(PASSWORD_BYTES)
            self.save()
        return self.passwords[name]

    def listening(self, smtp_port: int, imap_port: int) -> None:
        """The servers listen there, and are to do so the next time."""
        if (smtp_port, imap_port) != (self.smtp_port, self.imap_port) or not self.file.exists():
            self.smtp_port, self.imap_port = smtp_port, imap_port
            self.save()

    def save(self) -> None:
        """Writes the file, as a whole or not at all; raises OSError."""
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = self.file.with_suffix(".new")
        new.unlink(missing_ok=True)
        new.touch(mode=0o600, exist_ok=False)
        shown = {
            "smtp_port": self.smtp_port,
            "imap_port": self.imap_port,
            "passwords": self.passwords,
        }
        new.write_text(json.dumps(shown, indent=2) + "\n", "utf-8")
        new.replace(self.file)
