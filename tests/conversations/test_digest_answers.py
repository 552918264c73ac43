"""Answers to a digest: several matches in one email, each played or refused by itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.inbox.explain import explain
from pbem.ports.inbound import InboundState
from pbem.service.play.talk import A_DAY
from pbem.service.takeovers.change import hand_to_bot
from pbem.service.work import writing
from tests.conversations.house import House, Person, Received
from tests.conversations.tapping import links_of, taps
from tests.support.more_games import more_games
from tests.toys.pocket_games import FAMILY


@pytest.fixture
def anna(house: House) -> Person:
    return house.player("Anna", mails="digest 07:30")


@pytest.fixture
def bert(house: House) -> Person:
    return house.player("Bert")


@pytest.fixture
def nim() -> Iterator[None]:
    """A game with few moves, all of which a digest offers as taps."""
    with more_games(nim=FAMILY):
        yield


def digest_of(house: House, person: Person) -> Received:
    """Let a member ask for a digest, and return it."""
    person.receives()
    person.says("digest", quoting=False)
    house.works()
    return person.receives()[-1]


def waiting(house: House, anna: Person, bert: Person, number: int) -> Received:
    """Start matches in which it is Anna's turn, and return her digest of them."""
    for _ in range(number):
        house.match("lancelot", anna, bert)
    return digest_of(house, anna)


def answered(
    house: House, person: Person, text: str, to: Received, *, quoting: bool = True
) -> Received:
    """Send an answer, and return the only email that answers it."""
    person.says(text, to, quoting=quoting)
    house.works()
    [mail] = person.receives()
    return mail


def flat(mail: Received) -> str:
    return " ".join(mail.text.split())


NINETEEN = [f"match {number}:\nE5" for number in range(1, 20)]


def test_mistake_in_one_of_twenty_matches_leaves_nineteen_played(
    house: House, anna: Person, bert: Person
) -> None:
    digest = waiting(house, anna, bert, 20)
    bert.receives()
    mail = answered(house, anna, "\n\n".join([*NINETEEN, "match 20:\nE99"]), digest)

    assert [house.moves(number) for number in range(1, 21)] == [["E5"]] * 19 + [[]]
    assert mail.text.count("Thank you, Anna. Done: E5") == 19
    assert "E99 because there is no square E99" in flat(mail)
    assert "There are 64 legal moves" in mail.text
    assert len(bert.receives()) == 19


@pytest.mark.usefixtures("nim")
def test_half_of_twenty_matches_are_answered_by_taps(
    house: House, anna: Person, bert: Person
) -> None:
    for _ in range(20):
        house.match("nim", anna, bert)
    digest = digest_of(house, anna)
    for number in range(1, 11):
        taps(anna, next(x for x in links_of(digest) if x.body == f"match {number}:\r\ntake 3\r\n"))
    house.works()
    assert all("Done: take 3" in each.text for each in anna.receives())
    answered(house, anna, "\n".join(f"match {n}\ntake 2" for n in range(11, 21)), digest)

    assert [house.moves(number) for number in range(1, 21)] == [["take 3"]] * 10 + [["take 2"]] * 10


def test_answer_about_one_match_gets_the_email_of_that_match(
    house: House, anna: Person, bert: Person
) -> None:
    digest = waiting(house, anna, bert, 2)
    mail = answered(house, anna, "match 2:\nE5\n\nGood luck, Bert!", digest)

    assert "[pbem 2]" in mail.message["Subject"]
    assert (house.moves(1), house.moves(2)) == ([], ["E5"])
    assert "| Good luck, Bert!" in bert.receives()[-1].text


def test_blocks_are_found_inside_the_quote(house: House, anna: Person, bert: Person) -> None:
    digest = waiting(house, anna, bert, 3)
    quoted = [f"> {line}".rstrip() for line in digest.text.splitlines()]
    for number in (2, 3):
        at = next(i for i, line in enumerate(quoted) if line.startswith(f"> Match {number}:"))
        quoted[at + 2 : at + 2] = ["", f"E{number + 4}", ""]
    answered(house, anna, "\n".join(quoted), digest, quoting=False)

    assert [house.moves(number) for number in (1, 2, 3)] == [[], ["E6"], ["E7"]]


