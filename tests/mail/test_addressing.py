"""Tokens, and the addresses and Message-IDs that contain them."""

import base64

import pytest
from hypothesis import given, strategies as st

from pbem.inbox.proof.exposure import traces_in
from pbem.mail.addresses.addressing import (
    ReplyToken,
    TokenSigner,
    bounce_address,
    bounce_keys,
    message_id,
    reply_address,
    tokens_in,
    with_unique,
    without_secrets,
)
from pbem.mail.message.message import Message, read_message
from pbem.mail.topic import Holder, MatchTopic, MembershipTopic, QuestionTopic, Topic

CLUB = "club@games.example"
ANNA, BERT = 1, 2
OLD, NEW = b"an old secret of the club", b"a new secret of the club"


@pytest.fixture
def signer() -> TokenSigner:
    return TokenSigner({1: OLD, 2: NEW}, current=2)


def mail(*header: str) -> Message:
    return read_message("\n".join((*header, "", "[8-B]")).encode())


# Proof


def test_a_token_proves_its_player(signer: TokenSigner) -> None:
    token = signer.token(MatchTopic(12, 15, "N"), ANNA)

    assert token.topic == MatchTopic(12, 15, "n")
    assert signer.proves(token, ANNA)
    assert not signer.proves(token, BERT)


def _found(token: str) -> ReplyToken:
    """Return a token as it appears in an address."""
    (found,) = tokens_in(mail(f"To: club+{token}@games.example"), (CLUB,))
    return found


def test_token_is_the_same_each_time(signer: TokenSigner) -> None:
    assert signer.token(MatchTopic(12, 15, "n"), ANNA) == signer.token(
        MatchTopic(12, 15, "N"), ANNA
    )


@pytest.mark.parametrize(
    "change",
    ({"match": 13}, {"turn": 16}, {"seat": "s"}, {"mac": "a" * 16}),
    ids=str,
)
def test_changed_token_proves_nothing(signer: TokenSigner, change: dict[str, object]) -> None:
    token = signer.token(MatchTopic(12, 15, "N"), ANNA)
    parts = {"match": 12, "turn": 15, "seat": "n", "mac": token.mac, **change}

    assert not signer.proves(_found("{match}-{turn}-{seat}-{mac}".format(**parts)), ANNA)


def test_neighbouring_numbers_are_told_apart(signer: TokenSigner) -> None:
    assert (
        signer.token(MatchTopic(1, 21, "n"), 1).mac != signer.token(MatchTopic(12, 1, "n"), 1).mac
    )


def test_older_secret_proves_while_it_is_kept(signer: TokenSigner) -> None:
    token = TokenSigner({1: OLD}, current=1).token(MatchTopic(12, 15, "N"), ANNA)

    assert signer.proves(token, ANNA)
    assert not TokenSigner({2: NEW}, current=2).proves(token, ANNA)


def test_secret_is_bound_to_its_version() -> None:
    token = TokenSigner({1: OLD}, current=1).token(MatchTopic(12, 15, "N"), ANNA)

    assert not TokenSigner({2: OLD}, current=2).proves(token, ANNA)


def test_signer_without_its_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="version 3"):
        TokenSigner({1: OLD}, current=3)
    with pytest.raises(ValueError, match="empty"):
        TokenSigner({1: b""}, current=1)


def test_secrets_are_not_printed(signer: TokenSigner) -> None:
    assert "secret" not in repr(signer)


