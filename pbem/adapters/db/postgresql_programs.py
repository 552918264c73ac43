"""PostgreSQL's programs that dump a database to a file and restore it.

The connection's parameters are in a private file, so that neither a list of processes nor an
environment shows the password.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from pbem.adapters.db.engine import connection_words
from pbem.ports.process import StorageUnavailable

LOCK_WAIT = "30s"
"""Longest time that a dump waits for a running migration."""
DATABASE: Final = "--dbname=service=pbem"
_PLACES = "*/bin"
_DEBIAN = Path("/usr/lib/postgresql")


def dump_into(url: str, snapshot: str, file: Path) -> None:
    """Dump a snapshot of a database in the custom format. Raises StorageUnavailable."""
    command = [
        *(_program("pg_dump"), "--format=custom", "--no-owner", "--no-privileges"),
        *(f"--lock-wait-timeout={LOCK_WAIT}", f"--snapshot={snapshot}"),
        *(f"--file={file}", DATABASE),
    ]
    with _service(url) as environment:
        _run(command, environment)
    check(file)


def check(file: Path) -> None:
    """Read a dump from end to end. Raises StorageUnavailable if it is damaged."""
    _run([_program("pg_restore"), f"--file={os.devnull}", str(file)], dict(os.environ))


def load_from(file: Path, url: str, last: str, too_late: Callable[[], None]) -> None:
    """Restore a dump into an empty database, then run `last`, all in one transaction.

    Calls `too_late` just before the commit. Raises StorageUnavailable.
    """
    to_script = [_program("pg_restore"), "--no-owner", "--no-privileges", "--file=-", str(file)]
    to_server = [_program("psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", DATABASE]
    with _service(url) as environment, tempfile.TemporaryFile() as told:
        script = subprocess.Popen(to_script, stdout=subprocess.PIPE, stderr=told)
        server = subprocess.Popen(
            to_server,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=told,
        )
        with script, server:
            assert script.stdout is not None, "a pipe"
            assert server.stdin is not None, "a pipe"
            if _is_fed(script, script.stdout, server.stdin):
                too_late()
                _commit(server.stdin, last)
        told.seek(0)
        if script.returncode or server.returncode:
            raise StorageUnavailable(f"the dump cannot be loaded: {_reason(told.read())}")


def _is_fed(script: subprocess.Popen[bytes], read: IO[bytes], into: IO[bytes]) -> bool:
    """Write the script. Return whether it is complete. Without a COMMIT, the server rolls back."""
    with suppress(BrokenPipeError):  # the server has refused something, and says what
        into.write(b"BEGIN;\n")
        shutil.copyfileobj(read, into)
        return script.wait() == 0
    return False


def _commit(into: IO[bytes], last: str) -> None:
    with suppress(BrokenPipeError):
        into.write(f"{last};\nCOMMIT;\n".encode())
        into.close()


@contextmanager
def _service(url: str) -> Iterator[dict[str, str]]:
    """Return an environment in which libpq's service `pbem` is the database of a URL."""
    words = connection_words(url)
    lines = [f"{key}={value}\n" for key, value in words.items() if isinstance(value, str | int)]
    with tempfile.TemporaryDirectory(prefix="pbem-") as folder:
        file = Path(folder) / "service"
        file.write_text(f"[pbem]\n{''.join(lines)}", "utf-8")
        yield {**os.environ, "PGSERVICEFILE": str(file)}


def _program(name: str) -> str:
    """Return the newest version of a program, since it must not be older than the server."""
    found = [each / name for each in _DEBIAN.glob(_PLACES) if (each / name).exists()]
    newest = max(found, key=lambda path: int(path.parts[-3]), default=None)
    path = str(newest) if newest is not None else shutil.which(name)
    if path is None:
        raise StorageUnavailable(
            f"{name} is not installed here. On Debian, run: apt-get install postgresql-client"
        )
    return path


def _run(command: Sequence[str], environment: dict[str, str]) -> None:
    nothing = subprocess.DEVNULL
    done = subprocess.run(command, env=environment, stdin=nothing, capture_output=True, check=False)
    if done.returncode:
        raise StorageUnavailable(_reason(done.stderr))


def _reason(told: bytes) -> str:
    lines = told.decode(errors="replace").strip().splitlines()
    return lines[0] if lines else "it gave no reason"