def test_move_without_a_heading_is_for_the_only_match_that_waits(
    house: House, anna: Person, bert: Person
) -> None:
    digest = waiting(house, anna, bert, 1)
    answered(house, anna, "E5", digest)

    assert house.moves() == ["E5"]


def test_move_without_a_heading_is_not_guessed(house: House, anna: Person, bert: Person) -> None:
    digest = waiting(house, anna, bert, 2)
    asked = answered(house, anna, "E5", digest)
    answered(house, anna, "match 1:\nE5", digest)
    again = answered(house, anna, "E6", digest)
    both = answered(house, anna, "E6\n\nmatch 2:\nE7\n", digest)

    assert "Please send your text below a line with the match, for example: match 1:" in flat(asked)
    assert "which match do you mean?" in flat(again)
    assert "which match do you mean?" in flat(both)
    assert (house.moves(1), house.moves(2)) == (["E5"], ["E7"])


def test_commands_of_the_member_are_a_block_of_their_own(
    house: House, anna: Person, bert: Person
) -> None:
    digest = waiting(house, anna, bert, 2)
    text = "Dear club,\nset board ascii\n\nmatch 1:\nE5\n\nmatch 2:\nE99"
    mail = answered(house, anna, text, digest)

    assert "did not pass these lines on: | Dear club," in flat(mail)
    assert house.moves(1) == ["E5"]
    assert "set board ascii" in flat(answered(house, anna, "settings", mail))


def test_greeting_above_the_blocks_goes_to_nobody(house: House, anna: Person, bert: Person) -> None:
    digest = waiting(house, anna, bert, 2)
    bert.receives()
    mail = answered(house, anna, "Good morning!\n\nmatch 1:\nE5\n\nmatch 2\nE5", digest)

    assert "I did not pass on these lines" in flat(mail)
    assert "| Good morning!" in mail.text
    assert not any("Good morning" in each.text for each in bert.receives())


def test_match_that_has_moved_on_accepts_nothing(house: House, anna: Person, bert: Person) -> None:
    digest = waiting(house, anna, bert, 2)
    answered(house, anna, "match 1:\nE5", digest)
    bert.receives()
    bert.says("F6", [each for each in bert.read if "[pbem 1]" in each.message["Subject"]][-1])
    house.works()
    mail = answered(house, anna, "match 1:\nE6\nHello\n\nmatch 2:\nE5", digest)

    assert "this match has moved on since the email you answered" in flat(mail)
    assert (house.moves(1), house.moves(2)) == (["E5", "F6"], ["E5"])
    answered(house, anna, "match 1:\nE6", mail)
    assert house.moves(1) == ["E5", "F6", "E6"]


def test_match_that_the_digest_does_not_show_accepts_nothing(
    house: House, anna: Person, bert: Person
) -> None:
    digest = waiting(house, anna, bert, 1)
    house.match("lancelot", anna, bert)
    house.match("lancelot", bert, house.player("Clara"))
    mail = answered(house, anna, "match 1:\nE5\n\nmatch 2:\nE5\n\nmatch 3\nE5", digest)

    assert "I did nothing about match 2, because the email" in flat(mail)
    assert "I did nothing about match 3, because the email" in flat(mail)
    assert [house.moves(number) for number in (1, 2, 3)] == [["E5"], [], []]


def test_resigning_takes_an_email_of_its_own(house: House, anna: Person, bert: Person) -> None:
    digest = waiting(house, anna, bert, 2)
    mail = answered(house, anna, "match 1:\nresign\n\nmatch 2:\nE5", digest)
    assert house.moves(2) == ["E5"]
    [link] = [each for each in links_of(mail) if each.label == "resign"]
    taps(anna, link)
    house.works()
    [question] = anna.receives()
    answered(house, anna, "confirm", question)

    assert house.state(1).result is not None


def test_same_answer_is_carried_out_once(house: House, anna: Person, bert: Person) -> None:
    digest = waiting(house, anna, bert, 2)
    text = "match 1:\nE5\n\nmatch 2:\nE99"
    sent = anna.says(text, digest)
    house.works()
    anna.receives()
    bert.receives()
    anna.sends(sent.as_bytes(), str(sent["To"]))
    house.works()

    assert (anna.receives(), bert.receives(), house.moves(1)) == ([], [], ["E5"])
    assert len(house.inbound(InboundState.DUPLICATE)) == 1


