"""`pbem archive export` and `import`: two clubs exchange records."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import command_line
from pbem.matches.record import from_json, to_json

Run = Callable[..., Result]


def run(*words: str | Path) -> Result:
    said = [str(word) for word in words]
    return CliRunner().invoke(command_line(said), said)


def done(*words: str | Path) -> str:
    found = run(*words)
    assert found.exit_code == 0, found.output
    return found.stdout


@pytest.fixture(scope="module")
def clubs(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two clubs. In Alpha, Anna won a match, Bert another, and Anna a private one."""
    folder, before = tmp_path_factory.mktemp("clubs"), os.umask(0o077)
    for name in ("alpha", "beta"):
        (folder / name).mkdir()
        shutil.copy(sqlite_template, folder / name / "pbem.sqlite")
        config = folder / f"{name}.toml"
        done("init", "--defaults", config)
        text = config.read_text().replace('name = "pbem"', f'name = "{name.capitalize()}"')
        config.write_text(text.replace('data_dir = "club"', f'data_dir = "{name}"'))
    alpha, beta = folder / "alpha.toml", folder / "beta.toml"
    for config, names in ((alpha, ("Anna", "Bert")), (beta, ("Clara", "Ann", "Bert"))):
        for name in names:
            done("member", "add", name, f"{name.lower()}@mail.example", "--config", config)
    for number, winner in enumerate(("anna", "bert", "anna"), start=1):
        done("match", "new", "lanrick-1893", "Anna", "Bert", "--config", alpha)
        if number == 3:
            done("match", "public", "3", "never", "--config", alpha)
        done("match", "adjudicate", str(number), winner, "Enough", "--config", alpha)
    done("archive", "publish", "--config", alpha)
    lines = folder / "alpha.jsonl"
    done("archive", "export", "--since", "2020-01-01", "--all", "--to", lines, "--config", alpha)
    yield folder
    os.umask(before)


@pytest.fixture
def alpha(clubs: Path, tmp_path: Path) -> Path:
    """The configuration of the club that exports."""
    shutil.copytree(clubs, tmp_path, dirs_exist_ok=True)
    return tmp_path / "alpha.toml"


@pytest.fixture
def beta(alpha: Path) -> Path:
    """The configuration of the club that imports."""
    return alpha.with_name("beta.toml")


@pytest.fixture
def lines(alpha: Path) -> Path:
    """Everything that Alpha exports."""
    return alpha.with_name("alpha.jsonl")


def test_export_writes_public_records_as_json_lines(alpha: Path) -> None:
    found = run("archive", "export", "--since", "1d", "--config", alpha)
    assert found.stderr == (
        "exported: 2 records; left out: 1 record of private matches and members. Add --all to "
        "export them too\n"
    )
    first, second = map(json.loads, found.stdout.splitlines())
    archive = alpha.with_name("alpha") / "archive"
    for number, record in enumerate((first, second), start=1):
        assert record == json.loads((archive / f"match-{number:06d}-lanrick-1893.json").read_text())
    everything = done("archive", "export", "--since", "1d", "--all", "--config", alpha)
    assert len(everything.splitlines()) == 3
    assert done("archive", "export", "--since", "2100-01-01", "--config", alpha) == ""
    file = alpha.with_name("x.jsonl")
    done("archive", "export", "--since", "1d", "--to", file, "--config", alpha)
    assert file.read_text() == found.stdout
    assert done("archive", "verify", file) == "2 records agree with the rules and its heads\n"
    again = run("archive", "export", "--since", "1d", "--to", file, "--config", alpha)
    assert (again.exit_code, "exists" in again.output) == (1, True)


@pytest.mark.parametrize("words", ([], ["1"], ["1", "--since", "1d"], ["--as", "pgn"]))
def test_export_wants_a_moment_or_a_match_with_its_format(alpha: Path, words: list[str]) -> None:
    found = run("archive", "export", *words, "--config", alpha)
    assert found.exit_code == 2
    assert "give either --since WHEN, or MATCH and --as FORMAT" in found.output


