"""Test that links in the documentation, and sections that the code cites, exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/*.md")])
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")
CITED = {
    "docs/rules/*.md": re.compile(r'[Rr]ulebook[^.")]*"([A-Z][^"]*)"'),
    "docs/contracts.md": re.compile(r'docs/contracts\.md,\s"([^"]*)"'),
}
"""Pages, and how code cites their sections."""


def test_every_link_has_a_target() -> None:
    links = [(page, target) for page in PAGES for target in LINK.findall(page.read_text("utf-8"))]
    assert [(page, each) for page, each in links if not (page.parent / each).exists()] == []


@pytest.mark.parametrize("pages", CITED)
def test_every_cited_section_exists(pages: str) -> None:
    sources = [path.read_text("utf-8") for path in ROOT.glob("pbem/**/*.py")]
    cited = {heading for text in sources for heading in CITED[pages].findall(text)}
    there = "\n".join(page.read_text("utf-8") for page in ROOT.glob(pages))
    assert cited
    assert cited - set(re.findall(r"^#+ (.*?)\*?$", there, re.MULTILINE)) == set()
