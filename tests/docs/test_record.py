"""Test that the examples in docs/record.md are real output."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

from pbem.matches.history import Kind
from pbem.matches.record import heads, to_json
from tests.matches.records import RESIGNED, resigned
from tests.matches.test_chain import HISTORY, by_hand

PAGE = (Path(__file__).parents[2] / "docs" / "record.md").read_text("utf-8")
BLOCKS = [dedent(block) for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", PAGE, re.MULTILINE)]
ALL = "\n".join(BLOCKS)


def test_text_example_is_that_of_the_match() -> None:
    assert RESIGNED in ALL


def test_worked_example_is_correct() -> None:
    assert "\n".join(HISTORY[:2]) in ALL
    assert "\n".join(by_hand()) in ALL
    assert list(heads(resigned())) == by_hand()


def test_every_kind_of_entry_is_named() -> None:
    assert all(f"`{kind}`" in PAGE for kind in Kind)


@pytest.mark.servers
@pytest.mark.skipif(not shutil.which("jq"), reason="jq is not installed")
def test_commands_on_the_page_compute_the_heads(tmp_path: Path) -> None:
    (tmp_path / "match-000012-lanko-68.json").write_text(to_json(resigned()))
    (commands,) = [block for block in BLOCKS if "jq -cS" in block]
    done = subprocess.run(["sh", "-c", commands], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == by_hand(), done.stderr


def test_history_in_json_equals_the_hashed_entries() -> None:
    history = json.loads(to_json(resigned()))["history"]
    for entry, line in zip(history, HISTORY[1:], strict=True):
        del entry["head"]
        assert json.loads(line) == entry
