"""Test that each alert fires in its situation, and none fires while all is well."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.prometheus import program

pytestmark = pytest.mark.servers

DEPLOY = Path(__file__).parents[2] / "deploy" / "prometheus"
RULES = DEPLOY / "pbem.rules.yml"
HERE = 'instance="a:9464", job="pbem"'
MINUTES = 180
"""Length of each situation. The series start in 1970."""
ON = f"1+0x{MINUTES}"
OFF = f"0+0x{MINUTES}"
NOW = f"0+60x{MINUTES}"
"""A time that is always the present."""

WELL = {
    f"up{{{HERE}}}": ON,
    f"pbem_healthy{{{HERE}}}": ON,
    f"pbem_database_up{{{HERE}}}": ON,
    f'pbem_trouble{{{HERE}, part="intake"}}': OFF,
    f'pbem_server_up{{{HERE}, server="SMTP"}}': ON,
    f'pbem_answer_seconds_bucket{{{HERE}, urgency="play", le="60.0"}}': f"0+10x{MINUTES}",
    f'pbem_answer_seconds_bucket{{{HERE}, urgency="play", le="+Inf"}}': f"0+10x{MINUTES}",
    f'pbem_outbox_oldest_timestamp_seconds{{{HERE}, urgency="play", limit="rate"}}': NOW,
    f'pbem_mails_not_sent_total{{{HERE}, outcome="refused", reason="policy"}}': OFF,
    f'pbem_inbound_mails{{{HERE}, state="shunted"}}': OFF,
    f"pbem_clock_ahead_seconds{{{HERE}}}": OFF,
    f"pbem_backup_timestamp_seconds{{{HERE}}}": NOW,
    f"pbem_backup_tested_timestamp_seconds{{{HERE}}}": NOW,
    f"pbem_members{{{HERE}}}": ON,
    f"pbem_data_dir_free_bytes{{{HERE}}}": f"50+0x{MINUTES}",
    f"pbem_data_dir_size_bytes{{{HERE}}}": f"100+0x{MINUTES}",
    f'pbem_build_info{{{HERE}, version="1"}}': ON,
}
"""Series of a club without problems."""

ONE_LATE = {
    f'pbem_answer_seconds_bucket{{{HERE}, urgency="play", le="60.0"}}': OFF,
    f'pbem_answer_seconds_bucket{{{HERE}, urgency="play", le="3600.0"}}': "0+0x99 1+0x80",
    f'pbem_answer_seconds_bucket{{{HERE}, urgency="play", le="+Inf"}}': "0+0x99 1+0x80",
}
"""A quiet club whose only answer was delayed for an hour by a limit."""

FAULTS: dict[str, dict[str, str]] = {
    "PbemDown": {f"up{{{HERE}}}": OFF},
    "PbemUnhealthy": {f"pbem_healthy{{{HERE}}}": OFF},
    "PbemDatabaseAway": {f"pbem_database_up{{{HERE}}}": OFF},
    "PbemTrouble": {f'pbem_trouble{{{HERE}, part="intake"}}': ON},
    "PbemMailServerAway": {f'pbem_server_up{{{HERE}, server="SMTP"}}': OFF},
    "PbemSlowAnswers": {
        f'pbem_answer_seconds_bucket{{{HERE}, urgency="play", le="60.0"}}': OFF,
        f'pbem_answer_seconds_bucket{{{HERE}, urgency="play", le="3600.0"}}': f"0+10x{MINUTES}",
    },
    "PbemMailHeldUp": {
        f'pbem_outbox_oldest_timestamp_seconds{{{HERE}, urgency="play", limit="rate"}}': OFF
    },
    "PbemMailRefused": {
        f'pbem_mails_not_sent_total{{{HERE}, outcome="refused", reason="policy"}}': "0+1x180"
    },
    "PbemMailSetAside": {f'pbem_inbound_mails{{{HERE}, state="shunted"}}': ON},
    "PbemClockWrong": {f"pbem_clock_ahead_seconds{{{HERE}}}": f"-30+0x{MINUTES}"},
    "PbemBackupOld": {f"pbem_backup_timestamp_seconds{{{HERE}}}": f"-200000+60x{MINUTES}"},
    "PbemBackupUntested": {
        f"pbem_backup_tested_timestamp_seconds{{{HERE}}}": f"-700000+60x{MINUTES}"
    },
    "PbemDiskFull": {f"pbem_data_dir_free_bytes{{{HERE}}}": f"5+0x{MINUTES}"},
    "PbemVersionsDiffer": {f'pbem_build_info{{{HERE}, version="2"}}': ON},
}
"""The series that differ when an alert should fire."""


def case(name: str, series: dict[str, str], rings: str) -> dict[str, Any]:
    """Return a test case in which one alert, or none, fires, whatever its labels."""
    expected = [{"labels": f'{{alertname="{rings}"}}', "value": 1}] if rings else []
    asked = 'count by (alertname) (ALERTS{alertstate="firing"})'
    return {
        "name": name,
        "interval": "1m",
        "input_series": [{"series": each, "values": series[each]} for each in series],
        "promql_expr_test": [{"expr": asked, "eval_time": "2h", "exp_samples": expected}],
    }


def alerts() -> list[str]:
    lines = (line.strip() for line in RULES.read_text().splitlines())
    return [line.removeprefix("- alert: ") for line in lines if line.startswith("- alert: ")]


def test_each_alert_fires_only_in_its_situation(tmp_path: Path) -> None:
    assert list(FAULTS) == alerts()
    never = {each: values for each, values in WELL.items() if "backup" not in each}
    untested = {each: values for each, values in WELL.items() if "tested" not in each}
    cases = [
        case("all is well", WELL, ""),
        case("one answer was late", {**WELL, **ONE_LATE}, ""),
        case("there never was a backup", never, "PbemBackupOld"),
        case("no backup was ever tested", untested, "PbemBackupUntested"),
        *(case(name, {**WELL, **bad}, name) for name, bad in FAULTS.items()),
    ]
    told = {"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": cases}
    path = tmp_path / "tests.yml"
    path.write_text(json.dumps(told))  # which is also YAML
    words = [program("promtool"), "test", "rules", str(path)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_example_scrape_configuration_is_valid() -> None:
    words = [program("promtool"), "check", "config", str(DEPLOY / "prometheus.yml")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(alerts())} rules found" in done.stdout
