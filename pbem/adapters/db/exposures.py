"""What others may have read that proves somebody."""

from __future__ import annotations

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from pbem.adapters.db.posted import LATEST_TURN, key_of_holder
from pbem.adapters.db.session import insert_into, run
from pbem.adapters.db.tables import ExposureRow
from pbem.adapters.db.types import key_of
from pbem.mail.topic import Holder, TopicKey
from pbem.service.ports import Exposure, Worth


class SqlExposures:
    """The port Exposures."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def note(self, topic: TopicKey, holder: Holder, exposure: Exposure) -> None:
        """Others have read what proves somebody; what is known of it never shrinks."""
        known = self.of(topic, holder) or exposure
        larger = {"mail": max(known.mail, exposure.mail), "turn": max(known.turn, exposure.turn)}
        row = insert_into(self._session, ExposureRow)
        new = row.values(topic=topic, holder_key=key_of(str(holder)), **larger)
        self._session.exec(
            new.on_conflict_do_update(index_elements=["topic", "holder_key"], set_=larger)
        )

    def worth(self, topic: TopicKey, holder: Holder) -> Worth:
        """What a proof of somebody in a topic is worth."""
        values = {"its_topic": topic, "its_holder": key_of_holder(holder)}
        key = {"its_holder_key": key_of(str(holder))}
        row = run(self._session, WORTH[type(holder)], {**values, **key}).one()
        exposure = None if row.mail is None else Exposure(row.mail, row.turn)
        return Worth(row.newest_turn, exposure)

    def of(self, topic: TopicKey, holder: Holder) -> Exposure | None:
        """What others have read of somebody's proofs in a topic, None if nothing."""
        values = {"its_topic": topic, "its_holder_key": key_of(str(holder))}
        row = run(self._session, EXPOSURE, values).one_or_none()
        return None if row is None else Exposure(row.mail, row.turn)


_ITS = (
    col(ExposureRow.topic) == bindparam("its_topic"),
    col(ExposureRow.holder_key) == bindparam("its_holder_key"),
)
EXPOSURE = select(col(ExposureRow.mail), col(ExposureRow.turn)).where(*_ITS)
WORTH = {
    kind: select(
        newest.scalar_subquery().label("newest_turn"),
        select(col(ExposureRow.mail)).where(*_ITS).scalar_subquery().label("mail"),
        select(col(ExposureRow.turn)).where(*_ITS).scalar_subquery().label("turn"),
    )
    for kind, newest in LATEST_TURN.items()
}
"""By the kind of holder: a player, or the address of nobody."""
