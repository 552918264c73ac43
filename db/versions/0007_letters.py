"""Letters: what a mail of the outbox says, in place of its bytes.

Mail that is queued is read out of its bytes once, and is sent as it was. How is written out here:
what a migration does must not change when the code does.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import EmailMessage, Message
from email.utils import parsedate_to_datetime, unquote
from typing import Any

import sqlalchemy as sa
import sqlmodel  # noqa: F401
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_COLUMNS: tuple[tuple[str, sa.types.TypeEngine[Any]], ...] = (
    *((name, sa.Text()) for name in ("from_name", "from_address", "to_name", "subject", "text")),
    ("written_at", sa.DateTime(timezone=True)),
    ("thread", sa.JSON()),
    ("answers", sa.Boolean()),
)
_OUTBOX = sa.table(
    "outbox",
    *(sa.column(name) for name in ("id", "message_id", "recipient", "raw")),
    sa.column("queued_at", sa.DateTime(timezone=True)),
    *(sa.column(name, kind) for name, kind in _COLUMNS),
)
_THIS = sa.update(_OUTBOX).where(_OUTBOX.c.id == sa.bindparam("its_id"))
_AT_ONCE = 500


def upgrade() -> None:
    """Applies it."""
    for name, kind in _COLUMNS:
        op.add_column("outbox", sa.Column(name, kind, nullable=True))
    for rows in _in_batches():
        op.get_bind().execute(_THIS, [{"its_id": row["id"], **_letter(row)} for row in rows])
    with op.batch_alter_table("outbox", table_kwargs={"sqlite_autoincrement": True}) as outbox:
        for name, kind in _COLUMNS:
            outbox.alter_column(name, existing_type=kind, nullable=False)
        outbox.drop_column("raw")


def downgrade() -> None:
    """Takes it back; mail that is queued goes without its HTML part."""
    op.add_column("outbox", sa.Column("raw", sa.LargeBinary(), nullable=True))
    for rows in _in_batches():
        op.get_bind().execute(_THIS, [{"its_id": row["id"], "raw": _bytes(row)} for row in rows])
    with op.batch_alter_table("outbox", table_kwargs={"sqlite_autoincrement": True}) as outbox:
        outbox.alter_column("raw", existing_type=sa.LargeBinary(), nullable=False)
        for name, _ in _COLUMNS:
            outbox.drop_column(name)


def _in_batches() -> Iterator[list[sa.RowMapping]]:
    last = 0
    while True:
        some = sa.select(_OUTBOX).where(_OUTBOX.c.id > last).order_by(_OUTBOX.c.id).limit(_AT_ONCE)
        rows = list(op.get_bind().execute(some).mappings().all())
        if not rows:
            return
        yield rows
        last = rows[-1]["id"]


def _letter(row: sa.RowMapping) -> dict[str, Any]:
    """What its bytes say; the addresses are those that the mail went to and came from."""
    mail = message_from_bytes(bytes(row["raw"]))
    return {
        "from_name": _name(_field(mail, "From")),
        "from_address": _decoded(_field(mail, "Reply-To")),
        "to_name": _name(_field(mail, "To")),
        "subject": _decoded(_field(mail, "Subject")),
        "text": _text(mail),
        "written_at": _date(_field(mail, "Date")) or row["queued_at"],
        "thread": _field(mail, "References").split(),
        "answers": _field(mail, "Auto-Submitted") == "auto-replied",
    }


def _field(mail: Message, name: str) -> str:
    return re.sub(r"\r?\n(?=[ \t])", "", str(mail.get(name, ""))).strip()


def _decoded(value: str) -> str:
    try:
        return _stored(str(make_header(decode_header(value))))
    except (HeaderParseError, LookupError, UnicodeError, ValueError):
        return _stored(value)


def _name(value: str) -> str:
    """The name before an address; all is encoded where the address is no ASCII."""
    plain = value if " <" in value else _decoded(value)
    name = plain.rpartition(" <")[0]
    return _stored(unquote(name)) if name.startswith('"') else _decoded(name)


def _text(mail: Message) -> str:
    """The plain text; whatever the bytes are, where there is none."""
    part = next((each for each in mail.walk() if each.get_content_type() == "text/plain"), mail)
    content = part.get_payload(decode=True)
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else ""
    return _stored(text.replace("\r\n", "\n"))


def _stored(text: str) -> str:
    return text.replace("\0", "?").encode(errors="replace").decode()


def _date(value: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _bytes(row: sa.RowMapping) -> bytes:
    mail = EmailMessage()
    fields = {
        "From": f"{make_header([(row['from_name'], 'utf-8')]).encode()} <{row['from_address']}>",
        "To": row["recipient"],
        "Reply-To": row["from_address"],
        "Subject": row["subject"],
        "Message-ID": row["message_id"],
        "References": " ".join(row["thread"]),
        "Auto-Submitted": "auto-replied" if row["answers"] else "auto-generated",
    }
    for name, value in fields.items():
        if value:
            mail[name] = value
    mail["Date"] = row["written_at"]
    mail.set_content(row["text"])
    return mail.as_bytes()
