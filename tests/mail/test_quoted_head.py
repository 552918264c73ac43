"""Heads above quoted emails, in many forms, and text that only resembles them."""

from __future__ import annotations

import pytest

from pbem.mail.reply.reply_text import fresh_text

HEADS = (
    # a name with a date, or with an address
    "pbem, 21.11.2026 18:40",
    "pbem (21.11.2026 18:40)",
    "Bert Nowak - 21/11/2026, 6:40 PM",
    "Sat, Nov 21, 2026, 6:40 PM pbem <club@games.example>",
    "pbem <club@games.example> 21 Nov 2026",
    "pbem [mailto:club@games.example]",
    "On 21/11/2026 18:40, pbem wrote",
    "On Sat, 21 Nov 2026, pbem wrote...",
    "pbem schrieb am 21.11.2026 um 18:40",
    # broken over lines
    "On 21 November 2026 pbem (club@games.example)\nwrote",
    'On Saturday, 21 November 2026 at\n18:40, "pbem, your turn"\n<club@games.example> wrote:',
    "El 21 nov 2026, a las 18:40, pbem\nescribió",
    "Em sáb., 21 de nov. de 2026 às 18:40, pbem\n<club@games.example> escreveu:",
    "On Sat, Nov 21, 2026 at 18:40 pbem via Club <club@games.example>\nwrote",
    "pbem/Games/Club@GAMES wrote on 21/11/2026 18:40:12:",
    "On 21.11.26 pbem",
    # the author, and nothing else
    "pbem wrote:",
    "Użytkownik pbem napisał:",
    "Bert a écrit :",
    # unknown languages
    "Dňa so 21. 11. 2026 o 18:40 pbem <club@games.example> napísal(a):",
    "La 21 nov. 2026, 18:40, pbem <club@games.example> a scris:",
    "21.11.2026 18:40 пользователь pbem <club@games.example> написал:",
    "Quoting pbem <club@games.example>:",
    # fields, in any language and order
    "From: pbem <club@games.example>",
    "From: pbem [mailto:club@games.example]",
    "Betreff: [pbem 12] Lanko-103: your turn\nVon: pbem",
    "Subject: [pbem 12] Lanko (21-Nov-2026 18:40)\nFrom: pbem",
    "Lähettäjä: pbem <club@games.example>\nLähetetty: 21. marraskuuta 2026\nAihe: Lanko",
    "Keltezve: 2026. november 21.\nFeladó: pbem\nCímzett: Clara <clara@mail.example>\nTárgy: x",
    "Konu: [pbem 12] Lanko\nKimden: pbem <club@games.example>",
    "差出人: pbem <club@games.example>\n送信日時: 2026年11月21日 18:40\n件名: [pbem 12] Lanko",
    "**From:** pbem **Sent:** Saturday **To:** Clara **Subject:** x",
    "Date: Sat, 21 Nov 2026 18:40:12 +0100\nFrom: pbem <club@games.example>",
    # dividers
    "Forwarded message from pbem:",
    "----- Urspr. Mitt. -----",
    "===8<===========Original message text===========",
    ":: pbem, 21.11.26, 18:40 ::",
    "***** Original Message *****",
    "*-----Original Message-----*",
    "*Original Message*",
    "<-----Original Message----->",
    "~~~~~~ original message ~~~~~~",
    "Ursprüngliche Nachricht:",
    "Original Message processed by david®",
    "-------- Original Message processed by Tobit --------",
    "-------- Původní zpráva --------",
    "-----Исходное сообщение-----",
    "--- pbem schrieb am 21.11.26 ---",
)
WITHOUT_COLONS = (
    "------ Originalnachricht ------\nVon pbem\nAn clara@mail.example\nDatum 21.11.2026"
)
PROSE = (
    "leave 26.12. - 1.1.2027",
    "leave 20.12. until 1.1.2027",
    "I will be away until 21/11/2026.",
    "Back on 1.12.2026",
    "See you at 18:40",
    "Sorry, was away 12.11.2026 - 20.11.2026",
    "My address from 1.12. is clara2@mail.example",
    "Please use clara2@mail.example from 1.12.2026 on.",
    "As you wrote, nothing is lost.",
    "Bert wrote that it is over; it is not:",
    "Bert wrote that I should resign.",
    "I can play again on 21.11.2026 at 18:40",
    "Bert wrote a book in 2025",
    "That was 21 moves ago, in Nov 2025.",
    "Time: nearly midnight.",
    "Move: see below",
    "My move:",
    "Next: the move",
    "Plan for 2026:",
    "Re: the draw, no thanks",
    "Note to Bert: thanks.",
    "Original idea!",
    "What an original message you sent me.",
    "*** well ***",
)
NO_FOOTERS = (
    "Sent from my desk, is much easier than the phone.",
    "Sent with love from all of us here, and happy birthday",
    "Sent by my own hand; the cat helped",
    "Envoyé par pigeon, comme toujours",
    "Gesendet von meinem Schreibtisch, der ist bequemer",
)
FOOTERS = (
    "Sent from my mobile. Please excuse brevity.",
    "Sent from my iPhone, sorry for typos",
    "Sent via the Samsung Galaxy S9, an AT&T 5G smartphone",
    "Sent from my Verizon, Samsung Galaxy smartphone",
    "Sent from [Proton Mail](https://proton.me/) for iOS",
    "Envoyé de mon téléphone, désolé pour les fautes",
)
QUOTE = "Just reply.\n\n    [C-18]\n\nresign"


