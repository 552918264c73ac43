"""Link targets that contain an answer are never read, however a client writes them."""

from __future__ import annotations

import time

import pytest

from pbem.mail.message.html_alternative import without_targets
from pbem.mail.message.message import read_message
from pbem.mail.reply.reply_text import fresh_text

TARGET = (
    "mailto:club%2B12-15-n-k3v7q2mzt4hwa6xd@games.example?subject=%5Bpbem%2012%5D%20Lanko-103"
    "%3A%20Anna%2C%20Bert&body=%5B8-B%5D%0D%0A"
)
SAFE = f"https://eur01.safelinks.protection.outlook.com/?url={TARGET.replace(':', '%3A', 1)}&data=x"
DECODED = "mailto:club+12@games.example?subject=Re: [pbem 12] Lanko-103&body=[8-B]"


def folded(target: str, at: int, mark: str = "") -> str:
    return f"\n{mark}".join(target[i : i + at] for i in range(0, len(target), at))


@pytest.mark.parametrize(
    "written",
    (
        f"[8-B]<{TARGET}>",
        f"[8-B] <{TARGET}>",
        f"[8-B] <{TARGET.upper()}>",
        f"[8-B] <{TARGET.removeprefix('mailto:')}>",
        f"[8-B]({TARGET})",
        f"[8-B] ({TARGET})",
        f"[8-B] [{TARGET}]",
        f"[8-B] {TARGET}",
        f'HYPERLINK "{TARGET}"[8-B]',
        f"[8-B]<{SAFE}>",
        f"[8-B] <{DECODED}>",
        f"[8-B] <{TARGET}{'x' * 9000}>",
        f"[8-B] <{folded(TARGET, 40)}>",
        f"> [8-B] <{folded(TARGET, 72, '> ')}>",
        f"[8-B] [1]\n\n[1] {TARGET}",
        f"[8-B][1]\n\nLinks:\n------\n[1] {TARGET}",
        f"[1][8-B]\n\nReferences\n\n  1. {folded(TARGET, 60, '     ')}\n",
        f"[8-B]\n[1]\n\n[1]: <{TARGET}>\n[2]: <https://club.example/>",
    ),
)
def test_words_of_a_link_are_kept(written: str) -> None:
    assert without_targets(written).strip("> \n") == "[8-B]"


@pytest.mark.parametrize(
    "typed",
    (
        "[8-B]\n\nClara <clara@mail.example>",
        "From: pbem <mailto:club+12-15-n-k3v7q2mzt4hwa6xd@games.example>\nSent: today",
        "See <https://club.example/?a=b> or mailto:clara@mail.example",
        "[1] e4 [2]\n[3]",
        f"> | <{TARGET[:60]}\nresign\n> | {TARGET[60:]}>",
        f"> | <{TARGET[:60]}\n[8-B]\n> x>",
        f"> | <{TARGET[:60]}\n\ne2-e4\n\n> x>",
        f"(mailto:a@b.example?body=\n18-19\n{TARGET[90:]}",
    ),
)
def test_typed_text_is_kept(typed: str) -> None:
    for line in ("[8-B]", "resign", "e2-e4", "18-19", "[3]", "Sent: today"):
        assert (line in without_targets(typed).split("\n")) == (line in typed.split("\n"))
    if TARGET[:30] not in typed and "body=" not in typed:
        assert without_targets(typed) == typed


@pytest.mark.parametrize(
    "piece",
    (
        "<mailto:",
        "mailto:?",
        "<a@b.c?",
        "links:\n",
        "\n> %",
        "[1]\n",
        "[1] mailto:?body=\n",
        "<m\n%",
    ),
)
def test_long_text_takes_linear_time(piece: str) -> None:
    began = time.process_time()
    without_targets(f"[1] {TARGET}\n" + piece * (200_000 // len(piece)))
    assert time.process_time() - began < 1


@pytest.mark.parametrize("link", ("{words}<{target}>", "{words} <{target}>", "{words}\n<{target}>"))
def test_list_of_links_is_quoted_even_without_a_known_email(link: str) -> None:
    """A move typed right below it is not part of the list."""
    targets = (TARGET.replace("8-B", each) for each in ("8-B", "9-C"))
    tapped = zip(("[8-B]", "[9-C]"), targets, strict=True)
    listed = "\n".join(link.format(words=words, target=target) for words, target in tapped)
    mail = f"From: anna@mail.example\n\n{listed}\n[10-D]\n".encode()
    assert fresh_text(read_message(mail).text).fresh == "[10-D]"
