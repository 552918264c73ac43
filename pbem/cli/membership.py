"""`pbem member rename|remove|forget|export`: a member's name, data, and the end of membership."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from errno import EEXIST
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.adapters.db.member_data import PARTS, MemberData, data_about
from pbem.adapters.scratch_folder import scratch_folder
from pbem.archive.files import record_files
from pbem.cli import shell
from pbem.cli.arguments import MemberArgument, YesOption
from pbem.cli.context import ConfigOption, club_of, configured, opened
from pbem.cli.error_messages import errors_as_sentences
from pbem.cli.listing import moment, printable
from pbem.cli.shell import Said, player_named
from pbem.commands import command_words
from pbem.jobs.erase import wipe_files
from pbem.mail.outgoing.letter import to_bytes
from pbem.matches.match import Player, PlayerId
from pbem.ports.process import StorageError
from pbem.service.club import Club
from pbem.service.direct.decide import SHELL, log
from pbem.service.direct.orders import with_names
from pbem.service.members.forget import Left, forget, leaving
from pbem.service.members.names import free_name, rename_by_director
from pbem.service.people import names_in
from pbem.service.rating import rate_waiting
from pbem.service.reading_room.publish import publish_room
from pbem.service.records.publish import publish_all, stored_record
from pbem.service.work import Work, reading, writing

README = """\
What {club} keeps about {name}
as of {at}

This is everything the club keeps about you. What other people wrote or chose
is left out. If it has to do with you, it names them. Times are in UTC.

You can open the files that end in .json with any text editor. Each is a list.
An empty list, [], means that there is nothing of the kind.

{parts}

matches/
    Every match that you play or have played, with all its moves: as text
    (.txt), and for programs (.json). The club's archive has the same, or will
    have it.
mails-from-you/
    Your emails to the club, as they arrived. Each has the number under which
    mails_from_you.json says what happened to it. For some, only that entry is
    left.
mails-to-you/
    The club's emails to you, likewise.

Keep this file to yourself. Anyone who has the club's emails to you can answer
them in your name.

Not in this file: emails that the club sent to others, and the reading room,
which everyone may read. The club's log may name your address until it is
deleted. Ask the person who runs the club when that is.

To change your data, send "settings" or "addresses" to the club. To leave and
have your personal data erased, send "forget me".
"""

ABOUT: Mapping[str, str] = {
    "member": "Your number, your name and your settings.",
    "addresses": "Your addresses in the order in which they are tried, and which of them refused"
    " email.",
    "blocked": "Members whose challenges and tables you don't want to see.",
    "muted": "Members whose notes you don't get.",
    "muted_in_matches": "Matches in which you don't get somebody's notes.",
    "leaves": "Days of leave that you took.",
    "absences": "Automatic replies from your mailbox.",
    "seats": "Your seats in matches.",
    "turns": "How long your turns took on the clock, in seconds, and whether they were late.",
    "notes": "What you said in matches: notes, what you sent with say and tell, memos.",
    "ratings": "Your ratings after each match. A list without a game is of all games.",
    "names_elsewhere": "Your names in records of other clubs, in matches rated here.",
    "watches": "Matches, members and games that you watch.",
    "watched": "Turns of watched matches that you have been sent.",
    "plans": "Turns you wrote ahead: matches, lines, and why a plan ended.",
    "digests": "Turns that each digest showed you.",
    "news_for_you": "News of matches that comes with your next digest.",
    "notes_waiting": "Notes to players that wait for their next email.",
    "notes_for_you": "Players whose notes will come with your next email.",
    "offers": "Challenges and open tables that you made or were invited to.",
    "places_in_offers": "Your place in each of them.",
    "competitions": "Sets, series and tournaments that you play in.",
    "places_in_competitions": "Your place in each of them when it started.",
    "questions": "Open questions to you, or about your membership.",
    "proofs": "Up to which email and turn others may have read your proofs of identity.",
    "decisions": "Decisions by directors about you or your matches, and yours as a director.",
    "mails_from_you": "What happened to each email from you.",
    "mails_to_you": "What happened to each email to you.",
}
"""A sentence about each part."""


def attach(app: typer.Typer) -> None:
    """Add the commands to the group of members."""
    app.command("rename")(rename_member)
    app.command("remove")(remove_member)
    app.command("forget")(forget_member)
    app.command("export")(export)


@shell.writes
def rename_member(
    work: Work,
    name: MemberArgument,
    new: Annotated[str, typer.Argument(metavar="NEW", help="Their new name.")],
) -> Said:
    """Rename a member everywhere, and email them."""
    member = player_named(work, name)
    new = free_name(work, new, command_words(), own=member.id)
    rename_by_director(work, member, new)
    log(work, SHELL, f"member rename {{{member.id}}}", "")
    return f"{name} is now {new}"


def forget_member(
    name: MemberArgument, yes: YesOption = False, config: ConfigOption = None
) -> None:
    """Erase a member at their own request. Only the matches they played stay."""
    _forget(name, "", yes, config)


def remove_member(
    name: MemberArgument,
    reason: Annotated[list[str], typer.Argument(metavar="REASON", help="Why. They will see it.")],
    yes: YesOption = False,
    config: ConfigOption = None,
) -> None:
    """Remove a member: email them the reason, then erase their personal data."""
    _forget(name, " ".join(reason), yes, config)


def _forget(name: str, reason: str, yes: bool, config: ConfigOption) -> None:
    with club_of(config) as club:
        if not yes:
            _ask(club, name)
        with writing(club) as work:
            member = player_named(work, name)
            if reason:  # logged first, as erasing cleans the log, too
                log(work, SHELL, f"member remove {member.name}", reason)
            left = forget(work, member, reason)
        _finish(club)
    for line in _told(left):
        typer.echo(line)


def _ask(club: Club, name: str) -> None:
    """Exit unless the answer is yes."""
    with reading(club) as work:
        player = player_named(work, name)
        matches = leaving(work, player)
    typer.echo(f"{printable(player.name)}, {printable(', '.join(player.addresses))}:")
    if matches.given_up:
        typer.echo(f"  plays {_matches(matches.given_up)}, which will be resigned")
    if matches.undecided:
        typer.echo(f"  plays in a pair in {_matches(matches.undecided)}, for you to decide")
    if not any(matches):
        typer.echo("  plays in no match now")
    typer.echo(
        "Name, addresses and emails will be erased for good. Records stay, without the name."
    )
    typer.confirm("Forget this member?", abort=True)


def _finish(club: Club) -> None:
    """Erase the data in files, as far as possible here. A running service does the rest."""
    publish_all(club.storage, club.archive, club.clock)
    rate_waiting(club)
    if club.room is not None:
        publish_room(club.storage, club.room)
    wipe_files(club)


def _told(left: Left) -> Sequence[str]:
    lines = [f"erased. Records now say: {left.player.name}"]
    if left.given_up:
        lines.append(f"resigned: {_matches(left.given_up)}")
    if left.undecided:
        lines.append(
            f"for you to decide, as nobody can move for a pair: {_matches(left.undecided)}"
        )
    lines.append("the next `pbem serve` deletes their emails from the mailbox, and says goodbye")
    return lines


def _matches(numbers: Sequence[int]) -> str:
    word = "match" if len(numbers) == 1 else "matches"
    return f"{word} {', '.join(map(str, numbers))}"


File = tuple[str, bytes]
NAMED_BY_NUMBER = {"player_id": "who", "blocked_id": "who", "reader_id": "reader", "by_id": "by"}
"""Columns with the number of another member, and the keys for that member's name."""


