"""The fresh part of an answer, one habit of clients at a time.

Whole emails are in tests/data/mail.
"""

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from pbem.mail.message.charsets import lines_of
from pbem.mail.message.size_limits import MAX_LINES
from pbem.mail.reply.quoted_letters import QuotedLetters
from pbem.mail.reply.reply_text import fresh_text

TOKEN_ADDRESS = "club+12-15-n-k3v7q2mzt4hwa6xd@games.example"
OLD_MOVE = "[C-18]"


def fresh(text: str, *letters: str) -> list[str]:
    """Return the fresh lines, and check that nothing was lost or invented."""
    found = fresh_text(text, witness=QuotedLetters(letters))
    assert said(found.fresh) + said(found.quoted) == said(text)
    return [line for line in found.fresh.split("\n") if line.strip()]


def said(text: str) -> Counter[str]:
    return Counter(line for line in text.split("\n") if line.strip())


def test_text_without_a_quote_is_all_fresh() -> None:
    assert fresh_text("\nHello,\n\n[8-B]\n\n").fresh == "Hello,\n\n[8-B]"


@pytest.mark.parametrize(
    "attribution",
    (
        "On 21/11/2026 18:40, pbem, your turn wrote:",
        "On Sat, Nov 21, 2026 at 06:40:12PM +0100, pbem, your turn wrote:",
        f"On Saturday, November 21, 2026, pbem, your turn <{TOKEN_ADDRESS}> wrote:",
        f"On Sat, 21 Nov 2026, 18:40 pbem, your turn, <\n{TOKEN_ADDRESS}> wrote:",
        f"On Saturday, 21 Nov 2026 at 18:40:12 CET,\npbem, your turn\n<{TOKEN_ADDRESS}> wrote:",
        "In message <12-15-n-k3v7q2mzt4hwa6xd.1@games.example>, pbem writes:",
        "Am 21.11.26 um 18:40 schrieb pbem, your turn:",
        f"Am Sa., 21. Nov. 2026 um 18:40 Uhr schrieb pbem, your turn <\n{TOKEN_ADDRESS}>:",
        f"pbem, your turn <{TOKEN_ADDRESS}> hat am 21.11.2026 18:40 CET geschrieben:",
        "W dniu 21.11.2026 o 18:40, pbem, your turn pisze:",
        f"sob., 21 lis 2026 o 18:40 pbem, your turn <\n{TOKEN_ADDRESS}> napisał(a):",
        "Dnia 21 listopada 2026 18:40 pbem, your turn napisał(a):",
        f"Wiadomość napisana przez pbem <{TOKEN_ADDRESS}> w dniu 21.11.2026, o godz. 18:40:",
        "Le 21/11/2026 à 18:40, pbem, your turn a écrit :",
        f"Le sam. 21 nov. 2026 à 18:40, pbem, your turn <\n{TOKEN_ADDRESS}> a écrit\xa0:",
        "El 21/11/26 a las 18:40, pbem, your turn escribió:",
        f"El sáb, 21 nov 2026 a las 18:40, pbem, your turn (<\n{TOKEN_ADDRESS}>) escribió:",
        "Il giorno sab 21 nov 2026 alle ore 18:40 pbem ha scritto:",
        "Op za 21 nov 2026 om 18:40 schreef pbem, your turn:",
        "En sábado, 21 de noviembre de 2026,\n18:40:12 CET, pbem <x@y.example> escribió:",
        'Zitat von "pbem, your turn" <x@y.example>:',
        '21.11.2026, 18:40, "pbem, your turn" <x@y.example>:',
        "---- On Sat, 21 Nov 2026 18:40:12 +0100 pbem <x@y.example> wrote ---",
        f"2026年11月21日(土) 18:40 pbem, your turn <{TOKEN_ADDRESS}>:",
    ),
)
@pytest.mark.parametrize("blank", ("", "\n"))
@pytest.mark.parametrize("mark", ("> ", ""))
def test_attribution_is_quoted(attribution: str, blank: str, mark: str) -> None:
    quote = f"{mark}Just reply, for example\n{mark}\n{mark}{OLD_MOVE}"

    assert fresh(f"[8-B]\n{blank}{attribution}\n{blank}{quote}\n") == ["[8-B]"]