def test_imported_records_are_shown_as_theirs_and_not_rated(beta: Path, lines: Path) -> None:
    assert done("archive", "import", lines, "--config", beta) == "Alpha: 3 records imported\n"
    again = done("archive", "import", lines, "--config", beta)
    assert again == "Alpha: 0 records imported; there already: 3\n"
    site = beta.with_name("beta") / "site"
    (listed,) = (site / "imported").iterdir()
    assert "Records from Alpha" in listed.read_text()
    assert listed.name in (site / "calendar" / "index.html").read_text()
    page = (site / "matches" / "imported-000002-lanrick-1893.html").read_text()
    assert "match 2 of <a" in page
    assert "members/" not in page.replace("members/index.html", "")
    assert from_json((site / "matches" / "imported-000002-lanrick-1893.json").read_text()).club == (
        "Alpha"
    )
    others = [path for path in site.rglob("*") if path.is_file() and "imported" not in str(path)]
    told = {path.name for path in others if b"Anna" in path.read_bytes()}
    assert told <= {"players.html"}  # the help
    assert done("standing", "--config", beta) == "nobody has a rating yet\n"
    assert done("archive", "verify", "--config", beta).startswith("every match can be replayed")
    assert json.loads(done("archive", "imported", "--json", "--config", beta)) == [
        {"club": "Alpha", "records": 3, "rated": []}
    ]


def test_rated_records_change_ratings_until_their_club_is_forgotten(
    beta: Path, lines: Path
) -> None:
    done("match", "new", "lanrick-1893", "Clara", "Bert", "--config", beta)
    done("match", "adjudicate", "1", "clara", "Enough", "--config", beta)
    done("archive", "publish", "--config", beta)
    before = done("standing", "--config", beta)
    done("archive", "import", lines, "--rate", "Anna=Ann", "--config", beta)
    assert done("standing", "--config", beta) == before  # Bert is still a stranger
    done("archive", "import", lines, "--rate", "Bert=Bert", "--config", beta)
    after = done("standing", "--config", beta)
    assert "Ann  1" in after
    assert "Bert  1" in after
    assert "4 matches" in after
    listed = done("archive", "imported", "--config", beta)
    assert listed == "Alpha: 3 records; rated: Anna is Ann, Bert is Bert\n"
    rebuilt = done("ratings", "rebuild", "--config", beta)
    assert rebuilt == "rated matches: 4; kept ratings: 0 missing, 0 different, 0 superfluous\n"
    assert done("archive", "forget", "Alpha", "--config", beta) == "Alpha: 3 records removed\n"
    assert done("standing", "--config", beta) == before
    assert done("ratings", "rebuild", "--config", beta).endswith(" 0 superfluous\n")
    left = beta.with_name("beta").rglob("*imported*")
    assert [path.name for path in left if path.is_file()] == []
    again = run("archive", "forget", "Alpha", "--config", beta)
    assert again.output == "pbem: there are no records of Alpha. Clubs with records: none\n"


def test_only_names_in_the_records_and_members_can_be_rated(beta: Path, lines: Path) -> None:
    for rate, problem in (
        ("Anna", 'write --rate "NAME=MEMBER"'),
        ("Anna=Zoe", "there is no member Zoe"),
        ("Zoe=Ann", "no record of Alpha names Zoe. The records name: Anna, Bert"),
    ):
        found = run("archive", "import", lines, "--rate", rate, "--config", beta)
        assert found.exit_code == 1
        assert problem in found.output


def test_leaving_member_is_erased_from_records_that_were_rated(beta: Path, lines: Path) -> None:
    rates = ("--rate", "Anna=Ann", "--rate", "Bert=Bert")
    done("archive", "import", lines, *rates, "--config", beta)
    done("member", "forget", "Ann", "--yes", "--config", beta)
    folder = beta.with_name("beta")
    record = from_json((folder / "archive" / "imported-000001-lanrick-1893.json").read_text())
    assert [*record.players.values()] == ["former member 1", "Bert"]
    assert "Anna" not in (folder / "archive" / "imported.json").read_text()
    assert (
        "Anna"
        not in (folder / "site" / "matches" / "imported-000001-lanrick-1893.html").read_text()
    )
    assert done("standing", "--config", beta) == "nobody has a rating yet\n"
    assert done("archive", "verify", "--config", beta).startswith("every match can be replayed")
    again = done("archive", "import", lines, "--config", beta)  # the name does not come back
    assert again == "Alpha: 0 records imported; there already: 3\n"


