"""Tasks with one owner: other modules call it, and never do the task themselves."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pbem

ROOT = Path(pbem.__file__).parent
OWNER = "service/play/change.py"


def callers(repository: str, method: str) -> Iterator[str]:
    """Yield the file of each call such as `work.matches.append(…)`, outside the adapters."""
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith("adapters/"):  # rebuilding a club stores histories that exist already
            continue
        source = path.read_text()
        for node in ast.walk(ast.parse(source)) if f"{method}(" in source else ():
            match node:
                case ast.Call(
                    func=ast.Attribute(
                        value=ast.Attribute(attr=owner) | ast.Name(id=owner), attr=called
                    )
                ) if (owner, called) == (repository, method):
                    yield name


def test_histories_are_written_and_taken_back_in_one_module() -> None:
    assert list(callers("matches", "append")) == [OWNER]
    assert list(callers("matches", "take_back")) == [OWNER]


def test_snapshots_are_taken_in_one_module() -> None:
    names = {"snapshot_in_turn", "keep_snapshot", "written", "start_clock"}
    imports = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if any(name in path.read_text() for name in names)
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ImportFrom)
        and names & {each.name for each in node.names}
        and node.module
        in {"pbem.service.positions", "pbem.matches.record", "pbem.service.play.change"}
    }
    assert imports == {OWNER}