def test_text_below_a_marked_quote_is_fresh() -> None:
    text = f"On 21/11/2026 18:40, pbem wrote:\n> {OLD_MOVE}\n>\n\n[8-B]\n"
    assert fresh(text) == ["[8-B]"]


def test_line_right_above_an_attribution_is_kept() -> None:
    text = f"On we go at 19:00!\nOn 21/11/2026 at 18:40\npbem <x@y.example> wrote:\n\n> {OLD_MOVE}"
    assert fresh(text) == ["On we go at 19:00!"]


@pytest.mark.parametrize(
    "prose",
    (
        "On second thought I play as Bob wrote:",
        "I wrote: what a game!",
        "From: here to there",
        "To: whom it may concern",
        "-- well --",
        "[8-B] --",
        "Sent you my regards",
        "Von meinem Zug bin ich überzeugt",
        "This message is short",
        "= 3 =",
        "X",
    ),
)
def test_prose_is_kept(prose: str) -> None:
    assert fresh(f"{prose}\n\n[8-B]") == [prose, "[8-B]"]


@pytest.mark.parametrize(
    "block",
    (
        "From: {0}\nSent: 21 November 2026 18:40\nTo: Clara\nSubject: [pbem 12] Lanko",
        "*From:* {0}\n*Date:* 21 November 2026 18:40\n*To:* Clara\n*Subject:* [pbem 12] Lanko",
        "________________________________\nFrom: {0}\nSent: Saturday\nTo: Clara\nSubject: Lanko",
        "________________________________ From: {0}\nSent: Saturday\nTo: Clara\nSubject: Lanko",
        "Von: {0}\nGesendet: Samstag\nAn: Clara\nCc: Bert\nBetreff: Lanko",
        "Gesendet: Samstag, 21. November 2026 um 18:40 Uhr\nVon: {0}\nAn: Clara\nBetreff: Lanko",
        "Od: {0}\nWysłano: sobota\nDo: Clara\nTemat: Lanko",
        "De : {0}\nEnvoyé : samedi\nÀ : Clara\nObjet : Lanko",
        "De: {0}\nEnviado el: sábado\nPara: Clara\nAsunto: Lanko",
        "De: {0}\nEnviada em: sábado\nPara: Clara\nAssunto: Lanko",
        "Expéditeur: {0}\nEnvoyé: samedi\nDestinataire: Clara\nSujet: Lanko",
        "| Von: | {0} |\n| Gesendet: | Samstag |\n| An: | Clara |\n| Betreff: | x |",
        "-----Original Message-----",
        "-------- Original-Nachricht --------",
        "-------- Original message --------",
        "-----Ursprüngliche Nachricht-----",
        "-----Wiadomość oryginalna-----",
        "-----Message d’origine-----",
        "-----Mensaje original-----",
        "---------- Forwarded message ---------",
        "-------- Weitergeleitete Nachricht --------",
        "Begin forwarded message:",
        "Début du message réexpédié :",
        "----- pbem, match 12, turn 15 -----",
    ),
)
def test_everything_below_an_unmarked_quote_is_quoted(block: str) -> None:
    text = f"[8-B]\n\n{block.format('pbem <club@games.example>')}\n\nYour move:\n{OLD_MOVE}\nresign"
    assert fresh(text) == ["[8-B]"]


def test_unmarked_quote_ends_at_the_last_line_of_our_email() -> None:
    text = (
        "From: pbem\nSent: Saturday\nSubject: Lanko\n\n----- pbem, match 12, turn 15 -----\n"
        f"{OLD_MOVE}\n----- end of pbem mail -----\n\n[8-B]"
    )
    assert fresh(text) == ["[8-B]"]


def test_answer_may_follow_a_marked_quote_under_any_heading() -> None:
    heading = "From: pbem\nSent: Saturday\nTo: Clara\nSubject: Lanko"
    for above in (heading, "-----Original Message-----", f"-----Original Message-----\n{heading}"):
        assert fresh(f"{above}\n\n> {OLD_MOVE}\n\n[8-B]") == ["[8-B]"]
    proton = "-------- Original Message --------\nOn 21/11/2026 18:40, pbem wrote:"
    assert fresh(f"Yes.\n\n{proton}\n\n> {OLD_MOVE}\n\n[8-B]") == ["Yes.", "[8-B]"]