def test_archive_alone_restores_imported_records_and_their_ratings(beta: Path, lines: Path) -> None:
    done("match", "new", "lanrick-1893", "Clara", "Bert", "--config", beta)
    done("match", "adjudicate", "1", "clara", "Enough", "--config", beta)
    rates = ("--rate", "Anna=Ann", "--rate", "Bert=Bert")
    done("archive", "import", lines, *rates, "--config", beta)
    before = done("standing", "--config", beta)
    data = beta.with_name("beta")
    shutil.copytree(data / "archive", beta.with_name("copy"))
    shutil.rmtree(data)
    data.mkdir(0o700)
    done("rebuild", "--from-archive", beta.with_name("copy"), "--config", beta)
    done("archive", "publish", "--config", beta)
    assert done("standing", "--config", beta) == before.replace("Ann ", "member 2 ")
    files = {path.name: path.read_bytes() for path in (data / "archive").iterdir()}
    assert {name for name in files if name.startswith("imported")} == {
        "imported.json",
        *(f"imported-{number:06d}-lanrick-1893.json" for number in (1, 2, 3)),
    }
    for name, content in files.items():
        if name.startswith("imported"):
            assert content == (beta.with_name("copy") / name).read_bytes()


def test_publish_repairs_imported_files(beta: Path, lines: Path) -> None:
    done("archive", "import", lines, "--config", beta)
    archive = beta.with_name("beta") / "archive"
    before = {path.name: path.read_bytes() for path in archive.iterdir()}
    (archive / "imported-000001-lanrick-1893.json").unlink()
    (archive / "imported-000002-lanrick-1893.json").write_text("{}")
    shutil.copy(archive / "imported-000003-lanrick-1893.json", archive / "imported-000009-x.json")
    found = run("archive", "verify", "--config", beta)
    assert found.exit_code == 1
    assert "imported-000001-lanrick-1893.json is missing in the archive" in found.output
    assert "imported-000009-x.json is a record that the database does not have" in found.output
    done("archive", "publish", "--config", beta)
    assert {path.name: path.read_bytes() for path in archive.iterdir()} == before


def test_bad_stored_record_is_named_and_affects_nothing_else(beta: Path, lines: Path) -> None:
    rates = ("--rate", "Anna=Ann", "--rate", "Bert=Bert")
    done("archive", "import", lines, *rates, "--config", beta)
    second = from_json(lines.read_text().splitlines()[1])
    spoilt = to_json(replace(second, days=0, time="nonsense"))
    with closing(sqlite3.connect(beta.with_name("beta") / "pbem.sqlite")) as database, database:
        for number, data in ((1, b"{}"), (2, zlib.compress(spoilt.encode()))):
            database.execute("UPDATE imported_matches SET record = ? WHERE id = ?", (data, number))
    found = run("archive", "verify", "--config", beta)
    assert found.exit_code == 1
    assert "The stored record of imported match 1 cannot be read." in found.output
    assert "imported-000002-lanrick-1893.json" in found.output
    assert "000003" not in found.output
    again = run("archive", "import", lines, "--config", beta)
    assert "a match with this club and number is stored." in again.output
    run("archive", "publish", "--all", "--config", beta)
    (listed,) = (beta.with_name("beta") / "site" / "imported").iterdir()
    assert "imported-000003" in listed.read_text()
    assert "imported-000001" not in listed.read_text()
    done("member", "forget", "Ann", "--yes", "--config", beta)
    assert (
        done("archive", "imported", "--config", beta) == "Alpha: 3 records; rated: Bert is Bert\n"
    )


