"""Hard or soft: how server answers are read, and whether to give the address up at once."""

from __future__ import annotations

import pytest

from pbem.mail.bounce.failure import DeliveryFailure, Fault, Subject, failure_of, refusal

NOBODY = (
    ("5.1.1", "550 5.1.1 <anna@mail.example>: Recipient address rejected: User unknown"),
    ("5.1.1", ""),
    ("5.1.2", ""),
    ("5.1.3", "501 5.1.3 Bad recipient address syntax"),
    ("5.1.6", "551 5.1.6 The mailbox has moved"),
    ("5.1.10", "556 5.1.10 Recipient address has null MX"),
    ("", "556 Recipient address has null MX"),
    ("5.2.1", "550 5.2.1 The email account that you tried to reach is disabled."),
    ("5.4.4", "Host or domain name not found. Name service error for name=x.example type=AAAA"),
    ("5.1.1", "550-5.1.1 The email account that you tried to reach does not exist. Please try"),
    ("5.0.0", "550-5.1.1 There is nobody of that name"),
    ("", "550 no such user"),
    ("", "550 No Such User Here"),
    ("5.7.1", "550 5.7.1 <anna@mail.example>: user unknown"),
    ("4.1.1", "450 4.1.1 <anna@mail.example>: Recipient address rejected: User unknown"),
    ("5.0.0", "554 delivery error: dd This user doesn't have a yahoo.com account (a@y.com) [-5]"),
    ("5.0.0", "554 30 Sorry, your message cannot be delivered. This mailbox is disabled (554.30)."),
    ("5.4.1", "550 5.4.1 Recipient address rejected: Access denied. [VI1EUR04.eop-eur04.prod]"),
    ("5.4.1", "550 5.4.1 [a@firm.example]: Recipient address rejected: Access denied"),
    ("5.1.10", "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP lookup"),
    ("5.1.1", "#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##"),
    ("5.1.351", "550 5.1.351 Remote server returned unknown recipient or mailbox unavailable"),
    ("5.4.310", "550 5.4.310 DNS domain x.example does not exist [Message=InfoDomainNonexistent]"),
    ("5.5.0", "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [x.prod]"),
    ("", "550 Requested action not taken: mailbox unavailable"),
    ("5.1.0", "550 #5.1.0 Address rejected."),
    ("5.1.0", "5.1.0 - Unknown address error 550-'5.1.1 User unknown'"),
    ("5.1.2", "5.1.2 - Bad destination host 'DNS Hard Error looking up x.example (MX): NXDomain'"),
    ("", "Unrouteable address"),
    ("", "Sorry, no mailbox here by that name. (#5.1.1)"),
    ("", "Sorry, I couldn't find any host named x.example. (#5.1.2)"),
    ("5.1.2", "550 5.1.2 Host unknown (Name server: x.example: host not found)"),
    ("", "550 Invalid recipient anna@mail.example (Mode: normal)"),
    ("", "550 Invalid Recipient - https://community.mimecast.example/docs/spam-policy#550"),
    ("5.1.1", "550 5.1.1 Recipient not found. <https://spam.example/blocked>"),
    ("", "host antispam.example[192.0.2.1] said: 550 5.1.1 User unknown"),
    ("5.1.1", "550 5.1.1 <a@b.example>: Recipient address rejected: User unknown in relay map"),
    ("", "550 5.1.1 MAILBOX NOT FOUND"),
    ("", "550 5.1.1 RCP-P1 https://postmaster.example/error/5.7.1"),
    ("", "550 Account has been closed"),
    ("", "550 5.1.1 Not our Customer"),
    ("", "550 unknown local-part"),
    ("5.0.0", "550 Mailbox does not exist!"),
    ("", "550 This recipient is no longer with us"),
    ("", "550 The user's account has been deactivated"),
    ("", "553 sorry, this recipient is not in my validrcptto list (#5.7.1); no such mailbox"),
    ("", "550 Benutzer unbekannt"),
    ("", "Das E-Mail-Konto, das Sie erreichen wollten, existiert nicht."),
    ("", "550 Die Adresse des Empfängers ist ungültig"),
    ("", "550 Nie ma takiego użytkownika"),
    ("", "Konto odbiorcy nie istnieje lub zostało usunięte"),
    ("", "550 Adresse d au moins un destinataire invalide. OFR_416"),
    ("", "L'utilisateur est inconnu"),
    ("", "La boîte aux lettres n’existe pas."),
    ("", "550 El usuario no existe"),
    ("", "La dirección de correo no se ha encontrado"),
    ("", "550 casella inesistente"),
    ("", "L'indirizzo di posta non è valido"),
    ("", "550 Gebruiker onbekend"),
    ("", "O destinatário não existe"),
    ("", "550 Mottagaren finns inte"),
    ("5.7.17", "550 5.7.17 Mailbox owner has changed"),
)
"""Answers that mean that the address does not exist."""