@pytest.mark.parametrize(
    ("topic", "holder", "token"),
    (
        (MatchTopic(12, 17, "n"), 1, "12-17-n-irpqbiwevefxukvf"),
        (MatchTopic(1, 0, "WHITE"), 250, "1-0-white-zq5ew4vh4n2igoz7"),
        (MatchTopic(999_999_999, 1, "yellow"), 3, "999999999-1-yellow-pfmlehjsm2hebr3f"),
        (MembershipTopic(7), 7, "m7-cheuluaitzcor7j4"),
        (QuestionTopic(31), 7, "q31-ne72j46tdmxlb37y"),
        (QuestionTopic(31), "Eve@Mail.example", "q31-iu5vnukgzpqln2ay"),
    ),
)
def test_tokens_in_old_emails_still_count(
    signer: TokenSigner, topic: Topic, holder: Holder, token: str
) -> None:
    """Tokens from earlier releases, or from this one for new topics."""
    assert str(signer.token(topic, holder)) == token
    assert signer.proves(_found(token), holder)


def test_token_proves_only_its_reader_and_topic(signer: TokenSigner) -> None:
    topics: tuple[Topic, ...] = (MatchTopic(7, 7, "n"), MembershipTopic(7), QuestionTopic(7))
    holders: tuple[Holder, ...] = (7, "7", "eve@mail.example", "eve@mail.exampl")
    tokens = [
        (topic, holder, signer.token(topic, holder)) for topic in topics for holder in holders
    ]
    assert len({token.mac for _, _, token in tokens}) == len(tokens)
    for topic, holder, token in tokens:
        proven = [other for other in holders if signer.proves(token, other)]
        assert (token.topic, proven) == (topic, [holder])
    assert signer.proves(tokens[-2][2], "EVE@mail.example")


# Addresses


def test_reply_address_contains_the_token(signer: TokenSigner) -> None:
    token = signer.token(MatchTopic(12, 15, "N"), ANNA)

    assert reply_address(CLUB, token) == f"club+12-15-n-{token.mac}@games.example"
    assert len(token.mac) == 16
    assert set(token.mac) <= set("abcdefghijklmnopqrstuvwxyz234567")


def test_local_part_over_64_bytes_is_refused(signer: TokenSigner) -> None:
    token = signer.token(MatchTopic(12, 15, "N"), ANNA)
    room = 64 - len(f"+{token}")

    assert reply_address("c" * room + "@games.example", token)
    with pytest.raises(ValueError, match="too long"):
        reply_address("c" * (room + 1) + "@games.example", token)


def test_message_id_contains_the_token(signer: TokenSigner) -> None:
    token = signer.token(MatchTopic(12, 15, "N"), ANNA)

    assert message_id(token, "4711", "games.example") == f"<{token}.4711@games.example>"


@pytest.mark.parametrize(
    "header",
    (
        "To: {}",
        "To: Bert <bert@mail.example>, <{}>",
        'To: "pbem, your turn" <{}>',
        "To: '{}'",
        "Cc: {}",
        "Delivered-To: {}",
        "X-Original-To: <{}>",
    ),
)
@pytest.mark.parametrize("club", (CLUB, "My.Club+games@games.example"))
@pytest.mark.parametrize("change", (str, str.upper, str.title))
def test_token_is_found_in_the_recipients(
    signer: TokenSigner, header: str, club: str, change: type[str]
) -> None:
    token = signer.token(MatchTopic(12, 15, "N"), ANNA)

    found = tokens_in(mail(header.format(change(reply_address(club, token)))), (club,))

    assert found == (token,)
    assert signer.proves(found[0], ANNA)


@pytest.mark.parametrize(
    "address",
    (
        "club@games.example",
        "club+@games.example",
        "club+12-15-n-k3v7q2mzt4hwa6xd@mail.example",
        "klub+12-15-n-k3v7q2mzt4hwa6xd@games.example",
        "my+club+12-15-n-k3v7q2mzt4hwa6xd@games.example",
        "club+my+12-15-n-k3v7q2mzt4hwa6xd@games.example",
        "club+12-15-n-k3v7q2mzt4hwa6x@games.example",
        "club+12-15-n-k3v7q2mzt4hwa6xdd@games.example",
        "club+12-15-n-k3v7q2mzt4hwa6x1@games.example",
        "club+12-15-k3v7q2mzt4hwa6xd@games.example",
        "club+-12-15-n-k3v7q2mzt4hwa6xd@games.example",
        "club+9999999999-15-n-k3v7q2mzt4hwa6xd@games.example",
        "club+١٢-15-n-k3v7q2mzt4hwa6xd@games.example",
        "club-12-15-n-k3v7q2mzt4hwa6xd@games.example",
    ),
)
def test_other_addresses_have_no_token(address: str) -> None:
    assert tokens_in(mail(f"To: {address}"), (CLUB,)) == ()