def test_notes_go_to_their_matches(house: House, anna: Person, bert: Person) -> None:
    clara = house.player("Clara")
    house.match("lancelot", anna, clara)
    digest = waiting(house, anna, bert, 1)
    bert.receives()
    clara.receives()
    answered(house, anna, "match 1:\nE5\n\nDear Clara\n\nmatch 2:\nE5\n\nDear Bert", digest)

    [to_bert], [to_clara] = bert.receives(), clara.receives()
    assert "| Dear Bert" in to_bert.text
    assert "| Dear Clara" in to_clara.text
    assert "Clara" not in to_bert.text
    assert "Bert" not in to_clara.text


def test_talk_goes_to_the_match_of_its_block(house: House, anna: Person, bert: Person) -> None:
    clara = house.player("Clara")
    house.match("lancelot", anna, clara)
    digest = waiting(house, anna, bert, 1)
    bert.receives()
    clara.receives()
    answered(house, anna, "match 1:\nsay Dear Clara\n\nmatch 2:\nE5\nsay Dear Bert", digest)

    [to_bert], [to_clara] = bert.receives(), clara.receives()
    assert "Dear Bert" in to_bert.text
    assert "Dear Clara" in to_clara.text
    assert "Clara" not in to_bert.text
    assert house.moves(1) == []


def test_plans_and_previews_work_in_blocks(house: House, anna: Person, bert: Person) -> None:
    digest = waiting(house, anna, bert, 2)
    text = "match 1:\nE5\nif F6 then E6\n\nmatch 2:\npreview E5 F6"
    mail = answered(house, anna, text, digest)
    assert (house.moves(1), house.moves(2)) == (["E5"], [])
    assert "if F6 then E6" in mail.text
    bert.receives()
    bert.says("F6", [each for each in bert.read if "[pbem 1]" in each.message["Subject"]][-1])
    house.works()

    assert house.moves(1) == ["E5", "F6", "E6"]


def test_answer_at_once_is_in_the_same_email(house: House, anna: Person, bert: Person) -> None:
    digest = waiting(house, anna, bert, 2)
    bert.receives()
    bert.says("if E5 then F6", bert.read[-1])
    house.works()
    mail = answered(house, anna, "match 1:\nE5\n\nmatch 2:\nE5", digest)

    assert house.moves(2) == ["E5", "F6"]
    assert "It is your turn as Red, turn 3." in mail.text
    answered(house, anna, "match 2:\nE6", mail)
    assert house.moves(2) == ["E5", "F6", "E6"]


def test_answer_can_be_answered_about_the_other_matches(
    house: House, anna: Person, bert: Person
) -> None:
    digest = waiting(house, anna, bert, 4)
    mail = answered(house, anna, "match 1:\nE5\n\nmatch 2:\nE99", digest)
    again = answered(house, anna, "match 2:\nE5\n\nmatch 3:\nE5", mail)
    answered(house, anna, "match 4:\nE5", again)

    assert [house.moves(number) for number in range(1, 5)] == [["E5"]] * 4


def test_player_whose_seat_a_bot_keeps_is_back_by_a_block(
    house: House, anna: Person, bert: Person
) -> None:
    for _ in range(2):
        house.match("lancelot", bert, anna)
    for mail in bert.receives():
        bert.says("E5", mail)
    house.works()
    digest = digest_of(house, anna)
    assert anna.player is not None
    with writing(house.club) as work:
        hand_to_bot(work, work.matches.lock(1), anna.player, work.now)
    anna.says("match 1:\nF6\n\nmatch 2:\nF6", digest)
    house.works()

    assert (house.moves(1), house.moves(2)) == (["E5", "F6"], ["E5", "F6"])
    assert set(house.names(1).values()) == {"Anna", "Bert"}


# Proof


def test_answer_to_the_club_itself_is_for_the_digest_in_its_header(
    house: House, anna: Person, bert: Person
) -> None:
    digest = waiting(house, anna, bert, 3)
    mail = answered(house, anna, "match 1:\nE5\n\nmatch 2:\nE99", digest)
    thread = [("References", f"{digest.message_id} {mail.message_id}")]
    text = "match 2:\nE5\n\nmatch 3:\nE5"
    anna.says(
        text,
        mail,
        recipient=house.address,
        references=False,
        headers=[*thread, ("In-Reply-To", mail.message_id)],
    )
    house.works()

    assert [house.moves(number) for number in (1, 2, 3)] == [["E5"]] * 3