FULL = (
    ("5.2.2", ""),
    ("5.1.1", "550 5.1.1 mailbox full"),
    ("5.2.2", "552 5.2.2 Mailbox full"),
    ("5.0.0", "552 5.2.2 over quota"),
    ("5.0.0", "550 The mailbox\n\tis full"),
    ("5.0.0", "550 The mailbox of anna@mail.example (user 17) is currently full"),
    ("5.2.1", "552-5.2.2 The email account that you tried to reach is over quota."),
    ("5.2.0", "552 5.2.0 Requested mail action aborted: exceeded storage allocation"),
    ("5.7.1", "550 5.7.1 User's disk quota exceeded"),
    ("5.1.1", "554 5.1.1 STOREDRV.Deliver.Exception:QuotaExceededException.MapiException"),
    ("", "552 Das Postfach des Empfängers ist voll"),
    ("", "Skrzynka odbiorcy jest\npełna"),
    ("", "552 La boîte de réception du destinataire est pleine"),
    ("", "El buzón del destinatario está lleno"),
    ("", "552 La casella è piena"),
    ("5.1.1", "550 The user's mailbox exceeds its allowed size"),
    ("5.1.1", "mailbox is over its limit"),
)

POLICY = (
    ("5.7.1", "554 5.7.1 Message rejected as spam by content filter, score 9.1"),
    ("5.1.1", "550 5.1.1 message rejected as spam"),
    ("5.7.26", "550-5.7.26 This mail has been blocked because the sender is unauthenticated."),
    ("5.7.1", "550 5.7.1 Unauthenticated email from x.example is not accepted due to DMARC policy"),
    ("5.7.23", "550 5.7.23 SPF validation failed"),
    ("5.7.509", "550 5.7.509 Access denied, sending domain does not pass DMARC verification"),
    ("5.7.1", "550-5.7.1 Our system has detected that this message is likely unsolicited mail."),
    ("5.7.1", "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. block list (S31)"),
    ("5.7.1", "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus"),
    ("5.7.606", "550 5.7.606 Access denied, banned sending IP [192.0.2.1]"),
    ("5.7.133", "550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required"),
    ("5.7.1", "554 5.7.1 <anna@mail.example>: Relay access denied"),
    ("", "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"),
    ("5.3.4", "552 5.3.4 Message size exceeds fixed limit"),
    ("5.2.3", "552 5.2.3 Message too large for this recipient"),
    ("5.1.1", "550 5.1.1 <anna@mail.example>: Recipient address rejected: Greylisted"),
    ("5.7.1", "550 5.7.1 Message contains a virus"),
    ("5.5.3", "550 5.5.3 Too many recipients"),
    ("5.7.10", "530 5.7.10 Must issue a STARTTLS command first"),
    ("5.2.1", "550-5.2.1 The user you are trying to contact is receiving mail at a rate that"),
    ("5.7.1", "553 5.7.1 <club@x.example>: Sender address rejected: not owned by user club"),
    ("5.1.8", "550 5.1.8 <club@x.example>: Sender address rejected: Domain not found"),
    ("", "550-Verification failed for <club@x.example>\n550-No Such User Here\n550 Sender verify"),
    ("5.7.1", "550 5.7.1 Client host rejected: cannot find your hostname, [192.0.2.1]"),
    ("", "550 Administrative prohibition - envelope blocked"),
    ("", "554 Message not allowed - [PH01] Email not accepted for policy reasons."),
    ("5.1.0", "5.1.0 - Unknown address error 554-'5.7.1 rejected due to content'"),
    ("5.6.0", ""),
    ("5.7.0", ""),
    ("", "554 Transaction failed. Reject due to policy restrictions."),
    ("", "550 Die Nachricht wurde wegen Verdachts auf Spam abgelehnt, Empfänger unbekannt"),
    ("", "552 Die E-Mail an diesen Empfänger ist zu groß"),
    ("", "554 Wiadomość odrzucona zgodnie z zasadami serwera odbiorcy"),
    ("", "550 Message refusé : trop de destinataires"),
    ("", "550 Mensaje rechazado por política del servidor"),
    ("", "554 messaggio rifiutato: contenuto non consentito"),
)