def test_repeated_token_counts_once(signer: TokenSigner) -> None:
    address = reply_address(CLUB, signer.token(MatchTopic(12, 15, "N"), ANNA))

    assert len(tokens_in(mail(f"To: {address}", f"Delivered-To: {address.upper()}"), (CLUB,))) == 1


def test_tokens_of_two_matches_are_both_found(signer: TokenSigner) -> None:
    one, two = (
        signer.token(MatchTopic(12, 15, "N"), ANNA),
        signer.token(MatchTopic(13, 1, "S"), ANNA),
    )
    header = f"To: {reply_address(CLUB, one)}, {reply_address(CLUB, two)}"

    assert tokens_in(mail(header), (CLUB,)) == (one, two)


def test_references_count_if_the_plus_address_was_lost(signer: TokenSigner) -> None:
    tokens = [signer.token(MatchTopic(12, turn, "N"), ANNA) for turn in (3, 9, 15)]
    ids = [message_id(token, "u1", "games.example") for token in tokens]
    answered, thread = f"In-Reply-To: {ids[1]}", f"References: {' '.join(ids)}"

    assert tokens_in(mail("To: club@games.example", thread), (CLUB,)) == tuple(reversed(tokens))
    assert tokens_in(mail(answered, thread), (CLUB,)) == (tokens[1], tokens[2], tokens[0])


def test_references_do_not_count_beside_a_plus_address(signer: TokenSigner) -> None:
    one, two = (
        signer.token(MatchTopic(12, 15, "N"), ANNA),
        signer.token(MatchTopic(13, 1, "S"), ANNA),
    )
    reference = message_id(two, "u1", "games.example")

    found = tokens_in(mail(f"To: {reply_address(CLUB, one)}", f"References: {reference}"), (CLUB,))

    assert found == (one,)


def test_host_of_a_reference_may_have_changed(signer: TokenSigner) -> None:
    token = signer.token(MatchTopic(12, 15, "N"), ANNA)
    reference = message_id(token, "u1", "old-host.example").upper()

    assert tokens_in(mail(f"In-Reply-To: {reference}"), (CLUB,)) == (token,)


def test_other_references_have_no_token() -> None:
    references = (
        "<12-15-n-k3v7q2mzt4hwa6xdd.u@a> <x.12-15-n-k3v7q2mzt4hwa6xd@a> <CAF=x@mail.example>"
    )

    assert tokens_in(mail(f"References: {references}"), (CLUB,)) == ()


TOPICS = st.one_of(
    st.builds(
        MatchTopic,
        st.integers(1, 10**9 - 1),
        st.integers(0, 10**9 - 1),
        st.sampled_from(("S", "white", "yellow")),
    ),
    st.builds(MembershipTopic, st.integers(1, 10**9 - 1)),
    st.builds(QuestionTopic, st.integers(1, 10**9 - 1)),
)


@given(
    topic=TOPICS,
    holder=st.one_of(
        st.integers(1, 10**9), st.sampled_from(("Eve@mail.example", "żółw@x.example"))
    ),
)
def test_every_token_is_read_back(topic: Topic, holder: Holder) -> None:
    signer = TokenSigner({7: OLD}, current=7)
    token = signer.token(topic, holder)

    by_address = tokens_in(mail(f"To: {reply_address(CLUB, token)}"), (CLUB,))
    by_reference = tokens_in(mail(f"References: {message_id(token, 'u', 'a.example')}"), (CLUB,))
    text = f"to {reply_address(CLUB, token)} =2B{token} <{message_id(token, 'u', 'a.example')}>"

    assert by_address == by_reference == traces_in(b"", text).tokens == (token,)
    assert signer.proves(by_address[0], holder)
    assert token.mac not in without_secrets(text)