def test_heading_in_unknown_language_is_known_by_our_address() -> None:
    heading = f"Feladó: pbem <{TOKEN_ADDRESS}>\nKüldve: 2026. november 21.\nTárgy: [pbem 12]"
    assert fresh(f"[8-B]\n\n{heading}\n\n{OLD_MOVE}") == ["[8-B]"]


def test_dated_line_right_above_a_quote_is_an_attribution() -> None:
    assert fresh(f"* pbem [2026-11-21 18:40]:\n\n> {OLD_MOVE}\n[8-B]") == ["[8-B]"]


@pytest.mark.parametrize("mark", ("|", ":", "}", "%"))
def test_any_sign_before_our_first_line_is_a_quote_mark(mark: str) -> None:
    ours = ("Clara, it is your turn as N (White), turn 15 of match 12.", "", f"    {OLD_MOVE}")
    quote = "\n".join(f"{mark} {line}".rstrip() for line in ours)

    assert fresh(f"Yes.\n\n{quote}\n\n[8-B]", "\n".join(ours)) == ["Yes.", "[8-B]"]


def test_broken_quoted_line_is_quoted_to_its_end() -> None:
    long = "> Set 3, match 1 of 3, Anna is solo; the other two matches of this set"
    assert fresh(f"{long}\nfollow.\n>\n\n[8-B]") == ["[8-B]"]


@pytest.mark.parametrize("typed", ("resign", "a4", "Well done", "draw?"))
@pytest.mark.parametrize(
    "above",
    (
        "> Set 3, match 1 of 3, Anna is solo; the other two matches of it follow.",
        "> Set 3, match 1 of 3, Anna is solo; the others",
        "> | Are you there? It is your turn, I think",
    ),
)
def test_text_right_below_a_whole_quoted_line_is_new(above: str, typed: str) -> None:
    assert fresh(f"{above}\n{typed}") == [typed]


@pytest.mark.parametrize("rest", ("resign", "a4", "[8-B]", "draw?"))
@pytest.mark.parametrize(
    "above",
    (
        "> Set 3, match 1 of 3, Anna is solo; the other two matches of this set",
        "> | I have no time today, and I had none yesterday, it seems.",
        "> | " + "x" * 68 + "\n" + "y" * 72,
    ),
)
def test_possible_rest_of_a_broken_line_is_not_new(above: str, rest: str) -> None:
    assert fresh(f"{above}\n{rest}") == []


@pytest.mark.parametrize("line", ("| resign", "| > resign", "> | resign", "|", "| | [8-B]"))
def test_text_after_a_bar_is_quoted(line: str) -> None:
    assert fresh(f"Well.\n\n{line}") == ["Well."]


def test_forwarded_email_ends_at_the_clients_last_line() -> None:
    begins = "----- Forwarded message from pbem -----\n\nFrom: pbem\nTo: Clara\nSubject: x"
    text = f"Look:\n\n{begins}\n\n{OLD_MOVE}\n\n----- End forwarded message -----\n\n[8-B]"
    assert fresh(text) == ["Look:", "[8-B]"]


@pytest.mark.parametrize("delimiter", ("-- ", "--", "--\xa0", "__________________________"))
def test_signature_ends_at_the_next_quote(delimiter: str) -> None:
    text = (
        f"[8-B]\n{delimiter}\nClara\nresign\n\nOn 21/11/2026 18:40, pbem wrote:\n> {OLD_MOVE}\nyes"
    )
    assert fresh(text) == ["[8-B]", "yes"]


