"""Audit: compare the heads in a player's emails with the records of an archive.

Anyone who changes a record can recompute its heads, but not the emails already sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pbem.archive.files import ArchiveFile, match_of_file, read_record
from pbem.mail.addresses.addressing import Addresses
from pbem.mail.screening.club_mail import ClubMail, read_club_mail
from pbem.matches.record import (
    Record,
    RecordError,
    chain_problems,
    entry_name,
    heads,
    is_head,
    short,
)
from pbem.ports.room import ArchiveStore


@dataclass
class Audit:
    """Result of an audit."""

    problems: list[str] = field(default_factory=list)
    """Disagreements, one sentence each."""
    compared: int = 0
    """Emails whose head was compared."""
    matches: int = 0
    """Matches that these were about."""
    foreign: int = 0
    """Emails that are not the club's, or about no match."""
    without: int = 0
    """Emails about matches that show no head."""
    unknown: Counter[int] = field(default_factory=Counter)
    """Number of emails by match, for matches without a record in the archive."""


def audit(mails: Iterable[bytes], archive: ArchiveStore, club: Addresses = ()) -> Audit:
    """Compare every email of the club, or of the club at these addresses, with the archive."""
    ours = tuple(each.lower() for each in club)
    found, by_match = Audit(), dict[int, list[ClubMail]]()
    for raw in mails:
        mail = read_club_mail(raw, ours)
        if mail is None or (ours and mail.club_address not in ours):
            found.foreign += 1
        elif mail.history is None:
            found.without += 1
        else:
            by_match.setdefault(mail.match_id, []).append(mail)
    names = _files_by_match(archive)
    for match_id, of_match in sorted(by_match.items()):
        _compare(found, archive, names.get(match_id, []), match_id, of_match)
    return found


def _files_by_match(archive: ArchiveStore) -> dict[int, list[str]]:
    files: dict[int, list[str]] = {}
    for name in archive.names():
        if (match_id := match_of_file(name)) is not None:
            files.setdefault(match_id, []).append(name)
    return files


def _compare(
    found: Audit, archive: ArchiveStore, names: list[str], match_id: int, mails: list[ClubMail]
) -> None:
    read = False
    for name in names:
        try:
            record = read_record(ArchiveFile(name, archive.read(name) or b""))
        except RecordError as error:
            found.problems.append(f"{name} cannot be read: {error}.")
            continue
        read = True
        found.problems += [f"{name}: {problem}" for problem in chain_problems(record)]
        found.problems += _disagreements(name, record, mails)
    if read:
        found.compared += len(mails)
        found.matches += 1
    else:
        found.unknown[match_id] += len(mails)


def _disagreements(name: str, record: Record, mails: Iterable[ClubMail]) -> Iterator[str]:
    """Yield at most one sentence. From the first head that differs on, all do."""
    due, agreed, wrong = heads(record), set[int](), list[tuple[int, ClubMail]]()
    for mail in mails:
        assert mail.history is not None, "only emails with a head are compared"
        entry = mail.history.entry
        if entry < len(due) and is_head(mail.history.head, due[entry]):
            agreed.add(entry)
        else:
            wrong.append((entry, mail))
    if not wrong:
        return
    entry, mail = min(wrong, key=lambda each: each[0])
    assert mail.history is not None, "only emails with a head are compared"
    before = [each for each in agreed if each < entry]
    since = f"after {entry_name(record, max(before))}" if before else "from its beginning on"
    if entry < len(due):
        told = (
            f"at {entry_name(record, entry)}. Its head is {mail.history.head}, in the record it is "
        )
        told += short(due[entry])
    else:
        told = f"at entry {entry}, and the record has {len(due) - 1} entries"
    yield (
        f"Match {record.match_id}: {name} differs from the emails {since}. The first email that "
        f"disagrees was sent on {mail.date} from {mail.club_address}, {told}. "
        f"{len(wrong)} disagree, {len(agreed)} heads agree."
    )