SHOWN = TokenSigner({1: OLD}, current=1).token(MatchTopic(12, 15, "N"), 1)
LINK = f"mailto:club%2B{SHOWN}@games.example?subject=Re%3A&body=resign%0D%0A"


@pytest.mark.parametrize(
    ("encoding", "content"),
    (
        ("7bit", f'<a href="{LINK}">resign</a>'),
        ("7bit", f"<a href='https://safe.example/?u={LINK.replace('%', '%25')}'>resign</a>"),
        ("7bit", f'<a href="{LINK.replace("-", "%2d")}">resign</a>'),
        ("quoted-printable", f'<a href=3D"{LINK[:30]}=\r\n{LINK[30:]}">resign</a>'),
        ("quoted-printable", f'<a href=3D"{LINK.replace("-", "=2D")}">resign</a>'),
        ("7bit", f"> resign\r\n> <{LINK[:30]}\r\n> {LINK[30:]}>"),
        ("base64", f'<a href="{LINK}">resign</a>'),
        ('"base64"', f'<a href="{LINK}">resign</a>'),
        ("\r\n base64", f"> resign\r\n> <{LINK[:30]}\r\n> {LINK[30:]}>"),
        ("7bit", f'{str(SHOWN).replace("n-", "w-")} <a href="{LINK}">resign</a>'),
        ("7bit", f'<a href="{LINK.replace("15", "14")}">a</a> ' * 600 + LINK),
    ),
)
def test_token_in_a_link_is_found_however_clients_write_it(encoding: str, content: str) -> None:
    data = content.encode()
    body = base64.encodebytes(data) if "base64" in encoding else data
    head = f"Content-Type: text/html\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    assert SHOWN in traces_in(head.encode() + body, "resign").tokens


# Bounce addresses


def test_bounce_key_is_found_in_any_recipient_field() -> None:
    address = bounce_address(CLUB, "0123456789abcdef0123")
    assert address == "club+b-0123456789abcdef0123@games.example"
    for field in ("To", "Delivered-To", "X-Original-To", "Envelope-To"):
        assert bounce_keys(mail(f"{field}: <{address.upper()}>"), (CLUB,)) == (
            "0123456789abcdef0123",
        )


@pytest.mark.parametrize(
    "address",
    (CLUB, "club+b-@games.example", "club+b-x!@games.example", "club+b-u7@elsewhere.example"),
)
def test_other_addresses_have_no_bounce_key(address: str) -> None:
    assert bounce_keys(mail(f"To: {address}"), (CLUB,)) == ()


def test_email_to_a_bounce_address_has_no_token(signer: TokenSigner) -> None:
    token = signer.token(MatchTopic(12, 15, "n"), ANNA)
    answered = f"In-Reply-To: {message_id(token, 'u1', 'games.example')}"
    assert tokens_in(mail(answered), (CLUB,)) == (token,)
    assert tokens_in(mail(f"To: {bounce_address(CLUB, 'u1')}", answered), (CLUB,)) == ()
    reply_to = reply_address(CLUB, token)
    assert tokens_in(mail(f"To: {reply_to}, {bounce_address(CLUB, 'u1')}"), (CLUB,)) == ()


@pytest.mark.parametrize(
    ("first", "again"),
    (("<12-15-n-abc.u1@games.example>", "<12-15-n-abc.u9@games.example>"), ("<u1@h>", "<u9@h>")),
)
def test_email_to_another_address_gets_another_message_id(first: str, again: str) -> None:
    assert with_unique(first, "u9") == again
