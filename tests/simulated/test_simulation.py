"""A club with a simulated clock, real members' emails and its own figures."""

import pytest

from bench.simulated.checks import report as report_season
from bench.simulated.club import lived
from bench.simulated.figures import report
from bench.simulated.season import TERMS, Season
from pbem.ports.inbound import InboundState
from pbem.service.work import reading

DAYS = 2


@pytest.mark.servers
def test_every_email_of_simulated_members_is_understood(capsys: pytest.CaptureFixture[str]) -> None:
    with lived(workers=0, seed=3) as life:
        life.begins(members=5)
        life.lives(months=DAYS / 30)
        with reading(life.club) as work:
            mails = work.inbound.in_state(InboundState.DONE)
        report(life, months=DAYS / 30, seconds=1.0)
        assert len(mails) == life.handed > 0
        assert f"{life.ledger.moves:,}" in capsys.readouterr().out


@pytest.mark.servers
def test_season_of_competitions_begins_by_email(capsys: pytest.CaptureFixture[str]) -> None:
    with lived(workers=0, seed=3) as life:
        season = Season(life)
        season.begins(members=3)
        season.lives(months=DAYS / 30)
        assert [of.kind for of, _ in season.competitions()] == list(TERMS)[:DAYS]
        assert not report_season(season.competitions(), season.compared, season.wrong)
        assert "tournament 1: it has not ended" in capsys.readouterr().out
