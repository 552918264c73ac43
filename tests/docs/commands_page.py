"""The page about commands, made from their declarations: `make docs` writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pbem.commands import all_commands
from pbem.commands.api import RECENT_DAYS, Argument, Command, Giver, Need, Scope
from pbem.commands.help import by_heading
from pbem.mail.outgoing.render import of_the_club
from pbem.settings import players_settings

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
HEAD = """\
# Commands

What can be written in a mail to the club, each on a line of its own. This page is made from the
declarations of the commands by `make docs`; `help` sends the same by mail, what counts at the time
first. Words in capitals are filled in, those in brackets can be left out. The exact forms, and what
else is read in a mail, stand in [contracts.md](contracts.md).
"""
SETTINGS = """\
## Settings

What a member chooses with `set KEY VALUE`; `settings` sends them as they are.

| setting | what it is | default |
|---|---|---|
"""
WHO = {
    Giver.STRANGER: "anybody",
    Giver.PLAYER: "members",
    Giver.SEAT_TO_ACT: "the player to act",
    Giver.DIRECTOR: "the director",
}
WHERE = {
    Scope.MATCH: "in a mail about a match",
    Scope.CLUB: "in any mail",
    Scope.EITHER: "in any mail; in one about a match it is about that",
}
PROOF = {
    Need.NOTHING: "none, since it only reads",
    Need.ANY: "an answer to any mail of the club",
    Need.RECENT: f"an answer to a mail of the club not older than {RECENT_DAYS} days",
    Need.UNDOING: "an answer to a mail that was sent since the address was added",
    Need.MOVING: "an answer to the newest mail of the club to them; of a director, as a director",
    Need.NEWEST: "an answer to the newest mail of the match",
    Need.DIRECTOR: "an answer to the newest mail to them as a director",
}


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_groups(), SETTINGS + "\n".join(_settings()), ""])


def _groups() -> Iterator[str]:
    commands = {command.told: command for command in all_commands()}
    titles = of_the_club().phrases.groups
    for heading in by_heading(all_commands()):
        yield f"## {titles[heading.key]}\n"
        for told in heading.commands:
            yield _command(commands[told])


def _command(command: Command) -> str:
    lines = [
        f"### `{command.usage}`",
        "",
        f"{command.summary[:1].upper()}{command.summary[1:]}.",
        "",
        *(f"- `{each.name.upper()}`: {_argument(each)}" for each in command.arguments),
        f"- Who: {WHO[command.giver]}.",
        f"- Where: {WHERE[command.scope]}.",
        f"- Proof: {PROOF[command.need]}.",
        "",
    ]
    return "\n".join(lines)


def _argument(argument: Argument) -> str:
    said = argument.help or "any text"
    return f"{said}; can be left out." if not argument.required else f"{said}."


def _settings() -> Iterator[str]:
    for each in players_settings():
        yield f"| `set {each.key} VALUE` | {each.help} | `{each.default}` |"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
