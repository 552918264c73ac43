"""Offers and blocks: how members find their games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import insert, literal_column
from sqlmodel import Session, col, delete, or_, select, update
from sqlmodel.sql.expression import SelectOfScalar

from pbem.adapters.db.match_mapping import options_data, options_of
from pbem.adapters.db.moments import move
from pbem.adapters.db.session import by_id, change, gathered, insert_into, locked, refused_as, run
from pbem.adapters.db.tables import BlockRow, OfferPlayerRow, OfferRow
from pbem.matches.match import PlayerId
from pbem.matches.offer import Entry, Offer, State
from pbem.matches.offer_terms import Begins, Terms
from pbem.ports.process import StorageError

STANDS = col(OfferRow.state) == literal_column(f"'{State.STANDS}'")
"""Written out, since an index is of just these."""


class SqlOffers:
    """The port Offers."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, offer: Offer) -> Offer:
        """Stores a new offer and gives it its number; raises StorageError."""
        row = OfferRow(**_columns_of(offer), created_at=offer.created_at)
        with refused_as(self._session, "a player is not stored, or named twice"):
            self._session.add(row)
            self._session.flush()
            assert row.id is not None
            self._put_entries(row.id, offer.entries)
        return replace(offer, number=row.id)

    def get(self, number: int) -> Offer:
        return self._one(number, select(OfferRow))

    def lock(self, number: int) -> Offer:
        return self._one(number, locked(self._session, select(OfferRow)))

    def save(self, offer: Offer) -> None:
        """Stores what changed of an offer; raises StorageError."""
        this = update(OfferRow).where(col(OfferRow.id) == offer.number)
        change(self._session, this.values(**_columns_of(offer)), _missing(offer.number))
        gone = delete(OfferPlayerRow).where(col(OfferPlayerRow.offer_id) == offer.number)
        with refused_as(self._session, "a player is not stored, or named twice"):
            self._session.exec(gone)
            self._put_entries(offer.number, offer.entries)

    def standing(self) -> list[Offer]:
        query = select(OfferRow, OfferPlayerRow).join(OfferPlayerRow).where(STANDS)
        in_order = query.order_by(col(OfferRow.id), col(OfferPlayerRow.place))
        return [_offer_of(row, entries) for row, entries in gathered(self._session.exec(in_order))]

    def of_player(self, player: PlayerId) -> list[Offer]:
        theirs = select(OfferPlayerRow.offer_id).where(col(OfferPlayerRow.player_id) == player)
        standing = select(OfferRow.id).where(STANDS, col(OfferRow.id).in_(theirs))
        found = self._session.exec(standing.order_by(col(OfferRow.id))).all()
        return [self.get(number) for number in found if number is not None]

    def expired(self, now: datetime) -> list[int]:
        late = select(OfferRow.id).where(STANDS, col(OfferRow.expires_at) <= now)
        found = self._session.exec(late.order_by(col(OfferRow.id))).all()
        return [number for number in found if number is not None]

    def postpone(self, by: timedelta, after: datetime) -> None:
        later = col(OfferRow.expires_at) > after
        move(self._session, OfferRow, "expires_at", by, STANDS, later)

    def _one(self, number: int, query: SelectOfScalar[OfferRow]) -> Offer:
        row = by_id(self._session, query, col(OfferRow.id), number)
        if row is None:
            raise StorageError(_missing(number))
        entries = select(OfferPlayerRow).where(col(OfferPlayerRow.offer_id) == number)
        return _offer_of(row, self._session.exec(entries.order_by(col(OfferPlayerRow.place))).all())

    def _put_entries(self, number: int, entries: Sequence[Entry]) -> None:
        rows = [
            {
                "offer_id": number,
                "place": place,
                "player_id": entry.player,
                "accepted": entry.accepted,
                "wish": entry.place,
            }
            for place, entry in enumerate(entries)
        ]
        run(self._session, insert(OfferPlayerRow), rows)


class SqlBlocks:
    """The port Blocks."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, player: PlayerId, blocked: PlayerId) -> None:
        row = {"player_id": player, "blocked_id": blocked}
        insert = insert_into(self._session, BlockRow).values(row)
        with refused_as(self._session, "a player is not stored"):
            self._session.exec(insert.on_conflict_do_nothing())

    def remove(self, player: PlayerId, blocked: PlayerId) -> None:
        both = (col(BlockRow.player_id) == player, col(BlockRow.blocked_id) == blocked)
        self._session.exec(delete(BlockRow).where(*both))

    def of(self, player: PlayerId) -> list[PlayerId]:
        theirs = select(BlockRow.blocked_id).where(col(BlockRow.player_id) == player)
        return list(self._session.exec(theirs.order_by(col(BlockRow.id))))

    def around(self, player: PlayerId) -> frozenset[PlayerId]:
        either = or_(col(BlockRow.player_id) == player, col(BlockRow.blocked_id) == player)
        rows = self._session.exec(select(BlockRow.player_id, BlockRow.blocked_id).where(either))
        return frozenset(one for row in rows for one in row if one != player)


def _columns_of(offer: Offer) -> dict[str, Any]:
    """What may change of an offer; its entries are rows of their own."""
    return {
        "state": str(offer.state),
        "open": offer.open,
        "revision": offer.revision,
        "terms": _terms_data(offer.terms),
        "conditions": {"only": list(offer.only), "met": offer.met},
        "expires_at": offer.expires_at,
        "begun": offer.begun,
    }


def _offer_of(row: OfferRow, entries: Sequence[OfferPlayerRow]) -> Offer:
    assert row.id is not None
    return Offer(
        terms=_terms_of(row.terms),
        entries=tuple(Entry(each.player_id, each.accepted, each.wish) for each in entries),
        created_at=row.created_at,
        expires_at=row.expires_at,
        open=row.open,
        only=tuple(row.conditions["only"]),
        met=row.conditions["met"],
        revision=row.revision,
        state=State(row.state),
        begun=row.begun,
        number=row.id,
    )


def _terms_data(terms: Terms) -> dict[str, Any]:
    return {
        "game": terms.game_key,
        "players": terms.players,
        "options": options_data(terms.options),
        "begins": str(terms.begins),
        "games": terms.games,
        "private": terms.private,
    }


def _terms_of(data: dict[str, Any]) -> Terms:
    return Terms(
        game_key=data["game"],
        players=data["players"],
        options=options_of(data["options"]),
        begins=Begins(data["begins"]),
        games=data["games"],
        private=data["private"],
    )


def _missing(number: int) -> str:
    return f"there is no offer {number}"
