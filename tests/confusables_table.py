"""Write Unicode's table of confusable characters as pbem keeps it, without its comments.

    .venv/bin/python tests/confusables_table.py confusables.txt

The argument is the file of UTS #39, https://www.unicode.org/Public/security/latest/confusables.txt.
Another table changes the skeletons of all names: a migration has to compute them again.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from pbem.matches.names.skeleton import TABLE


def condensed(lines: Iterable[str]) -> Iterator[str]:
    """Return the table's own header and its lines: a character and what replaces it."""
    for line in lines:
        if line.startswith("#") and not line.startswith("# total"):
            yield line.rstrip()
        elif ";" in line:
            source, target, *_ = (field.strip() for field in line.split(";"))
            yield f"{source};{target}"


if __name__ == "__main__":
    given = Path(sys.argv[1]).read_text("utf-8-sig").splitlines()
    TABLE.write_text("\n".join(condensed(given)) + "\n", "utf-8")