TROUBLE = (
    ("4.4.1", "connect to mx.mail.example[192.0.2.1]:25: Connection timed out"),
    ("5.4.7", "5.4.7 - Delivery expired (message too old) 'timeout'"),
    ("4.4.7", "expired after five days"),
    ("4.4.3", "Host not found, try again"),
    ("5.1.1", "451 Temporary lookup failure"),
    ("5.0.0", "retry timeout exceeded"),
    ("5.4.4", "connect to x.example: Connection refused"),
    ("4.0.0", "421 Service not available"),
    ("", "550 5.3.2 Der Server ist vorübergehend nicht erreichbar"),
)

NOTHING_KNOWN = (
    ("5.0.0", ""),
    ("", ""),
    ("", "554 Transaction failed"),
    ("", "550 rejected"),
    ("5.0.0", "550 unknown error"),
    ("5.0.0", "The mail for the recipient could not be delivered for an unknown reason"),
    ("", "Der Empfänger konnte aus unbekanntem Grund nicht erreicht werden"),
    ("5.1.0", "5.1.0 - Unknown address error 554-'Transaction failed'"),
)

TABLE = (
    *((Subject.ADDRESS, *said) for said in NOBODY),
    *((Subject.FULL, *said) for said in FULL),
    *((Subject.POLICY, *said) for said in POLICY),
    *((Subject.TROUBLE, *said) for said in TROUBLE),
    *((None, *said) for said in NOTHING_KNOWN),
)


@pytest.mark.parametrize(("subject", "status", "words"), TABLE)
def test_only_an_unknown_address_fails_at_once(
    subject: Subject | None, status: str, words: str
) -> None:
    """A server may report it, or refuse the email."""
    failure = failure_of("anna@mail.example", status, words, delayed=False)
    refused = refusal("Anna@mail.example", f"{status} {words}".strip())
    hard = Fault.HARD if subject is Subject.ADDRESS else Fault.SOFT
    assert [failure.fault, refused.fault] == [hard, hard]


@pytest.mark.parametrize(("status", "words"), POLICY)
def test_failure_about_the_email_itself_is_recognised(status: str, words: str) -> None:
    failure = failure_of("anna@mail.example", status, words, delayed=False)
    assert failure.subject in (Subject.POLICY, Subject.FULL)


def test_delay_does_not_count_as_failure_whatever_its_status() -> None:
    failure = failure_of("anna@mail.example", "5.1.1", "User unknown", delayed=True)
    assert failure.fault is Fault.DELAYED


def test_failure_has_address_status_and_words() -> None:
    words = "550-5.1.1 There is nobody of that name"
    failure = refusal("Anna@mail.example", "550-5.1.1 There is\n\tnobody of that name")
    assert failure == DeliveryFailure(
        "anna@mail.example", Fault.HARD, "5.1.1", words, Subject.ADDRESS
    )


def test_other_words_decide_if_the_main_ones_do_not() -> None:
    told = failure_of("a@b.example", "5.0.0", "", delayed=False, otherwise="The mailbox is full.")
    assert (told.fault, told.words) == (Fault.SOFT, "The mailbox is full.")
    told = failure_of("a@b.example", "5.0.0", "", delayed=False, otherwise="No such mailbox.")
    assert told.fault is Fault.HARD
    told = failure_of("a@b.example", "5.7.1", "", delayed=False, otherwise="No such mailbox.")
    assert told.fault is Fault.SOFT
