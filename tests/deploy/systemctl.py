#!/usr/bin/python3
"""Replace systemctl on a throwaway machine, where systemd does not run, for our pages.

A unit in /etc/systemd/system is started with its account, umask and command, until it reports that
it is ready. `systemd-analyze` checks the other settings.
"""

import os
import pwd
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

UNITS = Path("/etc/systemd/system")
RUN = Path("/run/units")
PATIENCE_S = 60.0
CLUSTER = "$(pg_lsclusters -h | cut -c1-8)"
SERVERS = {
    ("restart", "dovecot"): ["dovecot"],
    ("restart", "opendkim"): ["opendkim"],
    ("restart", "postfix"): ["sh", "-c", "postfix stop 2>/dev/null; postfix start"],
    ("restart", "postgresql"): ["sh", "-c", f"pg_ctlcluster {CLUSTER} restart"],
}


def main(verb: str, *given: str) -> None:
    if verb == "daemon-reload":
        return
    names = [name for name in given if not name.startswith("--")]
    for name in matching(names):
        if (verb, name) in SERVERS:
            subprocess.run(SERVERS[verb, name], check=True)
            continue
        if verb in ("stop", "restart", "disable"):
            stop(name)
        if verb in ("start", "restart", "enable"):
            start(name)


def matching(names: Iterable[str]) -> Iterator[str]:
    """Yield units by name, or running units by pattern."""
    RUN.mkdir(exist_ok=True)
    running = sorted(path.name for path in RUN.iterdir())
    for name in names:
        yield from [each for each in running if fnmatch(each, name)] if "*" in name else [name]


def settings(name: str) -> dict[str, str]:
    """Return the settings of a unit. If one is repeated, the last counts."""
    kind, at, instance = name.partition("@")
    text = (UNITS / f"{kind}{at}.service").read_text("utf-8").replace("%i", instance)
    return dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))


def environment(unit: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables of a unit."""
    found = dict(each.split("=", 1) for each in unit.get("Environment", "").split())
    file = Path(unit.get("EnvironmentFile", "").removeprefix("-"))
    if file.is_file():
        found |= dict(line.split("=", 1) for line in file.read_text().splitlines())
    return found


def start(name: str) -> None:
    unit = settings(name)
    given = environment(unit)
    line = re.sub(r"\$\{(\w+)\}", lambda found: given[found[1]], unit["ExecStart"])
    account = pwd.getpwnam(unit["User"])
    manager, address = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), f"@units/{name}"
    manager.bind(address.replace("@", "\0", 1))
    manager.settimeout(PATIENCE_S)
    with Path(f"/var/log/{name.partition('@')[0]}.log").open("ab") as log:
        process = subprocess.Popen(
            line.split(),
            cwd="/",
            env={
                "HOME": account.pw_dir,
                "PATH": "/usr/local/bin:/usr/bin:/bin",
                "NOTIFY_SOCKET": address,
                **given,
            },
            user=account.pw_uid,
            group=account.pw_gid,
            extra_groups=[],
            umask=int(unit["UMask"], 8),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    (RUN / name).write_text(str(process.pid))
    while unit["Type"] == "notify" and b"READY=1" not in manager.recv(4096).splitlines():
        pass


def stop(name: str) -> None:
    if not (RUN / name).exists():
        return
    pid = int((RUN / name).read_text())
    with suppress(ProcessLookupError):  # it has already ended
        os.kill(pid, signal.SIGTERM)
    subprocess.run(["tail", f"--pid={pid}", "--follow", "/dev/null"], check=True)
    (RUN / name).unlink()


if __name__ == "__main__":
    main(*sys.argv[1:])