def export(
    name: MemberArgument,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="A new zip file. Default: member-NUMBER.zip."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Export everything that the club keeps about a member to one file for them."""
    with errors_as_sentences():
        settings = configured(config)
        with opened(settings) as club:
            player = _person(club, name)
            target = file or Path(f"member-{player.id}.zip")
            with data_about(settings.database_url, player.id) as data:
                count = _write(target, _files(club, player, data))
    typer.echo(
        f"{printable(str(target))}: {count} files, everything the club keeps about {player.name}"
    )
    typer.echo("Give it to nobody else: it contains emails that prove who they are.")


def _person(club: Club, name: str) -> Player:
    """Return a person by name. Raises StorageError."""
    with reading(club) as work:
        player = player_named(work, name)
    if player.bot:
        raise StorageError(f"{player.name} is a computer opponent")
    return player


def _write(target: Path, files: Iterator[File]) -> int:
    """Write a zip that only our account can read, completely or not at all. Raises OSError."""
    if target.exists():
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(target))
    count = 0
    with scratch_folder(target.parent, target.name) as folder:
        made = folder / "export"
        made.touch(0o600)
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, content in files:
                packed.writestr(name, content)
                count += 1
        made.rename(target)
    return count


def _files(club: Club, player: Player, data: MemberData) -> Iterator[File]:
    """Yield the README, the tables, the matches and the emails."""
    with reading(club) as work:
        yield from _things(work, player, data)
    # Years of emails take longer than a transaction may stand idle.
    for mail in data.mails():
        yield f"mails-from-you/{mail.id:06}.eml", mail.raw
    for letter in data.letters():
        yield f"mails-to-you/{letter.id:06}.eml", to_bytes(letter.letter)


def _things(work: Work, player: Player, data: MemberData) -> Iterator[File]:
    """Yield everything but the emails."""
    yield "README.txt", _readme(work, player).encode()
    for part in PARTS:
        rows = [_row(work, each) for each in data.rows(part)]
        yield f"{part}.json", _json(rows)
    for match in map(work.matches.get, data.matches()):
        if match.hides_names:
            continue
        for each in record_files(stored_record(work, match)):
            yield f"matches/{each.name}", each.data


def _readme(work: Work, player: Player) -> str:
    parts = "\n".join(f"{part}.json\n    {ABOUT[part]}" for part in PARTS)
    return README.format(
        name=player.name, club=work.club.name, at=f"{work.now:%Y-%m-%d %H:%M} UTC", parts=parts
    )


def _row(work: Work, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row for people: others by name, times as they are shown everywhere."""
    told: dict[str, Any] = {}
    for column, value in row.items():
        if column in NAMED_BY_NUMBER:
            told[NAMED_BY_NUMBER[column]] = None if value is None else _name(work, row, value)
        elif column == "line":
            told[column] = with_names(work, value)
        else:
            told[column] = value
    return told


def _name(work: Work, row: Mapping[str, Any], player: PlayerId) -> str:
    """Return a member's name in a row, or that of their seats if it is about a blind match."""
    number = row.get("match_id")
    if number is None:
        return work.players.get(player).name
    return names_in(work, work.matches.get(number), also=[player])[player]


def _json(rows: list[dict[str, Any]]) -> bytes:
    return f"{json.dumps(rows, indent=2, ensure_ascii=False, default=_plain)}\n".encode()


def _plain(value: object) -> str | None:
    """Convert a value that JSON has no form for."""
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is not known here")
