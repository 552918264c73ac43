"""Check that commits that are not on origin/main yet have a subject in the imperative.

`make check` runs this. It passes outside a git checkout.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST = 65
NO_IMPERATIVE = re.compile(
    r"(?:Add|Fix|Remov|Chang|Updat|Us|Mak|Mov|Renam|Reword|Rewrit|Writ|Read|Show|Allow|Test|Check"
    r"|Build|Document|Cut|Start|Stop|Keep|Send|Say|Let|Giv|Tak|Run|Print|Report|Replac|Split"
    r"|Merg|Drop|Handl|Support|Improv|Clean|Creat|Delet|Bump|Revert)(?:e?s|e?d|ing)\b"
    r"|(?:The|A|An|This|That|These|What|When|Where|Who|How|It|There|Some|All|Every|Each|No|WIP)\b"
)
"""First words that are not imperatives: other forms of common verbs, articles and pronouns."""


def problems(message: str) -> Iterator[str]:
    """Yield what is wrong with a commit message."""
    subject, *rest = message.rstrip().split("\n")
    if len(subject) > LONGEST:
        yield f"the subject has {len(subject)} characters, not {LONGEST} at most"
    if not subject[:1].isupper():
        yield "the subject starts with no capital letter"
    if NO_IMPERATIVE.match(subject):
        yield "the subject is not in the imperative, as in: Fix reminders sent during leave"
    if subject.endswith("."):
        yield "the subject ends with a full stop"
    if rest and rest[0]:
        yield "the second line is not blank"


def newest_messages() -> Iterator[str]:
    """Yield the messages of commits that are not on origin/main, or of HEAD without it.

    Yields nothing outside a git checkout. Merges are left out.
    """

    def git(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)

    try:
        if git("rev-parse", "--show-toplevel").stdout.strip() != str(ROOT):
            return
    except FileNotFoundError:
        return
    known = git("rev-parse", "--verify", "--quiet", "origin/main").returncode == 0
    which = ["origin/main..HEAD"] if known else ["-1"]
    log = git("log", "--no-merges", "--format=%B%x00", *which).stdout
    yield from (each.strip("\n") for each in log.split("\0") if each.strip())


if __name__ == "__main__":
    found = [f"{m.splitlines()[0]}: {each}" for m in newest_messages() for each in problems(m)]
    sys.exit("\n".join(found) or None)
