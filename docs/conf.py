"""The documentation site: `make docs-site` builds it with Sphinx.

Pages stay where they are in the checkout. They are copied with their paths into a build folder, so
that relative links between them hold. Other files that they link to are copied too, and can be
downloaded. A link to a folder becomes plain text.
"""

import re
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "build" / "docs-source"
LINK = re.compile(r"(!?\[(?:[^\[\]]|!\[[^\]]*\]\([^)]*\))*\])\((?!\w+:)([^)#\s]+)(#[^)\s]*)?\)")
PAGES = (
    *("README.md", "CONTRIBUTING.md", "SECURITY.md", "DECISIONS.md", "CHANGELOG.md"),
    *("changes/README.md", "docs/**/*.md", "deploy/**/*.md", "pbem/games/*/RULES*.md"),
)


def copied_pages() -> None:
    """Copy the pages and the files that they link to into the build folder."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    for path in sorted({path for glob in PAGES for path in ROOT.glob(glob)}):
        text = path.read_text("utf-8")
        for _, target, _ in LINK.findall(text):
            file = (path.parent / target).resolve()
            if file.is_file() and file.suffix != ".md":
                _put(file, file.read_bytes())
        _put(path, LINK.sub(lambda found, page=path: _link(page, found), text).encode())
    (SOURCE / "docs" / "index.md").rename(SOURCE / "index.md")


def _put(path: Path, content: bytes) -> None:
    target = SOURCE / path.relative_to(ROOT)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def _link(page: Path, found: re.Match[str]) -> str:
    if (page.parent / found[2]).is_dir():
        return found[1].strip("[]")
    return found[0]


copied_pages()

project = "pbem"
author = "pbem contributors"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "pbem"
html_copy_source = False
html_show_copyright = False
html_theme_options = {"top_of_page_buttons": []}
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]
