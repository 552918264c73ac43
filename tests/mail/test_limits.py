"""Limits: an email just within a limit is read, a larger one is refused with its reason."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest

from pbem.games import game_of
from pbem.games.phrases import ENGLISH
from pbem.inbox.requests import read_requests
from pbem.mail.message import size_limits
from pbem.mail.message.message import identity, read_message
from pbem.mail.outgoing.kinds import ClubName, RefusalMail
from pbem.mail.outgoing.kinds.refusals import RefusedError, TooLarge
from pbem.mail.outgoing.render import of_the_club

FROM = b"From: clara@mail.example\n"
MULTIPART = b"Content-Type: multipart/mixed; boundary=b\n"


def of_size(size: int) -> bytes:
    begins = FROM + MULTIPART + b"\n--b\n\n[8-B]\n--b\nContent-Type: image/png\n\n"
    return begins + b"x" * (size - len(begins))


def of_header_size(size: int) -> bytes:
    lines = b"X-Filler: " + b"x" * 989 + b"\n"
    missing = size - len(FROM) - 1
    filler = lines * (missing // len(lines) - 1)
    rest = missing - len(filler)
    return FROM + filler + b"X: " + b"y" * (rest - 4) + b"\n\n[8-B]\n"


def with_fields(count: int) -> bytes:
    return FROM + b"X: y\n" * (count - 1) + b"\n[8-B]\n"


def with_a_field_of(size: int) -> bytes:
    return FROM + b"X:" + b"y" * (size - 1) + b"\n\n[8-B]\n"


def with_parts(count: int) -> bytes:
    files = b"--b\nContent-Type: image/png\n\nx\n" * (count - 1)
    return FROM + MULTIPART + b"\n--b\n\n[8-B]\n" + files + b"--b--\n"


def nested(depth: int) -> bytes:
    opens = (
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth)
    )
    return FROM + b"".join(opens) + b"\n[8-B]\n"


def with_text(size: int) -> bytes:
    quote = b"> " + b"x" * 997 + b"\n"
    body = b"[8-B]\n" + quote * ((size - 6) // len(quote))
    return FROM + b"\n" + body + b"\n" * (size - len(body))


def with_tags(count: int) -> bytes:
    return FROM + b"Content-Type: text/html\n\n[8-B]" + b"<img>" * count


def with_lines(count: int) -> bytes:
    return FROM + b"\n[8-B]\n" + b"> \n" * (count - 2) + b">"


def with_a_line_of(length: int) -> bytes:
    return FROM + b"\n[8-B]\n> " + b"x" * (length - 2) + b"\n"


BY_SIZE: tuple[tuple[Callable[[int], bytes], int, str], ...] = (
    (of_size, size_limits.MAX_MAIL, "it is larger than 25 MiB"),
    (
        of_header_size,
        size_limits.MAX_HEADER,
        "its header is larger than 256 KiB or has more than 1000 fields",
    ),
    (
        with_fields,
        size_limits.MAX_FIELDS,
        "its header is larger than 256 KiB or has more than 1000 fields",
    ),
    (with_a_field_of, size_limits.MAX_VALUE, "a field of its header is larger than 64 KiB"),
    (with_parts, size_limits.MAX_PARTS, "it has more than 100 parts"),
    (nested, size_limits.MAX_DEPTH, "its parts are nested deeper than 10"),
    (with_text, size_limits.MAX_TEXT, "its text is larger than 1024 KiB"),
    (with_tags, size_limits.MAX_TAGS, "its HTML has more than 20000 tags"),
    (with_lines, size_limits.MAX_LINES, "its text has more than 10000 lines"),
    (with_a_line_of, size_limits.MAX_LINE, "a line of its text has more than 40000 characters"),
)


@pytest.mark.parametrize(
    ("mail", "most", "told"), BY_SIZE, ids=lambda value: getattr(value, "__name__", str(value)[:30])
)
def test_email_within_a_limit_is_read_and_one_over_it_reported(
    mail: Callable[[int], bytes], most: int, told: str
) -> None:
    within, over = read_message(mail(most)), read_message(mail(most + 1))

    assert within.excess is None
    assert within.text.strip().startswith("[8-B]")
    assert over.excess is not None
    assert ENGLISH.text(over.excess) == told
    assert over.from_address == "clara@mail.example"


@pytest.mark.parametrize(
    ("part", "told"),
    (
        (b"Content-Type: text/html\n\n" + b"<td>a" * 400, size_limits.TOO_MANY_TAGS),
        (b"\n" + b"x" * 20_000, size_limits.TOO_MUCH_TEXT),
    ),
)
def test_parts_share_the_limits_of_their_email(part: bytes, told: object) -> None:
    message = read_message(FROM + MULTIPART + b"\n" + (b"--b\n" + part + b"\n") * 60 + b"--b--\n")

    assert message.excess == told


def test_part_header_has_limits_too() -> None:
    part = b"--b\n" + b"X: y\n" * (size_limits.MAX_FIELDS + 1) + b"\n[8-B]\n--b--\n"

    assert read_message(FROM + MULTIPART + b"\n" + part).excess == size_limits.TOO_MANY_FIELDS


@pytest.mark.parametrize("count", (1, 50))
def test_as_many_moves_as_anybody_needs_are_read(count: int) -> None:
    requests = read_requests("[8-B]\n" * count, game_of("lanko-103"))

    assert sum(len(item) for item in requests.items) == count


@pytest.mark.parametrize("text", ("[8-B]\n" * 51, "[8-B] " * 51, "help\n" * 51))
def test_one_command_too_many_is_refused(text: str) -> None:
    with pytest.raises(RefusedError) as refused:
        read_requests(text, game_of("lanko-103"))

    assert refused.value.refusal == TooLarge(size_limits.TOO_MANY_REQUESTS)


def test_note_has_a_limit() -> None:
    assert read_requests("x" * size_limits.MAX_FRESH, None).note == ("x" * size_limits.MAX_FRESH,)
    with pytest.raises(RefusedError) as refused:
        read_requests("x" * (size_limits.MAX_FRESH + 1), None)

    assert refused.value.refusal == TooLarge(size_limits.TOO_MUCH_WRITTEN)
    assert (
        len(read_requests("a\n" * size_limits.MAX_FRESH_LINES, None).note)
        == size_limits.MAX_FRESH_LINES
    )
    with pytest.raises(RefusedError) as refused:
        read_requests("a\n" * (size_limits.MAX_FRESH_LINES + 1), None)

    assert refused.value.refusal == TooLarge(size_limits.TOO_MANY_WRITTEN_LINES)


def test_refusal_names_the_limit() -> None:
    text = (
        of_the_club()
        .written(
            RefusalMail(TooLarge(size_limits.TOO_MANY_PARTS), None),
            ClubName("pbem", ""),
            "Clara",
        )
        .text
    )

    assert "couldn't read all of your email: it has more than 100 parts." in " ".join(text.split())


def test_values_repeated_in_our_answers_are_cut() -> None:
    message = read_message(
        b"From: %b <clara@mail.example>\nSubject: %b\nMessage-ID: <%b@a>\nReferences: %b\n\n"
        % (b"n" * 5000, b"s" * 5000, b"i" * 5000, b" ".join(b"<%d@a>" % n for n in range(5000)))
    )

    assert message.from_name == "n" * 247 + "..."
    assert message.subject == "s" * 247 + "..."
    assert message.message_id == ""
    assert len(message.references) == size_limits.MAX_IDS
    assert (message.references[0], message.references[-1]) == ("<0@a>", "<4999@a>")


@pytest.mark.parametrize(
    ("header", "line"),
    (
        (b"", b"\r\n"),
        (b"Content-Transfer-Encoding: base64\n", b"QUFB\r\n"),
        (b"Content-Transfer-Encoding: quoted-printable\n", b"=\r\n"),
        (MULTIPART, b"--b\r\n\r\nx\r\n"),
        (b"X: y\n y", b"\n y"),
    ),
)
def test_email_takes_only_a_few_times_its_own_memory(header: bytes, line: bytes) -> None:
    """Otherwise a few large emails at once would kill a worker."""
    raw = FROM + header + b"\n" + line * (size_limits.MAX_MAIL // 8 // len(line))
    tracemalloc.start()
    try:
        identity(raw)
        read_message(raw)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 12 * len(raw)