def hostile(lines: Path) -> dict[str, tuple[str | bytes, str]]:
    """Return files that must be refused, and why, by name."""
    first = lines.read_text().splitlines()[0]
    record = from_json(first)
    assert record.ended_at is not None
    late = replace(record, ended_at=record.ended_at + timedelta(days=2))
    running = replace(record, ended_at=None, result=None)

    def changed(**values: object) -> str:
        return json.dumps({**json.loads(first), **values})

    return {
        "heads.json": (
            first.replace("2026-", "2025-", 1).replace('"days": 5', '"days": 6'),
            "The history has been changed",
        ),
        "deep.json": ("[" * 100_000, "nested too deep"),
        "deep.jsonl": ('{"a":' * 100_000 + "1" + "}" * 100_000, "nested too deep"),
        "long.jsonl": ('{"a": "' + "x" * (9 << 20) + '"}', "It is larger than 8 MiB."),
        "long.txt": ("x" * (9 << 20), "It is larger than 8 MiB."),
        "bytes.json": (b"\xff\xfe", "this is not UTF-8"),
        "control.json": (changed(club="A\x1b[31m"), "It has a name that cannot be shown."),
        "player.json": (
            changed(players={"yellow": "A\u202e", "black": "B"}),
            "It has a name that cannot be shown.",
        ),
        "future.json": (to_json(late), "It has a time in the future."),
        "running.json": (to_json(running), "The match has not ended."),
        "unknown.json": (
            to_json(replace(record, game_key="no-such-game")),
            "There is no game 'no-such-game'.",
        ),
        "own.json": (changed(club="Beta"), "It is a record of Beta, this club."),
        "time.json": (
            to_json(replace(record, days=0, time="nonsense")),
            "The match cannot have the time control 'nonsense'.",
        ),
        "left.json": (
            changed(used={"1": 1}, left={"1": 10**15}),
            "the time left of player 1 is larger than 999999999",
        ),
        "like-own.json": (changed(club="b\u0435ta"), "It is a record of b\u0435ta, this club."),
        "like-other.json": (
            to_json(replace(record, club="\u0391lpha", heads={})),
            "The name \u0391lpha looks like that of another club with records, Alpha.",
        ),
        "short.json": (to_json(record)[:-9], "It cannot be read: line"),
    }


def test_bad_records_are_refused_one_by_one(beta: Path, lines: Path) -> None:
    folder = lines.with_name("given")
    folder.mkdir()
    wanted = hostile(lines)
    for name, (content, _) in wanted.items():
        data = content if isinstance(content, bytes) else content.encode(errors="surrogatepass")
        (folder / name).write_bytes(data)
    shutil.copy(lines, folder / "good.jsonl")
    found = run("archive", "import", folder, "--config", beta)
    assert found.exit_code == 1
    said = {line.partition(":")[0].partition(",")[0]: line for line in found.stdout.splitlines()}
    for name, (_, problem) in wanted.items():
        assert problem in said[name], name
    assert f"Alpha: 3 records imported\nrefused: {len(wanted)} records\n" in found.stdout
    assert "\x1b" not in found.stdout


def test_other_record_of_the_same_match_is_refused(alpha: Path, beta: Path, lines: Path) -> None:
    done("archive", "import", lines, "--config", beta)
    done("match", "reopen", "1", "Sorry", "--config", alpha)
    done("match", "adjudicate", "1", "bert", "Now", "--config", alpha)
    done("archive", "publish", "--config", alpha)
    text = alpha.with_name("alpha") / "archive" / "match-000001-lanrick-1893.txt"
    found = run("archive", "import", text, "--config", beta)
    assert found.exit_code == 1
    assert found.output == (
        "match-000001-lanrick-1893.txt: Another record of match 1 of Alpha is there already.\n"
        "refused: 1 record\n"
    )


def test_line_too_long_does_not_hide_the_next(beta: Path, lines: Path) -> None:
    first, *others = lines.read_text().splitlines()
    file = lines.with_name("mixed.jsonl")
    file.write_text("\n".join((first, '{"x": "' + "x" * (20 << 20) + '"}', "", *others)))
    found = run("archive", "import", file, "--config", beta)
    assert found.stdout == (
        "mixed.jsonl, line 2: It is larger than 8 MiB.\nAlpha: 3 records imported\n"
        "refused: 1 record\n"
    )


def test_markup_in_a_name_stays_text_and_no_name_becomes_a_path(beta: Path, lines: Path) -> None:
    record = from_json(lines.read_text().splitlines()[0])
    bad = '../../<b onclick="x">'
    text = json.dumps({**json.loads(to_json(record)), "players": {"yellow": bad, "black": "B"}})
    file = lines.with_name("markup.json")
    file.write_text(text)
    assert done("archive", "import", file, "--config", beta) == "Alpha: 1 record imported\n"
    site = beta.with_name("beta") / "site"
    page = (site / "matches" / "imported-000001-lanrick-1893.html").read_text()
    assert "<b onclick" not in page
    assert "../../&lt;b" in page
