"""Generate the page about commands from their declarations. `make docs` writes it."""

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

For players: every command. Write each on a line of its own in an email to the club. Words in
capitals are arguments, and those in brackets are optional. The command `help` sends this list by
email, with the commands for the current position first. `make docs` generates this page from the
declarations of the commands. For the exact forms, and everything else the club reads in an email,
see [contracts.md](contracts.md).
"""
SETTINGS = """\
## Settings

Members change a setting with `set KEY VALUE`. The command `settings` sends their current values.

| setting | meaning | default |
|---|---|---|
"""
WHO = {
    Giver.STRANGER: "anybody",
    Giver.PLAYER: "members",
    Giver.SEAT_TO_ACT: "the player to move",
    Giver.DIRECTOR: "the director",
}
WHERE = {
    Scope.MATCH: "in an email about a match",
    Scope.CLUB: "in any email",
    Scope.EITHER: "in any email; in one about a match, it applies to that match",
}
PROOF = {
    Need.NOTHING: "none, because it only reads",
    Need.ANY: "a reply to any email from the club",
    Need.RECENT: f"a reply to an email from the club at most {RECENT_DAYS} days old",
    Need.UNDOING: "a reply to an email sent after the address was added",
    Need.MOVING: "a reply to their newest email from the club"
    " (for directors: to their newest one as a director)",
    Need.NEWEST: "a reply to the newest email of the match",
    Need.DIRECTOR: "a reply to the newest email to them as a director",
}


def page() -> str:
    """Return the whole page."""
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
    return f"{said} (optional)." if not argument.required else f"{said}."


def _settings() -> Iterator[str]:
    for each in players_settings():
        yield f"| `set {each.key} VALUE` | {each.help} | `{each.default}` |"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