@pytest.mark.parametrize(
    "footer",
    (
        "Sent from my iPhone",
        "Sent from Yahoo Mail on Android",
        "Sent from Outlook for iOS<https://links.example/o0ukef>",
        "Get Outlook for Android",
        "Sent with Proton Mail secure email.",
        "Von meinem iPhone gesendet",
        "Gesendet mit der GMX Mail App",
        "Gesendet von Outlook für iOS",
        "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
        "Wysłane z iPhone’a",
        "Wysłano z telefonu Samsung Galaxy",
        "Envoyé de mon iPhone",
        "Envoyé depuis mon appareil Galaxy",
        "Télécharger Outlook pour Android",
        "Enviado desde mi iPhone",
        "Obtener Outlook para iOS",
        "*Sent from my phone*",
        "Von Outlook für Android gesendet",
        "Wysłano przy użyciu programu Outlook",
        "Pobierz program Outlook dla systemu iOS<https://links.example/o0ukef>",
        "Enviado del móvil",
        "Tę wiadomość wysłano z urządzenia Android",
        "Diese E-Mail wurde von Avast auf Viren geprüft.\nwww.avast.example",
        "Provenance : Courrier pour Windows",
        "Virus-free. www.avast.example",
        "Wolny od wirusów. www.avast.example",
        "FREE Animations for your email - by IncrediMail! Click Here!",
        "¡GRATIS! Animaciones para tu email - ¡de IncrediMail! ¡Haz clic aquí!",
        "Do You Yahoo!? Get your free @yahoo.com address: click here",
        "KOSTENLOS: Smileys für Ihre E-Mail. Klicken Sie hier!",
        "&nbsp;",
        "&nbsp; &nbsp;",
    ),
)
def test_footer_is_left_out(footer: str) -> None:
    assert fresh(f"[8-B]\n\n{footer}\n\nThanks") == ["[8-B]", "Thanks"]


@pytest.mark.parametrize(
    "disclaimer",
    (
        "This e-mail is confidential. If you are not the intended\nrecipient, delete it.",
        "CONFIDENTIALITY NOTICE: for the addressee only,\nand legally privileged.",
        "Diese E-Mail enthält vertrauliche Informationen. Sind Sie nicht\nder Empfänger, so ...",
        "Niniejsza wiadomość jest poufna i przeznaczona dla jej odbiorcy.",
        "Ce message est confidentiel et réservé à son destinataire.",
        "Este mensaje es confidencial y para uso de su destinatario.",
    ),
)
def test_disclaimer_is_left_out(disclaimer: str) -> None:
    assert fresh(f"[8-B]\n\n{disclaimer}\n\nBye") == ["[8-B]", "Bye"]


def test_long_text_is_cut_at_the_line_limit() -> None:
    assert len(fresh("[8-B]\n" * (MAX_LINES + 10))) == MAX_LINES


line = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        (
            *("> quote", "-- ", "--", "On 21/11/2026 18:40, pbem wrote:", "On 21/11/2026, pbem <"),
            *("x@y.example> wrote:", "From: a", "Sent: b", "To: c", "Subject: d", "[8-B]", ""),
            *("Sent from my iPhone", "____________", "-----Original Message-----"),
            *("----- pbem, match 1 -----", "----- end of pbem mail -----", TOKEN_ADDRESS),
            *("this message is confidential", "intended", "-----BEGIN PGP SIGNED MESSAGE-----"),
        )
    ),
)


@given(st.lists(line, max_size=30).map("\n".join))
def test_every_line_is_either_fresh_or_quoted(text: str) -> None:
    found = fresh_text(text)

    assert said(found.fresh) + said(found.quoted) == said("\n".join(lines_of(text)))
    assert "\n".join(found.fresh.splitlines()) == found.fresh  # as games split lines


@given(st.lists(line, max_size=30).map("\n".join))
def test_fresh_lines_stay_in_order(text: str) -> None:
    lines = iter(lines_of(text))

    assert all(line in lines for line in fresh_text(text).fresh.split("\n") if line.strip())


@pytest.mark.thorough
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "unit",
    (
        *("\n", "a\n", "> ", ">\n", "-- \n", "-", "_", "On ", "On 10:00 x\n", "wrote:\n", "From: "),
        *(
            "From: a\n",
            "from: a\nto: b\n",
            "confidential\n",
            "confidential ",
            "10:",
            "1/",
            "[8-B]\n",
        ),
        *("on 21/11/2026 18:40, bob wrote:\n", "-----original message-----\n", "a: +1-1-n-"),
        *("x, it is your turn as n, turn 1 of match 1.\n", "a, i read\n", "| a, i read\n"),
        *("x, it is your turn as ", "+1-1-a-", "\u200b", "é\n", "\r", " ", "sent from "),
    ),
)
def test_megabyte_of_anything_is_read_in_time(unit: str) -> None:
    """Linear code takes a second. Anything else would take hours."""
    text = unit * (2**20 // len(unit))

    assert len(fresh_text(text).fresh) <= len(text)
