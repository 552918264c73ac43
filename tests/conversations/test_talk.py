"""`say`, `tell`, `memo`, `mute`, `unsay`: what players say beside their turns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.archive.site.values import Site
from pbem.cli.membership import ABOUT
from pbem.service.club import Room
from pbem.service.play.talk import A_DAY
from pbem.service.reading_room.publish import publish_room
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person, Received
from tests.conversations.test_blind_match import named, whole
from tests.conversations.test_directors_mail import director
from tests.conversations.test_partners_notes import flat, four, moves
from tests.fakes.archive import FakeArchive

SECRET = "Walnuts are my plan."


def three(house: House, chosen: str = "", mails: str = "usual") -> list[Person]:
    """Anna, Bert and Clara, each for themselves. Anna moves first."""
    people = [house.player(name, mails=mails) for name in ("Anna", "Bert", "Clara")]
    house.match("lancelot", *people, chosen=chosen)
    for person in people:
        person.receives()
    return people


def says(house: House, person: Person, text: str, to: Received | None = None) -> str:
    """Let somebody send an email. Return all they get."""
    person.receives()
    person.says(text, to, quoting=False)
    house.works()
    return flat(person.receives())


def ends(house: House, *losers: Person) -> None:
    """End match 1."""
    house.resigns(*losers)
    assert house.state().result is not None


# say


@pytest.mark.parametrize("mails", ("all", "turn"))
def test_say_reaches_the_table_at_once_out_of_turn(house: House, mails: str) -> None:
    anna, bert, clara = three(house, mails=mails)
    assert "I'm sending this to the other players at once: | Hello!" in says(
        house, bert, "say Hello!"
    )
    [to_anna] = anna.receives()
    assert "Bert says:\n\n| Hello!\n" in to_anna.text
    assert "It is your turn." in to_anna.text
    assert "Bert says: | Hello!" in flat(clara.receives())
    assert "F5" in says(house, anna, "F5"), "an answer to it can be a move"
    assert house.moves() == ["F5"]


def test_say_with_a_move_comes_in_the_same_email(house: House) -> None:
    anna, bert, clara = three(house)
    says(house, anna, "say Good luck!\nF5")
    for person in (bert, clara):
        [mail] = person.receives()
        assert "Anna says:\n\n| Good luck!\n" in mail.text
    assert house.moves() == ["F5"]


def test_say_works_after_the_match(house: House) -> None:
    anna, bert, clara = three(house)
    ends(house, anna, bert)
    clara.receives()
    bert.receives()
    says(house, anna, "say Well played!")
    [mail] = bert.receives()
    assert "| Well played!" in mail.text
    assert "The match is over." in mail.text
    assert "| Well played!" in flat(clara.receives())


def test_bots_and_former_members_get_nothing(house: House) -> None:
    anna, bert = house.player("Anna"), house.player("Bert")
    house.match("lancelot", anna, bert, *house.bots("greedy"))
    says(house, bert, "forget me")
    says(house, bert, "confirm")
    told = says(house, anna, "say Hello?")
    assert "the other players get no email from me" in told
    assert "former member" in says(house, anna, "tell blue Hello?")
    assert "gets no email from me" in says(house, anna, "tell yellow Hello?")


LONG = "say Dear all,\n\n  resign\nF5\nshow\n\nIs that good?\nend\n"


def test_text_up_to_end_is_no_command(house: House) -> None:
    anna, bert, _ = three(house)
    says(house, anna, f"{LONG}G6")
    assert house.moves() == ["G6"]
    said = "| Dear all,\n|\n|   resign\n| F5\n| show\n|\n| Is that good?\n"
    assert said in bert.receives()[-1].text


def test_text_without_end_never_swallows_a_move_or_a_command(house: House) -> None:
    anna, bert, _ = three(house)
    says(house, anna, "say Dear all,\nhow are you?\n\nF5\n\nmemo A trap.\ntell clara Help me")
    assert house.moves() == ["F5"]
    text = bert.receives()[-1].text
    assert "| Dear all,\n| how are you?\n" in text
    assert "A trap" not in text
    assert "Help me" not in text


def test_text_between_say_and_end_is_read_once_each(house: House) -> None:
    anna, bert, clara = three(house)
    says(house, bert, "say\nOne\ntwo\nend\ntell anna\nThree\nend\nsay Four")
    assert "Bert says: | One | two Bert writes to you alone. | Three Bert says: | Four" in flat(
        anna.receives()
    )
    assert "Three" not in flat(clara.receives())


def test_plan_below_a_said_text_is_kept(house: House) -> None:
    _, bert, _ = three(house)
    told = says(house, bert, "say Hello!\nend\nif F5 then G6")
    assert "if F5 then G6" in told
    assert "if F5 then E3" in says(house, bert, "cancel plans\nsay Hm\nif F5 then E3")


def test_nothing_is_said_without_a_text(house: House) -> None:
    anna, bert, _ = three(house)
    for line in ("say", "tell bert"):
        assert "there is no text after" in says(house, anna, line)
    assert bert.receives() == []


# tell


def test_tell_reaches_one_player_only(house: House) -> None:
    anna, bert, clara = three(house)
    for whom in ("bert", "Bert,", "blue", '"Bert"'):
        assert f"to Bert only. | {SECRET}" in says(house, anna, f"tell {whom} {SECRET}")
        assert f"Anna writes to you alone. | {SECRET}" in flat(bert.receives())
    says(house, anna, f"F5\ntell bert {SECRET}")
    assert f"| {SECRET}" in flat(bert.receives())
    assert SECRET not in flat(clara.receives())


@pytest.mark.parametrize(
    ("line", "why"),
    (
        ("tell dora Hello", 'nobody called "dora" plays in this match'),
        ("tell anna Hello", "that is you"),
    ),
)
def test_tell_names_a_player_of_the_match(house: House, line: str, why: str) -> None:
    anna, *others = three(house)
    house.player("Dora")
    assert why in says(house, anna, line)
    assert all(person.receives() == [] for person in others)


def test_table_may_agree_that_nobody_tells(house: House) -> None:
    anna, bert, clara = three(house, chosen="talk=open")
    assert "you agreed on talk=open" in says(house, anna, f"tell bert {SECRET}")
    assert "everything said is for the whole table" in flat(anna.read[:1])
    says(house, anna, "say Hello")
    assert "tell Anna" not in flat(bert.receives())
    assert "| Hello" in flat(clara.receives())


def test_tell_outside_a_match_is_a_directors(house: House) -> None:
    dora, grace = director(house, "Dora"), house.player("Grace")
    anna, bert, _ = three(house)
    assert "which match" in says(house, grace, "tell bert Hello").casefold()
    assert bert.receives() == []
    says(house, anna, "appeal Help me")
    dora.receives()
    says(house, dora, "tell anna Please move.\nsay nothing more\nF5")
    assert "| Please move.\n| say nothing more\n| F5\n" in anna.receives()[-1].text
    assert house.moves() == []


def test_partners_get_what_is_said_after_the_match(house: House) -> None:
    anna, bert, clara, dora = four(house)
    told = says(house, anna, f"tell clara {SECRET}")
    assert "you cannot tell Clara anything during this match" in told
    assert "because partners do not advise each other" in told
    told = says(house, anna, f"say {SECRET}")
    assert "Clara will see it when the match is over" in told
    assert clara.receives() == []
    for person in (bert, dora):
        assert SECRET in flat(person.receives())
    for person in (anna, bert):
        person.receives()
        moves(house, person)
    assert "Anna wrote a note. You'll see it when the match is over." in flat(clara.receives())
    assert SECRET not in flat(clara.read)
    ends(house, bert, dora)
    clara.receives()
    assert flat(clara.read).count(SECRET) == 1
    assert "to Clara only" in says(house, anna, "tell clara Thank you")


def test_partners_may_tell_if_agreed(house: House) -> None:
    anna, _, clara, _ = four(house, chosen="notes=open")
    says(house, anna, f"tell clara {SECRET}")
    assert SECRET in flat(clara.receives())


def test_blind_match_names_only_seats(house: House) -> None:
    anna, bert, clara = three(house, chosen="names=hidden")
    assert "to Blue only" in says(house, anna, f"tell blue {SECRET}")
    assert 'nobody called "bert" plays' in says(house, anna, f"tell bert {SECRET}")
    says(house, anna, "say Hello")
    got = bert.receives()
    assert "Red writes to you alone" in flat(got)
    assert "Red says: | Hello" in flat(got)
    assert named([*got, *clara.receives()], anna) == []
    for line in ("mute bert", "block bert"):
        says(house, anna, line)
    says(house, bert, "say Still here?")
    assert "Still here?" in flat(anna.receives()), "it does not show whose seat it is"
    assert "You now mute Blue in match 1" in says(house, anna, "mute blue")
    says(house, bert, "say And now?")
    assert anna.receives() == []
    says(house, clara, "unmute bert")
    assert "You mute Blue in match 1" in says(house, anna, "unmute bert\nblocked")
    says(house, bert, "say Again?")
    assert anna.receives() == []
    assert "muted_in_matches" in ABOUT


# mute


@pytest.mark.parametrize("line", ("mute bert", "mute bert here", "mute 1 bert", "mute blue"))
def test_muted_player_is_not_read_and_does_not_learn_it(house: House, line: str) -> None:
    anna, bert, clara = three(house)
    assert "You now mute Bert" in says(house, anna, line)
    assert bert.receives() == []
    told = says(house, bert, f"say {SECRET}")
    told += says(house, bert, f"tell anna {SECRET}")
    assert "mute" not in told
    assert "to Anna only" in told
    assert anna.receives() == []
    assert SECRET in flat(clara.receives())
    says(house, anna, "F5")
    says(house, bert, f"G6\n\n{SECRET}")
    assert "| G6" not in flat(anna.receives())
    assert SECRET not in flat(anna.read)
    assert "You no longer mute Bert" in says(house, anna, "unmute bert")
    says(house, bert, "say Hello again")
    assert "Hello again" in flat(anna.receives())


def test_mute_of_one_match_is_not_for_others(house: House) -> None:
    anna, bert, _ = three(house)
    says(house, anna, "mute bert here")
    house.match("lancelot", anna, bert)
    for person in (anna, bert):
        person.receives()
    says(house, bert, f"say {SECRET}")
    assert SECRET in flat(anna.receives())
    assert "You mute Bert in match 1" in says(house, anna, "blocked")
    says(house, anna, "mute bert")
    says(house, bert, "say And here?")
    assert "And here?" not in flat(anna.receives())
    assert "You mute Bert." in says(house, anna, "blocked")


def test_muted_note_is_not_waiting_either(house: House) -> None:
    anna, bert, clara = three(house, mails="turn")
    says(house, anna, f"F5\n\n{SECRET}")
    says(house, clara, "mute anna")
    says(house, bert, "G6")
    clara.receives()
    assert SECRET not in flat(clara.read)


# unsay


def test_unsay_takes_back_what_waits(house: House) -> None:
    anna, bert, clara = three(house, mails="turn")
    says(house, anna, f"F5\n\n{SECRET}")
    assert SECRET in flat(bert.receives())
    told = says(house, anna, "unsay")
    assert f"what you said in turn 1. | {SECRET}" in told
    assert "Emails that I have already sent stay as they are." in told
    says(house, bert, "G6")
    assert "G6" in flat(clara.receives())
    assert SECRET not in flat(clara.read)
    assert "nothing in this match that you could take back" in says(house, anna, "unsay")


def test_unsay_takes_back_a_held_text(house: House) -> None:
    anna, bert, clara, dora = four(house)
    says(house, anna, f"say {SECRET}")
    says(house, anna, "unsay")
    ends(house, bert, dora)
    clara.receives()
    assert SECRET not in flat(clara.read)


def test_unsay_takes_back_the_latest_first(house: House) -> None:
    anna, *_ = three(house)
    says(house, anna, "say One\nend\ntell bert Two\nend\nmemo Three")
    assert "| Two" in says(house, anna, "unsay")
    assert "| One" in says(house, anna, "unsay")
    assert "| Three" in says(house, anna, "memo")


# limits


def test_nobody_can_flood_a_player(house: House) -> None:
    anna, bert, clara = three(house)
    for number in range(A_DAY // 2):
        says(house, anna, f"say Hello {number}\nend\nunsay")
        says(house, anna, f"tell bert Hello {number}")
    assert f"you have said something {A_DAY} times in this match" in says(house, anna, "say One")
    assert "Done" not in says(house, anna, "F5\nsay One")
    assert house.moves() == []
    says(house, anna, "F5\n\nA note reaches them.")
    assert "A note reaches them." in flat(bert.receives())
    assert flat(clara.receives()).count("| Hello") == A_DAY // 2, "each was sent once"
    house.passes(days=1.1)
    assert "at once" in says(house, anna, "say One more")


def test_one_email_cannot_pass_the_limit(house: House) -> None:
    anna, bert, _ = three(house)
    for count in (A_DAY // 2, A_DAY // 2 + 1):
        says(house, anna, "\n".join(f"say {number}\nend" for number in range(count)))
    assert flat(bert.receives()).count("Anna says:") == A_DAY // 2


# Who can read it?


@pytest.fixture
def room(house: House) -> FakeArchive:
    """A reading room that shows every match."""
    store = FakeArchive()
    site = Site("pbem", house.address, "https://pbem.example/")
    house.club = replace(house.club, room=Room(site, store))
    return store


def pages(house: House, room: FakeArchive) -> str:
    """Return everything in the reading room."""
    assert house.club.room is not None
    publish_room(house.club.storage, house.club.room)
    return " ".join((room.read(name) or b"").decode(errors="replace") for name in room.names())


def test_memo_is_sealed(house: House, room: FakeArchive) -> None:
    dora = director(house, "Dora")
    anna, bert, clara = three(house)
    says(house, anna, "set notes public")
    says(house, anna, f"memo {SECRET}\nF5")
    says(house, anna, f"memo\nF5\nmemo {SECRET} Again.\nend")
    says(house, anna, "appeal Bert is rude.")
    for person in (bert, clara):
        for line in ("show", "history", "record 1", "memo", "match 1", "appeal Anna is slow."):
            says(house, person, line)
    for line in ("match 1", "member anna", "log 1", "log", "status", "record 1", "show"):
        says(house, dora, line)
    ends(house, bert, clara)
    says(house, bert, "record 1\nhistory")
    for person in (bert, clara, dora, house.director):
        person.receives()
        assert all(SECRET not in whole(mail) for mail in person.read), person.name
    assert SECRET not in pages(house, room)
    assert f"Turn 1 | {SECRET}" in says(house, anna, "memo")
    assert SECRET in says(house, anna, "record 1")
    assert "are now part of its notes" in says(house, anna, "publish memos")
    assert SECRET in pages(house, room)


def test_memo_is_published_only_after_the_match(house: House) -> None:
    anna, *_ = three(house)
    says(house, anna, f"memo {SECRET}")
    assert "when the match is over" in says(house, anna, "publish memos")
    assert SECRET not in says(house, anna, "record 1")


def test_told_text_is_on_no_page_and_in_no_appeal(house: House, room: FakeArchive) -> None:
    dora = director(house, "Dora")
    anna, bert, clara = three(house)
    says(house, anna, "set notes public")
    says(house, anna, f"F5\ntell bert {SECRET}")
    says(house, anna, f"tell bert {SECRET}")
    says(house, anna, "say Hello table")
    for person in (anna, bert):
        says(house, person, "appeal Look at this.")
    assert "Anna says:" in flat(dora.receives()), "an appeal shows what is for the table"
    ends(house, bert, clara)
    for person in (clara, dora, house.director):
        person.receives()
        assert all(SECRET not in whole(mail) for mail in person.read), person.name
    shown = pages(house, room)
    assert SECRET not in shown
    assert "Hello table" in shown
    says(house, anna, "unsay")
    says(house, anna, "say Well played")
    shown = pages(house, room)
    assert "Hello table" not in shown
    assert "Well played" in shown


def test_private_player_is_on_no_page(house: House, room: FakeArchive) -> None:
    anna, bert, clara = three(house)
    says(house, anna, f"say {SECRET}")
    ends(house, bert, clara)
    assert SECRET not in pages(house, room)


def test_report_of_vain_emails_has_no_talk(house: House) -> None:
    anna, *_ = three(house)
    for number in range(2, 40):
        says(house, anna, f"memo {SECRET}\nend\ncancel plan {number}\ntell bert {SECRET}")
    house.director.receives()
    assert house.director.read, "the director learns of them"
    assert SECRET not in flat(house.director.read)


# Hostile texts


HOSTILE = (
    "resign",
    "confirm",
    "Anna, it is your turn.\n\nF5",
    "[1-2]\nmatch 1:\ndraw?",
    "> resign\n\nOn Monday, pbem wrote:\nresign",
    "Bert says:\n\n| resign",
    "* * *\n\nresign",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_said_text_is_never_a_command_of_its_reader(house: House, text: str) -> None:
    anna, bert, _ = three(house)
    says(house, bert, f"say {text}\nend")
    [mail] = anna.receives()
    assert f"Bert says:\n\n| {text.splitlines()[0]}\n" in mail.text
    anna.says("F5", mail)
    house.works()
    assert house.moves() == ["F5"]
    anna.receives()
    anna.says("", mail)
    house.works()
    assert house.state().result is None
    assert house.moves() == ["F5"]
    with reading(house.club) as work:
        assert work.matches.get(1).offers == ()


def test_member_can_be_erased_with_what_they_said(house: House) -> None:
    anna, bert, _ = three(house)
    says(house, anna, f"say {SECRET}\nend\nmemo {SECRET}\nend\nmute bert")
    assert anna.player is not None
    assert bert.player is not None
    says(house, anna, "forget me")
    says(house, anna, "confirm")
    with writing(house.club) as work:
        assert not work.notes.by(anna.player.id)
        assert not work.mutes.of(anna.player.id)
