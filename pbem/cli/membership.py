"""`pbem member rename|remove|forget|export`: who a member is, and that they are one no more."""

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
from pbem.cli.arguments import MemberArgument
from pbem.cli.context import ConfigOption, club_of, configured, opened
from pbem.cli.error_messages import errors_as_sentences
from pbem.cli.listing import moment, printable
from pbem.cli.shell import Said, player_named
from pbem.commands import command_words
from pbem.jobs.erase import wipe_files
from pbem.mail.outgoing.letter import to_bytes
from pbem.matches.match import Player
from pbem.ports.process import StorageError
from pbem.service.club import Club
from pbem.service.direct.decide import SHELL, log
from pbem.service.direct.orders import with_names
from pbem.service.members.forget import Left, forget
from pbem.service.members.names import free_name, rename_by_director
from pbem.service.reading_room.publish import publish_room
from pbem.service.records.publish import publish_all, stored_record
from pbem.service.work import Work, reading, writing

README = """\
What {club} keeps about {name}
as of {at}

This is everything. What other people wrote or chose is left out; where they
have to do with you, they are named. Times are in UTC.

The files that end in .json can be opened with any text editor. Each is a list;
an empty one, [], says that there is nothing of the kind.

{parts}

matches/
    Every match that you play or have played, with all its moves: as a text to
    be read (.txt), and as the same for programs (.json). This is what the
    club's archive has, or will have.
mails-from-you/
    Your mails to the club, each as it came. It has the number under which
    mails_from_you.json tells what became of it. Of some only that is left.
mails-to-you/
    The club's mails to you, likewise.

Keep this file to yourself. Who has the club's mails to you can answer them in
your name.

Not in this file is what others have: mails that the club sent to others, and
the reading room, which everybody may read. The club's log may name your
address until it is deleted; who runs the club knows when.

To have things changed: write "settings" or "addresses" to the club. To leave,
and be forgotten: write "forget me".
"""

ABOUT: Mapping[str, str] = {
    "member": "Your number and name, and what you or a director chose for you.",
    "addresses": "Your addresses, the one that is tried first on top, and which of them refused"
    " mail.",
    "blocked": "Whose challenges and tables you want to hear nothing of.",
    "leaves": "Days that you took off.",
    "absences": "What automatic answers from your mailbox said.",
    "seats": "Which seat you have in which match.",
    "notes": "What you wrote beside your turns for everybody to read.",
    "notes_waiting": "What you wrote to players who have not had a mail since.",
    "notes_for_you": "Who wrote you something that goes out with the next mail to you.",
    "offers": "Challenges and open tables that you made, or were asked to join.",
    "places_in_offers": "Your place in each of them.",
    "competitions": "Sets, series and tournaments that you play in.",
    "places_in_competitions": "Your place in each of them, as they began.",
    "questions": "What the club has asked you, or about your membership, and waits for.",
    "proofs": "Up to which mail and turn others may have read what proves that a mail is yours.",
    "decisions": "What directors did in your matches or about you, and what you did as one.",
    "mails_from_you": "What became of each mail that came from you.",
    "mails_to_you": "What became of each mail to you.",
}
"""What each part is, in a sentence."""


YesOption = Annotated[bool, typer.Option("--yes", help="Do it without asking.")]


def attach(app: typer.Typer) -> None:
    """Puts the commands into the group of the members."""
    app.command("rename")(rename_member)
    app.command("remove")(remove_member)
    app.command("forget")(forget_member)
    app.command("export")(export)


@shell.writes
def rename_member(
    work: Work,
    name: MemberArgument,
    new: Annotated[str, typer.Argument(metavar="NEW", help="Their name from now on.")],
) -> Said:
    """Give a member another name, everywhere; they are told by mail."""
    member = player_named(work, name)
    new = free_name(work, new, command_words(), own=member.id)
    rename_by_director(work, member, new)
    log(work, SHELL, f"member rename {{{member.id}}}", "")
    return f"{name} is {new} from now on"


def forget_member(
    name: MemberArgument, yes: YesOption = False, config: ConfigOption = None
) -> None:
    """Forget a member at their wish: nothing is known of them any more but what they played."""
    _forget(name, "", yes, config)


def remove_member(
    name: MemberArgument,
    reason: Annotated[list[str], typer.Argument(metavar="REASON", help="Why; they are told.")],
    yes: YesOption = False,
    config: ConfigOption = None,
) -> None:
    """Remove a member, who is told why and then forgotten."""
    _forget(name, " ".join(reason), yes, config)