def test_digest_shown_to_others_proves_nothing(house: House, anna: Person, bert: Person) -> None:
    digest = waiting(house, anna, bert, 2)
    anna.says(
        "Look!", digest, recipient="bert@mail.example", headers=[("Cc", "club@games.example")]
    )
    anna.says("match 1:\nE99", digest, headers=[("Cc", "bert@mail.example")])
    house.works()
    anna.receives()
    text = "match 1:\nE5\n\nmatch 2:\nE5"
    bert.says(text, digest, sender="Anna <anna@mail.example>")
    house.works()
    [mail] = anna.receives()
    assert "I can't be sure that you sent this" in flat(mail)
    assert (house.moves(1), house.moves(2)) == ([], [])
    answered(house, anna, text, mail)

    assert (house.moves(1), house.moves(2)) == (["E5"], ["E5"])


@pytest.mark.parametrize("quote", ("", "> "))
def test_note_like_a_heading_moves_nothing_to_another_match(
    house: House, anna: Person, bert: Person, quote: str
) -> None:
    for _ in range(2):
        house.match("lancelot", bert, anna)
    first, second = bert.receives()
    bert.says("E5", second)
    bert.says("E5\n\nHello\n\nMatch 2: Lancelot, Bert", first)
    house.works()
    digest = digest_of(house, anna)
    quoted = [f"{quote}{line}".rstrip() for line in digest.text.splitlines()]
    at = next(i for i, line in enumerate(quoted) if line == f"{quote}| Match 2: Lancelot, Bert")
    quoted[at + 1 : at + 1] = ["", "F6", ""]
    mail = answered(house, anna, "\n".join(quoted), digest, quoting=False)

    assert house.moves(2) == ["E5"]
    assert house.moves(1) == ["E5", "F6"] or "which match do you mean?" in flat(mail)


def test_digest_of_another_player_proves_nothing(house: House, anna: Person, bert: Person) -> None:
    digest = waiting(house, anna, bert, 2)
    bert.receives()
    bert.says("match 1:\nE5\n\nmatch 2:\nE5", digest)
    house.works()

    assert (house.moves(1), house.moves(2)) == ([], [])


@pytest.mark.parametrize("word", ("draw", "no draw"))
def test_digest_is_not_the_newest_email_after_another(
    house: House, anna: Person, bert: Person, word: str
) -> None:
    digest = waiting(house, anna, bert, 2)
    house.clock.advance(minutes=1)
    bert.receives()
    bert.says("draw?", [each for each in bert.read if "[pbem 1]" in each.message["Subject"]][-1])
    house.works()
    [offer] = anna.receives()
    old = answered(house, anna, f"match 1:\n{word}\n\nmatch 2:\nE5", digest)

    assert house.state(1).offers != ()
    assert house.moves(2) == ["E5"]
    assert "newer" in old.text or "older" in old.text
    assert offer.kind


def test_log_and_explanation_name_each_block(house: House, anna: Person, bert: Person) -> None:
    digest = waiting(house, anna, bert, 2)
    sent = anna.says("match 1:\nE5\n\nmatch 2:\nE99", digest)
    shown = explain(house.club, sent.as_bytes())

    assert shown["fate"] == "done"
    assert [(each["match"]["id"], each["fate"], each["played"]) for each in shown["blocks"]] == [
        (1, "done", ["E5"]),
        (2, "refused", []),
    ]


def test_block_that_turns_out_impossible_leaves_the_others(
    house: House, anna: Person, bert: Person
) -> None:
    digest = waiting(house, anna, bert, 4)
    bert.receives()
    text = "match 1:\nE5\n\nmatch 2:\nunsay\n\nmatch 3:\nE7\n\nmatch 4:\nE8\nunsay"
    mail = answered(house, anna, text, digest)

    assert [house.moves(number) for number in (1, 2, 3, 4)] == [["E5"], [], ["E7"], []]
    assert mail.text.count("Thank you, Anna. Done:") == 2
    assert len(bert.receives()) == 2


def test_limit_on_talk_refuses_only_its_block(house: House, anna: Person, bert: Person) -> None:
    digest = waiting(house, anna, bert, 2)
    for number in range(A_DAY):
        answered(house, anna, f"match 2:\nsay hello {number}", digest)
    mail = answered(house, anna, "match 1:\nE5\n\nmatch 2:\nE6\nsay hello", digest)

    assert [house.moves(number) for number in (1, 2)] == [["E5"], []]
    assert f"you have said something {A_DAY} times in this match" in flat(mail)