def fresh(text: str) -> list[str]:
    return [line for line in fresh_text(text).fresh.split("\n") if line.strip()]


@pytest.mark.parametrize("head", (*HEADS, WITHOUT_COLONS))
def test_text_below_a_head_is_quoted(head: str) -> None:
    assert fresh(f"Yes.\n[8-B]\n\n{head}\n\n{QUOTE}") == ["Yes.", "[8-B]"]
    assert fresh(f"Yes.\n[8-B]\n\n{head}\n{QUOTE}") == ["Yes.", "[8-B]"]


@pytest.mark.parametrize("head", HEADS)
def test_marked_quote_ends_despite_a_head(head: str) -> None:
    marked = "\n".join(f"> {line}" for line in QUOTE.split("\n"))

    assert fresh(f"Yes.\n\n{head}\n\n{marked}\n\n[8-B]\n\n{marked}") == ["Yes.", "[8-B]"]


@pytest.mark.parametrize("said", PROSE + NO_FOOTERS)
def test_sentences_of_people_make_no_head_or_footer(said: str) -> None:
    assert fresh(f"{said}\n\n[8-B]\n\nBye") == [said, "[8-B]", "Bye"]
    assert fresh(f"{said}\n[8-B]\nBye") == [said, "[8-B]", "Bye"]
    assert fresh(f"[8-B]\n{said}") == ["[8-B]", said]


def test_move_between_a_field_like_line_and_a_header_is_kept() -> None:
    header = "From: pbem <club@games.example>\nSent: Saturday\nSubject: x"

    assert fresh(f"A: fine\n\n[8-B]\n\n{header}\n\n{QUOTE}") == ["A: fine", "[8-B]"]
    assert fresh(f"A: fine\n[8-B]\n{header}\n\n{QUOTE}") == ["A: fine", "[8-B]"]


@pytest.mark.parametrize("footer", FOOTERS)
def test_footer_may_have_an_excuse_or_a_long_name(footer: str) -> None:
    assert fresh(f"[8-B]\n\n{footer}\n") == ["[8-B]"]


@pytest.mark.parametrize(
    "mark", ("C> ", "AB>", " CK> ", "c>> ", "Bert> ", "    Clara> ", "  Szczepan>> ")
)
def test_initials_and_names_may_precede_a_mark(mark: str) -> None:
    quote = "\n".join(mark + line for line in QUOTE.split("\n"))

    assert fresh(f"Yes.\n\n{quote}\n\n[8-B]\n\n{quote}") == ["Yes.", "[8-B]"]


def test_single_name_before_a_mark_is_text() -> None:
    text = "Anna's knight> mine.\nHorses> castles!\n[8-B]"

    assert fresh(text) == text.split("\n")


@pytest.mark.parametrize("note", ("Well played!", "PS: [9-C]", "From: a@b.example"))
def test_our_bars_do_not_show_what_a_client_quoted(note: str) -> None:
    for above in ("Bert writes:\n\n", ""):
        text = f"From: pbem\nSent: Saturday\nSubject: x\n\n{above}| {note}\n\n{QUOTE}"

        assert fresh(f"[8-B]\n\n{text}") == ["[8-B]"]


@pytest.mark.parametrize("line", ("a@b <a@b> [mailto:a@b] " * 14, "on 1.1.2026 a@b " + "w " * 150))
def test_many_head_like_lines_are_read_in_time(line: str) -> None:
    """An email may contain a megabyte of such lines. That once took minutes."""
    read = fresh_text("\n".join([line] * 3000))
    assert (read.fresh + read.quoted).count(line[:20]) >= 3000
