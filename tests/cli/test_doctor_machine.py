"""Test what `pbem doctor` reports about the machine's disks."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.doctor.machine import Space, disk_finding, space_in

GB, MB = 1_000_000_000, 1_000_000


@pytest.mark.parametrize(
    ("space", "database", "state", "said"),
    (
        (Space(1, 50 * GB, 10**6), MB, "ok", "50 GB are free"),
        (Space(1, 50 * GB, None), MB, "ok", "50 GB are free"),
        (Space(1, 50 * MB, 10**6), MB, "bad", "A full disk stops the club"),
        (Space(1, 50 * GB, 3), MB, "bad", "only 3 more files can be created"),
        (Space(1, 500 * MB, 10**6), MB, "advice", "only 500 MB are free"),
        (Space(1, 5 * GB, 10**6), 6 * GB, "advice", "may need 6,000 MB to copy the database"),
    ),
)
def test_filling_disk_is_reported_before_it_is_full(
    space: Space, database: int, state: str, said: str
) -> None:
    found = disk_finding(Path("/srv/club"), space, database)
    assert found.state == state
    assert said in found.text
    assert "/srv/club" in found.text


def test_missing_folder_is_on_the_disk_of_its_parent(tmp_path: Path) -> None:
    assert space_in(tmp_path / "not" / "here").device == tmp_path.stat().st_dev