def test_match_that_ended_in_the_digest_can_be_answered(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lancelot", bert, anna, days=20)
    house.match("lancelot", anna, bert, days=20)
    house.resigns(bert, match=1)
    digest = digest_of(house, anna)
    assert "The match is over." in digest.text
    bert.receives()
    answered(house, anna, "match 1:\nsay Good game!\n\nmatch 2:\nE5", digest)

    assert any("| Good game!" in each.text for each in bert.receives())
    assert house.moves(2) == ["E5"]


def test_older_email_is_not_the_newest_after_a_digest(
    house: House, anna: Person, bert: Person
) -> None:
    house.match("lancelot", bert, anna, days=20)
    turn = answered(house, bert, "E5", bert.receives()[-1])
    answered(house, bert, "set mails digest 07:30", turn)
    answered(house, anna, "E6", digest_of(house, anna))
    assert "E6" in digest_of(house, bert).text
    refused = answered(house, bert, "draw?", turn)
    assert "you answered an older email" in flat(refused)
    assert house.state().offers == ()
    answered(house, bert, "draw?", refused)
    assert [each.kind for each in house.state().offers] == ["draw"]


@pytest.mark.parametrize("word", ("memo", "tell bert", "say"))
def test_heading_inside_a_text_sends_the_rest_to_nobody(
    house: House, anna: Person, bert: Person, word: str
) -> None:
    digest = waiting(house, anna, bert, 3)
    bert.receives()
    text = f"{word} My idea, as in\nmatch 2: the trick\nis a sacrifice\nend"
    mail = answered(house, anna, f"match 1:\nE5\n{text}\nmatch 2:\nE6\nmatch 3:\nE5", digest)
    assert [house.moves(number) for number in (1, 2, 3)] == [[], [], ["E5"]]
    assert flat(mail).count("looks like the heading of a match") == 2
    assert "sacrifice" not in "".join(each.text for each in bert.receives())


def test_words_beside_a_heading_are_named_as_unread(
    house: House, anna: Person, bert: Person
) -> None:
    digest = waiting(house, anna, bert, 2)
    mail = answered(house, anna, "match 1: nice one!\nE5\nmatch 2:\nE5", digest)
    assert [house.moves(number) for number in (1, 2)] == [["E5"], ["E5"]]
    assert "nice one!" in mail.text


def test_director_reads_no_memo_or_told_text_beside_a_heading(
    house: House, anna: Person, bert: Person
) -> None:
    digest = waiting(house, anna, bert, 2)
    for number in range(40):
        wrong = f"cancel plan {number + 2}"
        anna.says(f"match 1: memo secret\n{wrong}\n\n* Match 2: tell bert secret\n{wrong}", digest)
        house.works()
    house.director.receives()
    assert house.director.read, "the director learns of emails that change nothing"
    assert not any("secret" in each.text for each in house.director.read)


@pytest.mark.parametrize(
    "text",
    ("match 2:\nE5", "match 2: E5", "Match 2: Lancelot, Bert\n\nE5", "E5\n\n*match 2:*\nsay Hello"),
)
def test_text_below_the_heading_of_another_match_is_not_for_this_one(
    house: House, anna: Person, bert: Person, text: str
) -> None:
    for _ in range(2):
        house.match("lancelot", bert, anna)
    turn = next(each for each in bert.receives() if "[pbem 1]" in each.message["Subject"])
    refused = answered(house, bert, text, turn)

    assert (house.moves(1), house.moves(2)) == ([], [])
    assert "I did nothing about match 2, because the email you answered does not" in flat(refused)
    assert anna.receives() == []


def test_heading_of_the_answered_match_is_no_note(house: House, anna: Person, bert: Person) -> None:
    house.match("lancelot", anna, bert)
    answered(house, anna, "match 1: E5", digest_of(house, anna))
    answered(house, bert, "match 1: E6\n\nsay Hello\nmatch 2:\nend", bert.receives()[-1])

    assert house.moves() == ["E5", "E6"]
    digest = digest_of(house, anna)
    assert "| Hello | match 2:" in flat(digest)
    assert "match 1:\n" not in digest.text.partition("\nMatch 1:")[2]
