"""Arguments that many commands take: their names, what is said of them, what a shell offers."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.completing import games, matches, members

MemberArgument = Annotated[
    str,
    typer.Argument(metavar="MEMBER", help="The name of the member.", autocompletion=members),
]
OtherArgument = Annotated[
    str, typer.Argument(metavar="OTHER", help="The other member.", autocompletion=members)
]
PlayerArgument = Annotated[
    str,
    typer.Argument(metavar="PLAYER", help="Who plays in the match.", autocompletion=members),
]
MatchArgument = Annotated[
    int, typer.Argument(metavar="MATCH", help="The number of the match.", autocompletion=matches)
]
GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="As pbem games lists it.", autocompletion=games)
]
AddressArgument = Annotated[str, typer.Argument(metavar="ADDRESS", help="An address of theirs.")]
OfferArgument = Annotated[
    int, typer.Argument(metavar="OFFER", help="The number of the challenge or the table.")
]
MailArgument = Annotated[
    int, typer.Argument(metavar="MAIL", help="The number of the mail, as pbem mail list shows it.")
]
