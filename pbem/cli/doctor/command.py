"""The command `pbem doctor`."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.context import ConfigOption
from pbem.cli.doctor.examination import examine
from pbem.cli.doctor.finding import Finding
from pbem.cli.listing import JsonOption, print_json
from pbem.cli.statuses import ExitStatus


def doctor(
    send: Annotated[
        bool,
        typer.Option("--send", help="Send a mail to a plus-address of the club, and wait for it."),
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Check all that the club needs, and say what to do."""
    findings = []
    for finding in examine(config, send=send, announce=_silent if as_json else _tell_step):
        findings.append(finding)
        if not as_json:
            _tell(finding)
    if as_json:
        print_json([each.data for each in findings])
    if any(each.trouble for each in findings):
        raise typer.Exit(ExitStatus.REFUSED)


def _tell(finding: Finding) -> None:
    for line in finding.lines:
        typer.echo(line)


def _tell_step(step: str) -> None:
    typer.echo(f"     {step}")


def _silent(_step: str) -> None:
    """Where a program reads what is printed."""
