"""Faults, one per line: the name, how it is caused, and what is reported.

During each fault a day's email arrives on a real Dovecot: an illegal move, a stranger, a robot, a
legal move, and the same email again. The service's jobs run a few times, and the fault ends.
Nothing may be lost or doubled: every move is recorded once and in order, every email is answered
once, and all copies of a sent email are identical. The same process plays the next day as if
nothing had happened.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from pbem.service.records.verify import verify_all
from tests.faults.faults import (
    Fault,
    archive_is_full,
    clock_jumps,
    database_is_locked,
    disk_is_full,
    farewell,
    file_is_read_only,
    folder_is_made_anew,
    folder_is_renumbered,
    imap,
    imap_edit,
    postgresql_goes_away,
    refusal,
    smtp,
    tls_breaks,
)
from tests.faults.people import written
from tests.faults.trial import Trial
from tests.faults.verdict import judge, sent_once
from tests.support.relay import LOST, PASSES, SILENCE, UNANSWERED, Fate
from tests.support.smtp import HANG_UP, SAY_NOTHING, TAKE_AND_HANG_UP, TAKE_AND_SAY_NOTHING

YEAR, DAY, SECOND = timedelta(days=365), timedelta(days=1), timedelta(seconds=1)
BYE = farewell("* BYE Server shutting down.")
FULL = refusal("{tag} NO [OVERQUOTA] Quota exceeded")
NOT_NOW = refusal("{tag} NO [UNAVAILABLE] Try again later")
DONE = refusal("{tag} OK Done")
GARBAGE = refusal("!\x01{tag} what?")
NEVER = ""
"""No report, since nobody needs to know."""

IMAP_FAULTS: tuple[tuple[str, Fault, str], ...] = (
    ("takes no connection", imap("GREETING", LOST), "lost|broke"),
    ("does not greet", imap("GREETING", SILENCE), "did not answer in time"),
    ("greets with BYE", imap("GREETING", BYE), "shutting down"),
    ("greets with garbage", imap("GREETING", refusal("HTTP/1.1 400 Bad Request")), "HTTP"),
    ("hangs up at CAPABILITY", imap("CAPABILITY", LOST), "broke"),
    (
        "refuses the login",
        imap("AUTHENTICATE", refusal("{tag} NO [AUTHENTICATIONFAILED] No")),
        "No",
    ),
    ("cannot log in now", imap("AUTHENTICATE", NOT_NOW), "Try again later"),
    ("is slow at the login", imap("AUTHENTICATE", SILENCE), "did not answer in time"),
    ("says BYE to SELECT", imap("SELECT", BYE), "shutting down"),
    ("says BYE to SEARCH", imap("SEARCH", BYE), "shutting down"),
    ("says BYE to FETCH", imap("FETCH", BYE), "shutting down"),
    ("says BYE to STORE", imap("STORE", BYE), "shutting down"),
    ("says BYE to MOVE", imap("MOVE", BYE), "shutting down"),
    ("is slow at SELECT", imap("SELECT", SILENCE), "did not answer in time"),
    ("is slow at SEARCH", imap("SEARCH", SILENCE), "did not answer in time"),
    ("is slow at FETCH", imap("FETCH", SILENCE), "did not answer in time"),
    ("is slow at STORE", imap("STORE", SILENCE), "did not answer in time"),
    ("is slow at MOVE", imap("MOVE", SILENCE), "did not answer in time"),
    ("does what STORE says, and hangs up", imap("STORE", UNANSWERED), "broke|lost"),
    ("does what MOVE says, and hangs up", imap("MOVE", UNANSWERED), "broke|lost"),
    ("says NO to SELECT", imap("SELECT", NOT_NOW), "Try again later"),
    ("says NO to SEARCH", imap("SEARCH", NOT_NOW), "Try again later"),
    ("says NO to FETCH", imap("FETCH", NOT_NOW), "not fetched"),
    ("says NO to STORE", imap("STORE", NOT_NOW), "Try again later"),
    ("is full: NO to MOVE", imap("MOVE", FULL), "Quota exceeded"),
    ("is full: NO to CREATE", imap("LIST", FULL), "Quota exceeded"),
    ("says OK to STORE and MOVE, and does nothing", imap("STORE", DONE), NEVER),
    ("says OK to MOVE, and does nothing", imap("MOVE", DONE), NEVER),
    ("answers SELECT with garbage", imap("SELECT", GARBAGE), "what"),
    ("answers FETCH with garbage", imap("FETCH", GARBAGE), "what"),
    ("answers MOVE with garbage", imap("MOVE", GARBAGE), "what"),
    ("is read-only", imap_edit(lambda said: said.replace(b"-WRITE]", b"-ONLY]")), "is read-only"),
    (
        "has no permanent UIDs",
        imap_edit(lambda said: said.replace(b"UIDVALID", b"X")),
        "has no permanent UIDs",
    ),
    ("renumbers the folder: all email is new", folder_is_renumbered, NEVER),
    ("loses the done folder", folder_is_made_anew, "not told"),
    ("breaks TLS", tls_breaks, "TLS|broke|lost"),
)

SMTP_FAULTS: tuple[tuple[str, Fault, str], ...] = (
    ("takes no connection", smtp("GREETING", HANG_UP), "lost"),
    ("does not greet", smtp("GREETING", SAY_NOTHING), "did not answer in time"),
    ("4xx at the greeting", smtp("GREETING", "421 4.3.2 too busy"), "too busy"),
    ("4xx to EHLO", smtp("EHLO", "421 4.3.2 too busy"), "lost"),
    ("4xx to MAIL", smtp("MAIL", "451 4.3.0 later"), NEVER),
    ("4xx to RCPT", smtp("RCPT", "451 4.3.0 later"), NEVER),
    ("4xx to DATA", smtp("DATA", "451 4.3.0 later"), NEVER),
    ("4xx after the email", smtp("DOT", "451 4.3.0 later"), NEVER),
    ("5xx at the greeting", smtp("GREETING", "554 5.3.2 go away"), "go away"),
    ("5xx to EHLO and HELO", smtp("EHLO", "554 5.3.2 go away"), NEVER),
    ("5xx to MAIL", smtp("MAIL", "550 5.7.1 not from there"), "not from there"),
    ("5xx to one recipient", smtp("RCPT", "550 5.1.1 who?", to="far.example"), "undeliverable"),
    ("5xx to DATA for one", smtp("DATA", "554 5.6.0 no", to="far.example"), "undeliverable"),
    ("5xx to one email", smtp("DOT", "554 5.6.0 no", to="far.example"), "undeliverable"),
    ("takes email for some only, not now for others", smtp("RCPT", "450 full", to="bert@"), NEVER),
    ("takes email of some only, not now of others", smtp("DOT", "452 full", to="clara@"), NEVER),
    ("421 to MAIL", smtp("MAIL", "421 4.3.2 closing"), "closing"),
    ("421 to RCPT", smtp("RCPT", "421 4.3.2 closing"), "closing"),
    ("421 to DATA", smtp("DATA", "421 4.3.2 closing"), "closing"),
    ("421 after the email", smtp("DOT", "421 4.3.2 closing"), "closing"),
    ("hangs up at EHLO", smtp("EHLO", HANG_UP), "lost"),
    ("hangs up in the middle of the email", smtp("CONTENT", HANG_UP), "lost"),
    ("hangs up after the email, not taking it", smtp("DOT", HANG_UP), "lost"),
    ("hangs up after the email, having taken it", smtp("DOT", TAKE_AND_HANG_UP, 3), "lost"),
    ("hangs up at RSET", smtp("RSET", HANG_UP), NEVER),
    ("hangs up at QUIT", smtp("QUIT", HANG_UP), NEVER),
    ("is slow at EHLO", smtp("EHLO", SAY_NOTHING), "did not answer in time"),
    ("is slow at MAIL", smtp("MAIL", SAY_NOTHING), "did not answer in time"),
    ("is slow at RCPT", smtp("RCPT", SAY_NOTHING), "did not answer in time"),
    ("is slow at DATA", smtp("DATA", SAY_NOTHING), "did not answer in time"),
    ("is slow after the email, not taking it", smtp("DOT", SAY_NOTHING), "in time"),
    ("is slow after the email, having taken it", smtp("DOT", TAKE_AND_SAY_NOTHING, 3), "in time"),
    ("garbage at the greeting", smtp("GREETING", "\x01\xff what?"), "what"),
    ("garbage to EHLO", smtp("EHLO", "what?"), NEVER),
    ("garbage to MAIL", smtp("MAIL", "what?"), "ended the session"),
    ("garbage to RCPT", smtp("RCPT", "what?"), "ended the session"),
    ("garbage to DATA", smtp("DATA", "what?"), "ended the session"),
    ("garbage after the email", smtp("DOT", "what?"), "ended the session"),
)

DATABASE_FAULTS: tuple[tuple[str, Fault, str], ...] = (
    ("is locked by somebody else", database_is_locked, "locked"),
    ("finds the disk full", disk_is_full, "full"),
    ("is read-only", file_is_read_only, "readonly"),
)

CLOCK_FAULTS: tuple[tuple[str, Fault, str], ...] = (
    ("a year ahead before the email is read", clock_jumps(YEAR, 1), NEVER),
    ("a year ahead as an email is processed", clock_jumps(YEAR, 8), NEVER),
    ("a year ahead as mails are sent", clock_jumps(YEAR, 40), NEVER),
    ("a year ahead, and is put right", clock_jumps(YEAR, 8, back=True), NEVER),
    ("a day back before the email is read", clock_jumps(-DAY, 1), NEVER),
    ("a day back as an email is processed", clock_jumps(-DAY, 8), NEVER),
    ("a day back as mails are sent", clock_jumps(-DAY, 40), NEVER),
    ("a day back, and is put right", clock_jumps(-DAY, 8, back=True), NEVER),
    ("a second back before the email is read", clock_jumps(-SECOND, 1), NEVER),
    ("a second back as an email is processed", clock_jumps(-SECOND, 8), NEVER),
    ("a second back as mails are sent", clock_jumps(-SECOND, 40), NEVER),
)

FAULTS = [
    pytest.param(fault, told, id=f"{where}-{name}")
    for where, table in (
        ("IMAP", IMAP_FAULTS),
        ("SMTP", SMTP_FAULTS),
        ("database", DATABASE_FAULTS),
        ("clock", CLOCK_FAULTS),
    )
    for name, fault, told in table
]


@pytest.mark.parametrize(("fault", "told"), FAULTS)
def test_nothing_is_lost_or_doubled(fault: Fault, told: str, trial: Trial) -> None:
    heard = []
    with capture_logs() as logs:
        with fault(trial):
            trial.a_day()
            heard += trial.works(3)
        heard += [str(each) for each in logs]
        logs.clear()
        trial.settles()
    assert re.search(told, " ".join(heard)), heard
    assert not [each for each in logs if each["log_level"] == "error"], logs
    judge(trial)
    assert trial.left_in_the_inbox == 0 or not trial.done_folder
    trial.a_day()
    trial.settles()
    judge(trial)


def test_record_that_cannot_be_written_is_written_later(trial: Trial) -> None:
    trial.a_day()
    trial.settles()
    with archive_is_full(trial), capture_logs() as logs:
        trial.everybody_resigns()
    assert "record not written" in [each["event"] for each in logs]
    trial.works()
    club = trial.life.club
    assert len(club.archive.names()) == 4, "the record in both forms, the index and the schema"
    assert list(verify_all(club.storage, club.archive)) == []
    sent_once(trial)


def test_email_that_always_breaks_the_connection_delays_no_other(trial: Trial) -> None:
    sets: list[list[bytes]] = []

    def trip(line: bytes) -> Fate:
        if b"BODY.PEEK[]" not in line:
            return PASSES
        sets.append(line.split()[3].split(b","))
        return LOST if sets[0][0] in sets[-1] else PASSES

    trial.imap_rule = trip
    trial.receives([written("somebody@far.example", trial.address, "hello", "Here I am.")])
    for day in (1, 2):
        trial.a_day()
        trial.works(3)
        assert trial.rows("SELECT count(*) FROM inbound")[0][0] == 5 * day
        judge(trial)
    trial.imap_rule = lambda line: PASSES
    trial.settles()
    assert trial.got()[-1].recipient == "somebody@far.example"


def test_large_emails_are_not_held_in_memory_all_at_once(trial: Trial) -> None:
    asked: list[bytes] = []

    def listen(line: bytes) -> Fate:
        asked.append(line)
        return PASSES

    trial.imap_rule = listen
    picture = "\n".join(["A" * 75] * (3 * 1024 * 1024 // 76))
    sender = "somebody@far.example"
    trial.receives([written(sender, trial.address, "pictures", picture) for _ in range(5)])
    trial.settles()
    fetched = [line.split()[3] for line in asked if b"BODY.PEEK[]" in line]
    assert [len(uids.split(b",")) for uids in fetched] == [2, 2, 1]
    judge(trial)


@pytest.mark.parametrize("nth", range(3, 120, 29))
def test_postgresql_goes_away(nth: int, postgresql_trial: Trial) -> None:
    with postgresql_goes_away(nth)(postgresql_trial):
        postgresql_trial.a_day()
        heard = postgresql_trial.works()
    assert "StorageUnavailable" in str(heard)
    postgresql_trial.settles()
    judge(postgresql_trial)
    postgresql_trial.a_day()
    postgresql_trial.settles()
    judge(postgresql_trial)
