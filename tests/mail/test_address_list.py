"""Address lists: whom a field names. Nobody is overlooked."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from pbem.mail.address import is_address, plain_addresses

CLUB = "club@games.example"

UNDERSTOOD = {
    "club@games.example": (CLUB,),
    '"pbem, your turn" <Club@Games.example>': (CLUB,),
    "J\u00f6rg N. <j@mail.example> (at home)": ("j@mail.example",),
    "=?utf-8?q?J=C3=B6rg?= <j@mail.example>": ("j@mail.example",),
    "(the club) club@games.example": (CLUB,),
    "\u200fname <a@mail.example>": ("a@mail.example",),
    "a@mail.example <a@mail.example>": ("a@mail.example", "a@mail.example"),
    "club@games.example <mallory@mail.example>": (CLUB, "mallory@mail.example"),
    " , a@mail.example,, b@mail.example ,": ("a@mail.example", "b@mail.example"),
    "a..b.@docomo.example": ("a..b.@docomo.example",),
    "undisclosed-recipients:;": (),
    "": (),
}
NOT_UNDERSTOOD = {
    "a quoted local part": '"mallory"@mail.example',
    "an escape in it": r'"mal\lory"@mail.example',
    "dots in quotes": '"mal..lory."@docomo.example',
    "a comment after the local part": "mallory(x)@mail.example",
    "a comment in the local part": "mal(x)lory@mail.example",
    "a comment before the host": "mallory@(x)mail.example",
    "a comment in angles": "<mallory@mail.example (x)>",
    "comments in comments": "(a (b) c) mallory@mail.example",
    "a comment without an end": "(x mallory@mail.example",
    "an escape in a comment": r"(\() mallory@mail.example (\))",
    "quotes in comments": '(") mallory@mail.example, (")',
    "spaces around the at-sign": "mallory @ mail.example",
    "a tab before it": "mallory\t@mail.example",
    "folded inside": "mallory@mail. example",
    "spaces around dots": "mallory . m@mail . example",
    "a domain literal": "mallory@[192.0.2.7]",
    "one of IPv6": "<mallory@[IPv6:2001:db8::1]>",
    "a bare name": "mallory",
    "a name and a comment": "mallory (mallory@mail.example)",
    "a name with a comma": "Doe, Mallory <mallory@mail.example>",
    "a group": "players: mallory@mail.example;",
    "a group of bare names": "players: mallory;",
    "a group without an end": "players: mallory@mail.example",
    "a route": "<@evil.example:mallory@mail.example>",
    "a path of UUCP": "mail.example!mallory",
    "an encoded word": "=?utf-8?q?mallory=40mail.example?=",
    "one that is a local part": "=?utf-8?q?mallory?=@mail.example",
    "quotes without an end": '"x <mallory@mail.example>',
    "angles without an end": "<mallory@mail.example",
    "angles that only end": "mallory@mail.example>",
    "two in angles": "<a@mail.example> <b@mail.example>",
    "two side by side": "a@mail.example b@mail.example",
    "a semicolon": "a@mail.example; mallory@mail.example",
    "two at-signs": "mallory@mail@evil.example",
    "nothing in angles": "Mallory <>",
    "no host": "mallory@",
    "no local part": "@mail.example",
    "a letter that cannot be seen": "mallory\u200b@mail.example",
    "a letter of control": "mallory\x01@mail.example",
    "the end of a line": "mallory@mail.example\rx",
    "no at-sign but one that looks alike": "mallory\uff20mail.example",
}


@pytest.mark.parametrize("value", UNDERSTOOD)
def test_address_list_is_read(value: str) -> None:
    assert plain_addresses([value]) == UNDERSTOOD[value]


@pytest.mark.parametrize("case", NOT_UNDERSTOOD)
def test_uncertain_list_is_not_understood(case: str) -> None:
    for form in ("{}", f"{CLUB}, {{}}", f"{{}}, {CLUB}", f"<{CLUB}>,{{}}"):
        assert plain_addresses([form.format(NOT_UNDERSTOOD[case])]) is None, form


def test_one_unreadable_field_spoils_the_whole_list() -> None:
    assert plain_addresses([CLUB, "mallory"]) is None


@given(st.text(alphabet='ab@.,:;<>()[]"\\ \t', max_size=30))
def test_no_at_sign_is_overlooked(value: str) -> None:
    """Every at sign outside quotes and comments is found, as by reading one character at a time."""
    found = plain_addresses([value])
    assert found is None or len(found) == at_signs(value)


def at_signs(value: str) -> int:
    count, depth, quoted, escaped = 0, 0, False, False
    for character in value:
        if escaped or character == "\\":
            escaped = not escaped
        elif character == '"' and not depth:
            quoted = not quoted
        elif character in "()" and not quoted:
            depth += 1 if character == "(" else -1
        elif character == "@" and not quoted and not depth:
            count += 1
    return count


@pytest.mark.thorough
@pytest.mark.parametrize(
    "piece", ("(", '"', '"\\', '"a', "<", "a:", "a@", "a@b<", "\\", "()", "a ", "a@b (", "=?", ",")
)
def test_list_of_any_length_takes_linear_time(piece: str) -> None:
    assert plain_addresses([piece * (2**16 // len(piece))]) in (None, ())


# What counts as an address


HIDDEN = (
    *(
        "\u200b",
        "\u00ad",
        "\U000e0063",
        "\x01",
        "\x7f",
        "\x85",
        "\x00",
        "\u2060",
        "\ufeff",
        "\u202e",
    ),
    *("\u200c", "\u200d", "\ufe0f", "\u034f", "\u3164", "\u115f", "\u180b", "\u2800", "\U000e0101"),
    *(
        "\u061c",
        "\u2028",
        "\xa0",
        "\u3000",
        "\ufffd",
        "\ue000",
        "\u206a",
        "\ufff9",
        "\x1c",
        "\u17b4",
    ),
)


@pytest.mark.parametrize("character", HIDDEN, ids=ascii)
def test_invisible_character_is_not_allowed_in_an_address(character: str) -> None:
    for form in ("cl{}ara@mail.example", "{}clara@mail.example", "clara@mail.e{}x"):
        assert not is_address(form.format(character)), form


@pytest.mark.parametrize(
    "text",
    (
        *("clara", "clara@", "@mail.example", "cl(x)ara@mail.example", '"clara"@mail.example'),
        *("clara@[192.0.2.7]", "a@b@c.example", "Clara <clara@mail.example>", "a b@mail.example"),
        *("=?utf-8?q?clara?=@mail.example", "clara@mail.example,", "\u212aarl@mail.example", ""),
        "x" * 65 + "@mail.example",
    ),
)
def test_text_other_than_a_plain_address_is_rejected(text: str) -> None:
    assert not is_address(text)


@pytest.mark.parametrize(
    "text",
    (
        *(
            "clara@mail.example",
            "Clara+club@Mail.example",
            "a..b.@docomo.example",
            "o'neil@x.example",
        ),
        *(
            "j\u00f6rg@stra\u00dfe.example",
            "\u043a\u043b\u0430\u0440\u0430@mail.example",
            "x@localhost",
        ),
    ),
)
def test_plain_address_is_accepted(text: str) -> None:
    assert is_address(text)
