"""The SMTP transport against servers that give all kinds of answers, and with wrong settings."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from ssl import SSLContext
from typing import Literal

import pytest

from pbem.adapters.smtp_transport import SmtpError, SmtpSettings, SmtpTransport
from pbem.ports.outbox import Delivery, DeliveryReport, TransportError
from tests.support.certificates import Certificates
from tests.support.outgoing import PASSWORD, secure
from tests.support.smtp import HANG_UP, SAY_NOTHING, ScriptedSmtp, SmtpServer

CLUB = "club@games.example"
MAIL = b"Subject: your turn\r\n\r\n[8-B]\r\n"
SOON = 5.0


def transport_to(server: ScriptedSmtp | SmtpServer, timeout_s: float = 5.0) -> SmtpTransport:
    return SmtpTransport(SmtpSettings(server.host, server.port, "", "", "none", timeout_s))


def send(server: ScriptedSmtp, *names: str) -> list[DeliveryReport]:
    with transport_to(server).connect() as session:
        return [session.send(CLUB, f"{name}@mail.example", MAIL) for name in names]


def verbs(server: ScriptedSmtp) -> list[str]:
    return [line.split()[0] for line in server.heard]


# Answers of the server


@pytest.mark.parametrize("verb", ("MAIL", "RCPT", "DATA", "DOT"))
@pytest.mark.parametrize("answer", ("450 4.2.1 try later", "451-4.3.0 try\r\n451 4.3.0 later"))
def test_4xx_answer_defers_only_that_email(scripted: ScriptedSmtp, verb: str, answer: str) -> None:
    scripted.answers[verb] = [answer]
    first, second = send(scripted, "anna", "bob")
    assert first.delivery is Delivery.DEFERRED
    assert first.reply.startswith(answer[:3])
    assert first.reply.endswith("later")
    assert second.delivery is Delivery.SENT


@pytest.mark.parametrize("verb", ("RCPT", "DATA", "DOT"))
def test_5xx_answer_refuses_only_that_email(scripted: ScriptedSmtp, verb: str) -> None:
    scripted.answers[verb] = ["554 5.7.1 no"]
    assert send(scripted, "anna", "bob") == [
        DeliveryReport(Delivery.REFUSED, "554 5.7.1 no"),
        DeliveryReport(Delivery.SENT, "250 OK"),
    ]
    assert verbs(scripted).count("rset") == 1
    assert scripted.heard[-1] == "quit"


def test_email_that_is_too_big_is_refused(scripted: ScriptedSmtp) -> None:
    scripted.answers["EHLO"] = ["250-test\r\n250 SIZE 1000"]
    scripted.answers["MAIL"] = ["552 5.3.4 too big"]
    assert send(scripted, "anna") == [DeliveryReport(Delivery.REFUSED, "552 5.3.4 too big")]
    assert f"mail from:<{CLUB}> size={len(MAIL)}" in [line.lower() for line in scripted.heard]


@pytest.mark.parametrize("answer", ("550 5.7.1 not from there", "530 5.7.0 log in first"))
def test_server_that_refuses_our_sender_refuses_no_email(
    scripted: ScriptedSmtp, answer: str
) -> None:
    scripted.answers["MAIL"] = [answer]
    with pytest.raises(SmtpError, match=rf"accepts no email from {CLUB}: {answer}") as caught:
        send(scripted, "anna")
    assert caught.value.setting == "user"


ENOUGH = "550 5.4.5 Daily user sending limit exceeded."


@pytest.mark.parametrize("verb", ("RCPT", "DATA", "DOT"))
@pytest.mark.parametrize("answer", (HANG_UP, "421 4.3.2 closing down", "what?", ENOUGH))
def test_session_that_ends_during_an_email_defers_it(
    scripted: ScriptedSmtp, verb: str, answer: str
) -> None:
    scripted.answers[verb] = [answer]
    with transport_to(scripted).connect() as session:
        assert session.send(CLUB, "anna@mail.example", MAIL).delivery is Delivery.DEFERRED
        for _ in range(2):
            with pytest.raises(TransportError):
                session.send(CLUB, "bob@mail.example", MAIL)
    assert "quit" not in scripted.heard


@pytest.mark.parametrize("answer", (HANG_UP, "421 4.3.2 closing down"))
def test_session_that_ends_before_an_email_leaves_it_untried(
    scripted: ScriptedSmtp, answer: str
) -> None:
    scripted.answers["MAIL"] = ["250 OK", answer]
    with transport_to(scripted).connect() as session:
        assert session.send(CLUB, "anna@mail.example", MAIL).delivery is Delivery.SENT
        for _ in range(2):
            with pytest.raises(TransportError):
                session.send(CLUB, "bob@mail.example", MAIL)
    assert len(scripted.mails) == 1


def test_session_that_ends_after_a_refusal_has_refused(scripted: ScriptedSmtp) -> None:
    scripted.answers |= {"RCPT": ["550 5.1.1 who?"], "RSET": [HANG_UP]}
    with transport_to(scripted).connect() as session:
        assert session.send(CLUB, "anna@mail.example", MAIL).delivery is Delivery.REFUSED
        with pytest.raises(TransportError):
            session.send(CLUB, "bob@mail.example", MAIL)


def test_silence_after_an_email_defers_it(scripted: ScriptedSmtp) -> None:
    scripted.answers["DOT"] = [SAY_NOTHING]
    with transport_to(scripted, timeout_s=0.1).connect() as session:
        report = session.send(CLUB, "anna@mail.example", MAIL)
    assert report.delivery is Delivery.DEFERRED
    assert report.reply.endswith("did not answer in time.")


@pytest.mark.parametrize("answer", (HANG_UP, "554 5.3.2 go away", "421 4.3.2 too busy"))
@pytest.mark.parametrize("verb", ("GREETING", "EHLO"))
def test_server_that_refuses_the_session_is_an_error(
    scripted: ScriptedSmtp, verb: str, answer: str
) -> None:
    scripted.answers |= {verb: [answer], "HELO": [answer]}
    with pytest.raises(TransportError):
        send(scripted, "anna")


# The session


@pytest.mark.servers
def test_batch_goes_over_one_connection() -> None:
    kept: list[str] = []
    with SmtpServer(lambda sender, recipient, raw: kept.append(recipient)) as server:
        with transport_to(server).connect() as session:
            for number in range(20):
                session.send(CLUB, f"anna+{number}@mail.example", MAIL)
        assert server.connections == 1
    assert kept == [f"anna+{number}@mail.example" for number in range(20)]


def test_session_starts_with_our_address_and_ends_with_quit(scripted: ScriptedSmtp) -> None:
    send(scripted, "anna")
    assert scripted.heard[0] == "ehlo [127.0.0.1]"
    assert scripted.heard[-1] == "quit"


def test_error_in_the_batch_hangs_up(scripted: ScriptedSmtp) -> None:
    with pytest.raises(ZeroDivisionError), transport_to(scripted).connect():
        raise ZeroDivisionError
    assert "quit" not in scripted.heard


def test_8_bit_content_is_announced_if_the_server_offers_it(scripted: ScriptedSmtp) -> None:
    scripted.answers["EHLO"] = ["250-test\r\n250 8BITMIME"]
    with transport_to(scripted).connect() as session:
        session.send(CLUB, "anna@mail.example", MAIL)
        session.send(CLUB, "anna@mail.example", MAIL + b"\xe9\r\n")
    mails = [line.lower() for line in scripted.heard if line.lower().startswith("mail from")]
    announced = [line.endswith(" body=8bitmime") for line in mails]
    assert announced == [False, True]


def test_non_ascii_address_needs_a_server_that_supports_it(scripted: ScriptedSmtp) -> None:
    scripted.answers["EHLO"] = ["250-test\r\n250-8BITMIME\r\n250 SMTPUTF8", "250 test"]
    for expected in (Delivery.SENT, Delivery.REFUSED):
        with transport_to(scripted).connect() as session:
            assert session.send(CLUB, "żółw@mail.example", MAIL).delivery is expected


@pytest.mark.parametrize("verb", ("GREETING", "EHLO", "MAIL", "RCPT", "DATA", "DOT"))
def test_close_ends_a_call_in_another_thread(scripted: ScriptedSmtp, verb: str) -> None:
    scripted.answers[verb] = [SAY_NOTHING]
    transport = transport_to(scripted, timeout_s=60)
    ended = threading.Event()

    def work() -> None:
        try:
            with transport.connect() as session:
                session.send(CLUB, "anna@mail.example", MAIL)
        except TransportError:
            pass
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    assert scripted.silent.wait(SOON)
    transport.close()
    assert ended.wait(SOON)
    thread.join()


def test_closed_transport_may_connect_again(scripted: ScriptedSmtp) -> None:
    transport = transport_to(scripted)
    transport.close()
    with transport.connect() as session:
        assert session.send(CLUB, "anna@mail.example", MAIL).delivery is Delivery.SENT


# Wrong settings


def refusal(settings: SmtpSettings) -> tuple[str, str]:
    """Return the text of the error, and the setting that it names."""
    with pytest.raises(SmtpError) as caught, SmtpTransport(settings).connect():
        pass
    said = str(caught.value)
    assert PASSWORD not in repr(caught.value) + repr(settings) + said
    assert "Errno" not in said
    assert "\n" not in said
    return said, caught.value.setting


@pytest.mark.servers
@pytest.mark.parametrize("security", ("starttls", "tls"))
def test_tls_and_login_are_verified(
    security: Literal["tls", "starttls"],
    server_tls: SSLContext,
    certificates: Certificates,
    tmp_path: Path,
) -> None:
    with secure(security, server_tls, certificates) as made:
        right = made.settings
        for wrong, named, said in (
            (replace(right, password="wrong"), "password", "refuses the login of club: 535"),
            (replace(right, user="nobody"), "password", "refuses the login of nobody: 535"),
            (replace(right, password="pässword"), "password", "ASCII"),
            (replace(right, host="127.0.0.1", ca_file=None), "ca_file", "is not trusted"),
            # Another spelling of the same address, which the certificate does not contain.
            (replace(right, host="127.1"), "host", "certificate at 127.1 is for another name"),
            (replace(right, ca_file=tmp_path / "none.pem"), "ca_file", "none.pem"),
            (replace(right, host="nowhere.invalid"), "host", "nowhere.invalid cannot be found"),
            (replace(right, port=1), "port", "Nothing answers at localhost, port 1"),
        ):
            text, setting = refusal(wrong)
            assert setting == named
            assert said in text


def test_tls_on_a_plain_server_is_an_error(scripted: ScriptedSmtp) -> None:
    plain = SmtpSettings(scripted.host, scripted.port, "", "", "none", timeout_s=SOON)
    assert refusal(replace(plain, security="tls"))[1] == "security"
    assert refusal(replace(plain, security="starttls"))[1] == "security"
    assert refusal(replace(plain, user="club", password=PASSWORD))[1] == "user"


def test_temporary_login_failure_names_no_setting(scripted: ScriptedSmtp) -> None:
    scripted.answers |= {
        "EHLO": ["250-test\r\n250 AUTH PLAIN"],
        "AUTH": ["454 4.7.0 Temporary failure"],
    }
    settings = SmtpSettings(scripted.host, scripted.port, "club", PASSWORD, "none", SOON)
    assert refusal(settings)[1] == ""


def test_attempt_after_a_refused_login_waits(scripted: ScriptedSmtp) -> None:
    now = [100.0]
    scripted.rule = lambda verb, line: {
        "EHLO": "250-test\r\n250 AUTH PLAIN",
        "AUTH": "535 5.7.8 not today",
    }.get(verb, "")
    settings = SmtpSettings(scripted.host, scripted.port, "club", PASSWORD, "none", SOON)
    transport = SmtpTransport(settings, lambda: now[0])

    def attempt() -> None:
        with transport.connect():
            pass

    for pause in (1, 2, 4):
        with pytest.raises(TransportError, match="not today"):
            attempt()
        tried = verbs(scripted).count("AUTH")
        with pytest.raises(TransportError, match=rf"The next attempt is in {pause} s\."):
            attempt()
        assert verbs(scripted).count("AUTH") == tried
        now[0] += pause
    scripted.rule = lambda verb, line: "250 test" if verb == "EHLO" else ""
    with pytest.raises(TransportError, match="no login method that pbem knows"):
        attempt()
