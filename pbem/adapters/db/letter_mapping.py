"""From a letter to the columns of its row in the outbox, and back."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Row

from pbem.adapters.db.tables import OutboxRow
from pbem.adapters.db.types import key_of
from pbem.mail.outgoing.letter import Attachment, Letter


def letter_columns(letter: Letter) -> dict[str, Any]:
    """What a row keeps of a letter."""
    return {
        "message_id": letter.message_id,
        "recipient": letter.to_address,
        "recipient_key": key_of(letter.to_address),
        "to_name": letter.to_name,
        "from_name": letter.from_name,
        "from_address": letter.from_address,
        "subject": letter.subject,
        "text": letter.text,
        "written_at": letter.written_at,
        "thread": list(letter.references),
        "answers": letter.answers,
        "html": letter.html,
        "picture": letter.picture,
        "reply_to": letter.reply_to,
        "list_id": letter.list_id,
        "unsubscribe": letter.unsubscribe,
        "attachments": json.dumps(letter.attachments) if letter.attachments else "",
    }


def letter_of(row: OutboxRow | Row[Any]) -> Letter:
    """The letter of a row."""
    return Letter(
        message_id=row.message_id,
        from_name=row.from_name,
        from_address=row.from_address,
        to_name=row.to_name,
        to_address=row.recipient,
        subject=row.subject,
        text=row.text,
        written_at=row.written_at,
        references=tuple(row.thread),
        answers=row.answers,
        html=row.html,
        picture=row.picture,
        reply_to=row.reply_to,
        list_id=row.list_id,
        unsubscribe=row.unsubscribe,
        attachments=_attachments(row.attachments),
    )


def _attachments(stored: str) -> tuple[Attachment, ...]:
    return tuple(Attachment(*each) for each in json.loads(stored)) if stored else ()
