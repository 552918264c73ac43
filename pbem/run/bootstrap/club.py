"""Build the club of a configuration, with its database and the names of its processes."""

from __future__ import annotations

import os
import secrets
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.adapters.archive_files import FileArchive
from pbem.adapters.clock import SystemClock
from pbem.adapters.db.engine import file_of
from pbem.adapters.db.unit_of_work import open_storage
from pbem.adapters.folder_lock import FolderLock
from pbem.adapters.openskill_rater import OpenSkillRater
from pbem.adapters.private_folder import make_private
from pbem.archive.site.values import Site
from pbem.games import choose
from pbem.mail.addresses.addressing import TokenSigner
from pbem.mail.outgoing.look import mailto
from pbem.mail.proof.authentication import ProofRule
from pbem.ports.process import JobQueue, Webhook
from pbem.run.config import Config, ConfigError
from pbem.service.club import Club, Joining, Policy, Public, Room

if TYPE_CHECKING:
    from pbem.mail.outgoing.render import Renderer

UNIQUE_BYTES = 10


def build_club(config: Config) -> Club:
    """Return the club with its database at the newest schema. Raises StorageUnavailable."""
    choose(config.games.choice)
    make_private(config.club.data_dir, config.database_url)
    storage = open_storage(config.database_url, config.archive_dir, _queue(config))
    return Club(
        name=config.club.name,
        address=config.club.address,
        director=config.club.director,
        language=config.club.language,
        storage=storage,
        clock=SystemClock(),
        archive=FileArchive(config.archive_dir),
        signer=TokenSigner(config.club.secrets, config.club.secret_version),
        templates=_templates,
        unique=lambda: secrets.token_hex(UNIQUE_BYTES),
        rater=OpenSkillRater(),
        chance=secrets.randbelow,
        policy=_policy(config),
        workers=Processes(),
        witness=storage.clock if config.has_queue else None,
        holidays=config.club.calendar,
        more_addresses=config.addresses[1:],
        intakes=config.intakes,
        room=_room(config),
        webhook=_webhook(config),
    )


def _templates() -> Renderer:
    from pbem.mail.outgoing.render import of_the_club

    return of_the_club()


def _queue(config: Config) -> JobQueue | None:
    """Return the job queue, if there is one. Raises ConfigError if a package is missing."""
    if not config.has_queue:
        return None
    try:
        from pbem.adapters.job_queue import ProcrastinateQueue
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"the job queue needs pbem[postgresql], which is not installed: {error}"
        ) from error
    return ProcrastinateQueue()


def _room(config: Config) -> Room | None:
    """Return the reading room, unless another machine has it."""
    if not config.site.enabled:
        return None
    from importlib import metadata

    inside = config.site_dir.is_relative_to(config.club.data_dir)
    return Room(
        site=Site(config.club.name, config.club.address, config.site_url, _join_link(config)),
        # No web server could read it in the data folder.
        store=FileArchive(config.site_dir, public=not inside),
        public=Public(config.site.public),
        delay=config.site.delay,
        announces=bool(config.webhook.url),
        version=metadata.version("pbem"),
    )


def _webhook(config: Config) -> Webhook | None:
    """Return the webhook, if there is one."""
    section = config.webhook
    if not section.url:
        return None
    from pbem.adapters.webhook import HttpWebhook

    return HttpWebhook(section.url, section.secret.get_secret_value(), section.ca_file)


def _join_link(config: Config) -> str:
    """Return the reading room's link for joining the club. Empty unless anyone may join."""
    if Joining(config.club.joining) is not Joining.OPEN:
        return ""
    return mailto(config.club.address, "join", "join YOUR NAME")


def served_alone(config: Config, *, embedded: bool) -> AbstractContextManager[object]:
    """Return a block in which no other process serves the club, if two would do harm.

    Raises AlreadyServed when the block starts.

    Two processes may share PostgreSQL and a mailbox. On SQLite they would only wait for each other,
    and two embedded mail servers would each get some of the emails.
    """
    database = file_of(config.database_url)
    if database is None and not embedded:
        return nullcontext()
    folder_of_it = config.club.data_dir if database is None else database.parent
    return FolderLock(folder_of_it / "serve.lock")


def _policy(config: Config) -> Policy:
    section = config.policy
    return Policy(
        joining=Joining(config.club.joining),
        bot_matches=config.club.bot_matches,
        bot_limits={str(bot): most for bot, most in config.club.bot_limits.items()},
        leave_days=config.club.leave_days,
        ban_days=config.club.ban_days,
        second_ban_days=config.club.second_ban_days,
        keep_mails=config.club.mails_kept,
        mails_an_hour=section.mails_an_hour,
        match_mails_an_hour=section.match_mails_an_hour,
        parked_days=section.parked_days,
        bounce_addresses=section.bounce_addresses,
        proof=ProofRule(section.proof),
        trusted_hosts=section.trusted_hosts,
        open_offers=section.open_offers,
        running_matches=section.running_matches,
        rates=config.smtp.rates,
        poll_seconds=section.poll_seconds,
    )


PROC = Path("/proc")


class Processes:
    """Linux processes by boot, pid namespace, pid and start. Satisfies `ports.Workers`.

    A pid is reused, hence the start. Containers on one machine have pids of their own, hence the
    namespace. Without /proc, no process has a name, and none is found dead.
    """

    def own_name(self) -> str:
        machine, start = _machine(), _start(os.getpid())
        return f"{machine} {os.getpid()} {start}" if machine and start else ""

    def is_dead(self, name: str) -> bool:
        machine, *rest = name.split() or [""]
        if machine != _machine() or len(rest) != 2 or not rest[0].isdecimal():
            return False
        pid, start = int(rest[0]), rest[1]
        return not _exists(pid) or _start(pid) not in ("", start)


def _exists(pid: int) -> bool:
    """Return whether a process exists. Ask the kernel, as /proc may hide other users' processes."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _machine() -> str:
    """Return this boot of this machine, and the container."""
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{(PROC / 'self/ns/pid').readlink()}"
    except OSError:
        return ""


def _start(pid: int) -> str:
    """Return when a process started, in ticks since the boot, or `dead` for a zombie.

    This is field 22 of proc(5) stat. The second, in brackets, is a name and may contain anything.
    """
    try:
        fields = (PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
        return "dead" if fields[0] in "ZX" else fields[19]
    except (OSError, IndexError):
        return ""