def _forget(name: str, reason: str, yes: bool, config: ConfigOption) -> None:
    with club_of(config) as club:
        if not yes:
            _ask(club, name)
        with writing(club) as work:
            member = player_named(work, name)
            if reason:  # logged first: what is forgotten is taken out of the log, too
                log(work, SHELL, f"member remove {member.name}", reason)
            left = forget(work, member, reason)
        _finish(club)
    for line in _told(left):
        typer.echo(line)


def _ask(club: Club, name: str) -> None:
    """Ends the command unless the answer is yes."""
    with reading(club) as work:
        player = player_named(work, name)
        matches = [match.id for match in work.matches.of_player(player.id)]
    typer.echo(f"{printable(player.name)}, {printable(', '.join(player.addresses))}:")
    typer.echo(
        f"  plays {_matches(matches)}, which will be given up"
        if matches
        else "  plays now in no match"
    )
    typer.echo("Name, addresses and mails will be erased for ever; records stay, without the name.")
    typer.confirm("Forget this member?", abort=True)


def _finish(club: Club) -> None:
    """What lies in files, as far as it can be done here; a running service does the rest."""
    publish_all(club.storage, club.archive, club.clock)
    if club.room is not None:
        publish_room(club.storage, club.room)
    wipe_files(club)


def _told(left: Left) -> Sequence[str]:
    lines = [f"forgotten; records say: {left.player.name}"]
    if left.given_up:
        lines.append(f"given up: {_matches(left.given_up)}")
    if left.undecided:
        lines.append(f"for you to decide, as nobody can act for a pair: {_matches(left.undecided)}")
    lines.append("the next `pbem serve` takes the mails out of the mailbox, and says goodbye")
    return lines


def _matches(numbers: Sequence[int]) -> str:
    word = "match" if len(numbers) == 1 else "matches"
    return f"{word} {', '.join(map(str, numbers))}"


File = tuple[str, bytes]
NAMED_BY_NUMBER = {"player_id": "who", "blocked_id": "who", "reader_id": "reader", "by_id": "by"}
"""Columns that have the number of somebody else, and under which word their name is told."""


def export(
    name: MemberArgument,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="A zip file that is not there yet; else member-NUMBER.zip."
        ),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Write all that is kept about a member into one file, to be handed to them."""
    with errors_as_sentences():
        settings = configured(config)
        with opened(settings) as club:
            player = _person(club, name)
            target = file or Path(f"member-{player.id}.zip")
            with data_about(settings.database_url, player.id) as data:
                count = _write(target, _files(club, player, data))
    typer.echo(f"{printable(str(target))}: {count} files, all that is kept about {player.name}")
    typer.echo("Give it to nobody else: it holds mails that prove who they are.")


def _person(club: Club, name: str) -> Player:
    """Raises StorageError."""
    with reading(club) as work:
        player = player_named(work, name)
    if player.bot:
        raise StorageError(f"{player.name} is a computer opponent")
    return player


def _write(target: Path, files: Iterator[File]) -> int:
    """A zip of files, for our own account alone; whole, or not there. Raises OSError."""
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
    """The page that explains, what the tables have, the matches, the mails."""
    with reading(club) as work:
        yield from _things(work, player, data)
    # Mails of years take longer than a transaction may stand still.
    for mail in data.mails():
        yield f"mails-from-you/{mail.id:06}.eml", mail.raw
    for letter in data.letters():
        yield f"mails-to-you/{letter.id:06}.eml", to_bytes(letter.letter)


def _things(work: Work, player: Player, data: MemberData) -> Iterator[File]:
    """All but the mails."""
    yield "README.txt", _readme(work, player).encode()
    for part in PARTS:
        rows = [_row(work, each) for each in data.rows(part)]
        yield f"{part}.json", _json(rows)
    for number in data.matches():
        for each in record_files(stored_record(work, work.matches.get(number))):
            yield f"matches/{each.name}", each.data


def _readme(work: Work, player: Player) -> str:
    parts = "\n".join(f"{part}.json\n    {ABOUT[part]}" for part in PARTS)
    return README.format(
        name=player.name, club=work.club.name, at=f"{work.now:%Y-%m-%d %H:%M} UTC", parts=parts
    )


def _row(work: Work, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row for people: others by name, moments as they are read everywhere."""
    told: dict[str, Any] = {}
    for column, value in row.items():
        if column in NAMED_BY_NUMBER:
            named = None if value is None else work.players.get(value).name
            told[NAMED_BY_NUMBER[column]] = named
        elif column == "line":
            told[column] = with_names(work, value)
        else:
            told[column] = value
    return told


def _json(rows: list[dict[str, Any]]) -> bytes:
    return f"{json.dumps(rows, indent=2, ensure_ascii=False, default=_plain)}\n".encode()


def _plain(value: object) -> str | None:
    """What JSON has no form for."""
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is not known here")
