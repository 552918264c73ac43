"""Test that the documentation site has every page of docs/ and deploy/ once."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
INDEX = ROOT / "docs" / "index.md"


def test_every_page_is_in_one_table_of_contents() -> None:
    listed = Counter(re.findall(r"^/(\S+)$", INDEX.read_text("utf-8"), re.MULTILINE))
    pages = {*ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/**/*.md")} - {INDEX}
    names = {page.relative_to(ROOT).with_suffix("").as_posix() for page in pages}
    assert names - listed.keys() == set()
    assert [name for name in listed if not (ROOT / f"{name}.md").exists()] == []
    assert max(listed.values()) == 1


def test_first_line_says_whom_a_page_is_for() -> None:
    pages = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/**/*.md")]
    first = {page: page.read_text("utf-8").split("\n\n", 2)[1] for page in pages}
    assert [str(page) for page, line in first.items() if not line.startswith("For ")] == []
