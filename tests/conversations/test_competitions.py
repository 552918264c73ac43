"""Competitions that a director announces and members enter, all by email."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import count

import pytest

from pbem.inbox.poll import poll
from pbem.matches.announcement import Phase
from pbem.matches.competition import Competition
from pbem.matches.competitions.league import League
from pbem.service.competitions.running import run_competitions
from pbem.service.direct.competing import enter_member
from pbem.service.direct.decide import SHELL, decide
from pbem.service.direct.orders import adjudication
from pbem.service.members.forget import forget
from pbem.service.work import reading, writing
from tests.conversations.house import House, Person
from tests.conversations.test_challenges import answers, asks, told
from tests.conversations.test_directors_mail import director, plain, says


def directing(house: House) -> Person:
    """Return Dora, a director who has just answered an email to directors."""
    person = director(house, "Dora")
    person.says("pause club", recipient=house.address)
    house.works()
    says(house, person, "confirm")
    says(house, person, "resume club")
    return person


@pytest.fixture
def dora(house: House) -> Person:
    return directing(house)


def people(house: House, *names: str) -> list[Person]:
    return [house.player(name) for name in names or ("Anna", "Bert", "Clara", "Emil")]


def last_day(house: House, days: int = 10) -> str:
    return f"{house.clock.now() + timedelta(days=days):%Y-%m-%d}"


def withdraws(house: House, person: Person) -> str:
    """Withdraw from the first competition after its start, and confirm it. Return the answer."""
    asks(house, person, "withdraw 1")
    return answers(house, person, "confirm")


def directs(house: House, dora: Person, command: str) -> None:
    """Direct something that is asked about first, and confirm it."""
    says(house, dora, command)
    house.clock.advance(minutes=1)
    says(house, dora, "confirm")


def announced(house: House, dora: Person, terms: str, days: int = 10) -> str:
    """Announce a competition. Return the preview on one line."""
    asked = says(house, dora, f"competition new {terms} enter-until={last_day(house, days)}")
    house.clock.advance(minutes=1)
    dora.says("confirm")
    house.works()
    told_dora = [plain(each) for each in dora.receives()]
    assert any("I have announced it as competition " in each for each in told_dora)
    answers(house, dora, "competitions")
    return " ".join(asked.text.split())


def enter(house: House, number: int, persons: Iterable[Person], word: str = "enter") -> list[str]:
    return [asks(house, each, f"{word} {number}") for each in persons]


def closes(house: House, days: int = 11) -> None:
    """Let entry end."""
    house.skips(days=days)


def loses(house: House, *persons: Person) -> None:
    """Let each resign their running match."""
    for person in persons:
        assert person.player is not None
        running = [
            each.id
            for each in house.matches()
            if each.result is None and person.player.id in each.players
        ]
        house.resigns(person, match=running[0])


def test_swiss_tournament_lives_by_email(house: House, dora: Person) -> None:
    anna, bert, clara, emil = everybody = people(house)
    shown = announced(house, dora, "swiss lanrick-1893 rounds=2 days=3 seats=2 min=4 max=16")
    assert "This would be announced: Swiss tournament, Lanrick (1893)." in shown
    assert 'Bye: send "bye" and the number before a round starts.' in shown
    [announcement] = anna.receives()
    said = " ".join(announcement.text.split())
    assert "Anna, you can enter competition 1: Swiss tournament, Lanrick (1893)." in said
    assert "2 rounds" in said
    assert "lots are drawn with the seed" in said
    assert "players with equal points are ordered by direct encounter, Buchholz" in said
    assert 'Bye: send "bye 1" before a round starts. Two give you half a point each,' in said
    assert "but not in the last round. Any others give nothing." in said
    assert "enter 1" in said

    first, *_, last = enter(house, 1, everybody)
    assert "You have entered competition 1 (Swiss tournament, Lanrick (1893))." in first
    assert "After the start, a withdrawal is final." in first
    assert "4 players, 12 places free" in last
    assert "you have already entered competition 1" in asks(house, anna, "enter 1")
    assert "1: Swiss tournament, Lanrick (1893), 3 days per turn. 4 players" in asks(
        house, bert, "competitions"
    )
    assert not house.matches()

    closes(house)
    assert [match.place.round for match in house.matches() if match.place] == [1, 1]
    assert "Swiss tournament 1, round 1 of 2." in anna.receives()[-1].text
    assert "Round 1 of 2." in asks(house, anna, "competition 1")

    begun = {frozenset(match.players) for match in house.matches()}
    loses(house, clara, emil)
    assert len(house.matches()) == 4, "a finished round starts the next"
    assert not begun & {frozenset(match.players) for match in house.matches()[2:]}
    loses(house, bert, emil if len(house.matches()) == 4 else clara)
    for person in everybody:
        assert "competition 1 is over: Swiss tournament, Lanrick (1893). Anna won." in told(person)
        assert ("Your certificate is attached." in told(person)) == (person is anna)
    assert "1: Swiss tournament, Lanrick (1893), 3 days per turn. 4 players. Anna won." in asks(
        house, anna, "competitions"
    )
    assert plain(dora.receives()[-1])
    shown = asks(house, anna, "competition 1")
    assert "You finished in place 1 of 4." in shown
    assert "withdraw 1" not in shown, "it is over"


def decides(house: House, rng: random.Random, number: int = 1) -> None:
    """Have a director decide one running match of a competition at random."""
    with writing(house.club) as work:
        of = work.competitions.announced_as(number)
        assert of is not None
        running = [m for m in work.matches.of_competition(of.id) if m.result is None]
        match = rng.choice(running)
        names = [work.players.get(each).name for each in match.players]
        decide(work, adjudication(match.id, rng.choice([*names, "draw"]), "a test"), SHELL)
    run_competitions(house.club)


def competition(house: House, number: int = 1) -> Competition:
    with reading(house.club) as work:
        found = work.competitions.announced_as(number)
    assert found is not None
    return found


def phase(house: House, number: int = 1) -> Phase:
    announcement = competition(house, number).announcement
    assert announcement is not None
    return announcement.phase


def pairs(house: House) -> list[frozenset[int]]:
    return [frozenset(match.players) for match in house.matches()]


NAMES = ("Anna", "Bert", "Clara", "Emil", "Frida", "Gustav", "Hanna", "Ivo")
LIVES = {
    "tournament lanrick-1893": 1,
    "tournament lanrick-1893 double concurrent order=lots max=8": 2,
    "swiss lanrick-1893 rounds=4 order=rating": 1,
    "knock-out lanrick-1893 order=lots best-of=2 third-place": 4,
    "league lanrick-1893 division=4": 1,
    "set-league lanko-68 rounds=2": 6,
    "team-match lanrick-1893 teams=Reds,Blues double": 2,
}
"""What is announced, and how often two players may meet at most."""


@pytest.mark.parametrize("terms", LIVES)
def test_every_kind_is_played_to_its_end(house: House, dora: Person, terms: str) -> None:
    members = 5 if terms.startswith("tournament") else len(NAMES)
    everybody = people(house, *NAMES[:members])
    announced(house, dora, terms)
    with writing(house.club) as work:
        for person in everybody:
            enter_member(work, 1, person.name, SHELL)
    closes(house)
    rng = random.Random(terms)
    while phase(house) is Phase.RUNNING:
        decides(house, rng)
    assert phase(house) is Phase.ENDED
    assert max(Counter(pairs(house)).values()) <= LIVES[terms]
    if terms.startswith("tournament"):
        assert len(set(pairs(house))) == 10, "everybody meets everybody"
    run_competitions(house.club)
    house.works()
    for person in everybody:
        ended = [mail for mail in person.receives() if "competition 1 is over" in plain(mail)]
        assert len(ended) == 1, "one email at the end"
        assert "won." in plain(ended[0])


class Died(BaseException):
    """The death of a process."""


def dies_at_each_email(house: House) -> int:
    """Let the job die at the first email that it writes, then at the second, until it is done."""
    for deaths in count():
        left = iter(range(deaths))

        def unique(left: Iterator[int] = left, deaths: int = deaths) -> str:
            if next(left, None) is None:
                raise Died
            return f"d{house.clock.now():%y%m%d}{deaths}{next(NUMBERS)}"

        try:
            run_competitions(replace(house.club, unique=unique))
        except Died:
            continue
        return deaths
    raise AssertionError


NUMBERS = count()


def test_step_that_dies_halfway_is_done_once(house: House, dora: Person) -> None:
    everybody = people(house)
    announced(house, dora, "knock-out lanrick-1893 third-place repeat=1w")
    enter(house, 1, everybody)
    house.clock.advance(days=11)
    run_competitions(house.club)
    assert not house.matches(), "email that came in time may wait to be read"
    poll(house.club, house.mailbox)
    assert dies_at_each_email(house) >= 4, "an email for each first turn"
    assert len(house.matches()) == 2
    rng = random.Random(0)
    for _ in range(3):
        decides(house, rng)
    house.works()
    for person in everybody:
        person.receives()
    with writing(house.club) as work:
        [last] = [match for match in work.matches.all() if match.result is None]
        decide(work, adjudication(last.id, work.players.get(last.players[0]).name, "a test"), SHELL)
    assert dies_at_each_email(house) >= len(house.people)
    house.works()
    for person in everybody:
        kinds = [str(mail.message["Subject"]) for mail in person.receives()]
        assert sum("Competition 1:" in each for each in kinds) == 1
        assert sum("Competition 2:" in each for each in kinds) == 1


def test_ladder_is_climbed_and_closed(house: House, dora: Person) -> None:
    anna, bert, clara, emil = people(house)
    announced(house, dora, "ladder lanrick-1893 reach=2 max=3")
    enter(house, 1, (anna, bert, clara, emil))
    closes(house)
    assert not house.matches()
    assert "You are on rung 1 of 3. Others can challenge you." in told(anna)
    assert "You are on rung 3 of 3. Challenge a player above you. ladder 1" in told(clara)
    asks(house, anna, "block clara")
    assert "You can challenge Anna and Bert" in asks(house, clara, "ladder 1"), "despite the block"
    assert "There is nobody you can challenge" in asks(house, anna, "ladder 1")
    assert "you can't challenge Clara now" in asks(house, anna, "ladder 1 clara")
    assert "Your challenge in competition 1 (ladder, Lanrick (1893)) has started a match." in asks(
        house, clara, "ladder 1 anna"
    )
    assert house.names() == {"yellow": "Anna", "black": "Clara"}
    loses(house, anna)
    assert "1 Clara" in asks(house, anna, "competition 1")
    asks(house, bert, "withdraw 1")
    assert "You have withdrawn" in answers(house, bert, "confirm")
    assert "you are now a player of competition 1" in told(emil), "the first who waits"
    assert "You start on the lowest rung." in told(emil)
    assert "ladder 1" in told(emil)
    assert "you have withdrawn from competition 1 and can't enter" in asks(house, bert, "enter 1")
    dora.receives()
    dora.says("competition close 1")
    house.works()
    ended, done = sorted(map(plain, dora.receives()), reverse=True)
    assert "Done: competition close 1." in done
    assert "Clara won." in ended
    assert "Clara won." in told(emil)
    assert "competition 1 is over" in asks(house, bert, "enter 1")
    assert "competition 1 is not a ladder that is being played" in asks(house, clara, "ladder 1")


def test_open_house_ends_after_its_last_day_and_is_repeated(house: House, dora: Person) -> None:
    anna, bert, clara, emil = people(house)
    last = last_day(house, 20)
    announced(house, dora, f"open-house lanrick-1893 until={last} repeat=1w", days=5)
    assert "enter 1 always" in told(anna)
    assert "You also enter each time it is repeated." in asks(house, anna, "enter 1 always")
    enter(house, 1, (bert, clara))
    assert "enter 1 once" in asks(house, bert, "enter 1 always")
    said = asks(house, bert, "enter 1 once")
    assert "You enter competition 1 (open house, Lanrick (1893)) only this time." in said
    assert "enter 1 once" not in said
    assert "you have already entered" in asks(house, bert, "enter 1 once")
    closes(house, 6)
    assert len(house.matches()) == 1, "one of the three is not free"
    assert [
        "has started. Your matches start as soon as players are free." in told(each)
        for each in (anna, bert, clara)
    ].count(True) == 1
    assert "Your matches start as soon as players are free." in asks(house, emil, "enter 1")
    assert len(house.matches()) == 2
    rng = random.Random(3)
    for _ in range(3):
        decides(house, rng)
    assert len(house.matches()) > 3
    house.skips(days=16)
    while phase(house) is Phase.RUNNING:
        decides(house, rng)
    house.works()
    following = competition(house, 2)
    assert [anna.player.id] == list(following.players) if anna.player else False
    assert following.ends_on is not None
    assert "you have entered competition 2: open house" in told(anna)
    assert "you can enter competition 2: open house" in told(bert)
    assert "You have withdrawn" in asks(house, anna, "withdraw 2")
    house.skips(days=8)
    assert "does not take place" not in told(anna)
    off = "Competition 2 (open house, Lanrick (1893)) does not take place."
    assert any(off in plain(mail) for mail in dora.receives())
    assert phase(house, 2) is Phase.CALLED_OFF
    assert phase(house, 3) is Phase.ENTRY, "a repeated one is announced again"
    house.skips(days=8)
    off = "The previous one did not take place either, so I don't announce it again."
    assert sum(off in plain(mail) for mail in dora.receives()) == 1
    with reading(house.club) as work:
        assert work.competitions.announced_as(4) is None


@pytest.mark.parametrize("order", ("entry", "lots"))
def test_league_is_repeated_with_promotion_and_relegation(
    house: House, dora: Person, order: str
) -> None:
    *everybody, gustav = people(house, *NAMES[:7])
    announced(house, dora, f"league lanrick-1893 division=3 repeat=1w order={order}")
    for person in everybody:
        asks(house, person, "enter 1 always" if person.name in ("Anna", "Bert") else "enter 1")
    closes(house)
    rng = random.Random(11)
    while phase(house) is Phase.RUNNING:
        decides(house, rng)
    with reading(house.club) as work:
        of = work.competitions.announced_as(1)
        assert isinstance(of, League)
        upper, lower = of.standing(work.matches.of_competition(of.id)).divisions
    first, second, down, up, *others = [row.player for row in (*upper.rows, *lower.rows)]
    assert len(competition(house, 2).players) == 2, "those who always enter"
    enter(house, 2, (gustav,))
    again = {each.player.id: each for each in everybody if each.player}
    enter(house, 2, [again[each] for each in (*others[::-1], up, down)])
    enter(house, 2, [each for each in everybody if each.name not in ("Anna", "Bert")])
    house.skips(days=9)
    assert phase(house, 2) is Phase.RUNNING
    assert getattr(competition(house, 2), "sizes", ()) == (3, 4)
    assert gustav.player is not None
    kept = (first, second, up, down, *others, gustav.player.id)
    assert competition(house, 2).players == kept, "however they entered, new ones are last"


def test_waiting_list_and_too_few_entrants(house: House, dora: Person) -> None:
    anna, bert, clara, emil = people(house)
    announced(house, dora, "Round-Robin lanrick-1893 max=3")
    chain = "ordered by direct encounter, Sonneborn-Berger, matches won, lots"
    assert chain in told(anna), "an announced tournament shares no places"
    *_, waits = enter(house, 1, (anna, bert, clara, emil))
    assert "You are on the waiting list of competition 1" in waits
    assert "3 players, 1 waiting, no place is free" in asks(house, emil, "competitions")
    assert "You have withdrawn from competition 1" in asks(house, anna, "withdraw 1")
    assert "a place has become free: you are now a player of competition 1" in told(emil)
    assert "you don't take part in competition 1" in asks(house, anna, "withdraw 1")
    asks(house, bert, "withdraw 1")
    closes(house)
    assert not house.matches()
    said = told(clara)
    assert "competition 1 (tournament, Lanrick (1893)) does not take place." in said
    assert "The reason: only 2 members have entered, and it needs 3." in said
    assert "does not take place" not in told(anna)


def test_late_entry_bye_and_withdrawal_in_a_swiss_tournament(house: House, dora: Person) -> None:
    anna, bert, clara, emil, frida, gustav = people(house, *NAMES[:6])
    announced(house, dora, "swiss lanrick-1893 rounds=3")
    enter(house, 1, (anna, bert, clara, emil, frida))
    closes(house)
    assert sum("You have a bye: it gives you a point." in told(each) for each in (frida, emil)) <= 1
    assert "You play from the next round on." in asks(house, gustav, "enter 1")
    said = asks(house, anna, "bye 1")
    assert "You don't play in round 2 of competition 1" in said
    assert "You get half a point for it." in said
    assert "you already have a bye in round 2" in asks(house, anna, "bye 1")
    assert "round 1 of competition 1 has started" in asks(house, anna, "bye 1 1")
    assert "competition 1 has only 3 rounds" in asks(house, anna, "bye 1 99")
    assert "You get no points for it, because" in asks(house, anna, "bye 1 3"), "the last round"
    asked = asks(house, bert, "withdraw from 1")
    assert "Withdraw from competition 1 (Swiss tournament, Lanrick (1893)) for good?" in asked
    assert "Withdrawn:" not in asks(house, anna, "competition 1")
    bert.says("confirm")
    house.works()
    assert "You play your current matches to the end." in told(bert)
    assert "Withdrawn: 2 Bert." in asks(house, anna, "competition 1")
    rng = random.Random(5)
    for _ in range(2):
        decides(house, rng)
    second = [set(match.players) for match in house.matches()[2:]]
    playing = set().union(*second)
    assert len(second) == 2
    assert not playing & {each.player.id for each in (anna, bert) if each.player}
    assert gustav.player is not None
    assert gustav.player.id in playing


@pytest.mark.parametrize("order", ("entry", "lots"))
def test_bye_in_the_first_round_is_asked_for_before_the_start(
    house: House, dora: Person, order: str
) -> None:
    anna, bert, clara, emil = people(house)
    announced(house, dora, f"swiss lanrick-1893 rounds=2 order={order}")
    enter(house, 1, (anna, bert, clara, emil))
    assert "you can ask for a bye only in round 1" in asks(house, clara, "bye 1 2")
    assert "You don't play in round 1 of competition 1" in asks(house, clara, "bye 1")
    asks(house, anna, "withdraw 1")
    closes(house)
    assert bert.player is not None
    assert emil.player is not None
    assert pairs(house) == [frozenset((bert.player.id, emil.player.id))], "Clara keeps her bye"
    assert "bye=" in asks(house, clara, "competition 1")
    asks(house, bert, "bye 1")
    assert "too few players would play in round 2" in asks(house, emil, "bye 1")


def test_swiss_tournament_that_ends_early_says_why(house: House, dora: Person) -> None:
    anna, bert, clara, emil = people(house)
    announced(house, dora, "swiss lanrick-1893 rounds=3")
    enter(house, 1, (anna, bert, clara, emil))
    closes(house)
    for each in (anna, bert):
        withdraws(house, each)
    decides(house, random.Random(1))
    decides(house, random.Random(1))
    if phase(house) is Phase.RUNNING:
        decides(house, random.Random(1))
    house.works()
    said = told(clara)
    assert "competition 1 is over" in said
    assert re.search("It ended after round [12] of 3, because no pairing without a rep", said)


def test_concurrent_tournament_says_how_many_matches_start_at_once(
    house: House, dora: Person
) -> None:
    house.club = replace(house.club, policy=replace(house.club.policy, running_matches=6))
    people(house)
    shown = announced(house, dora, "tournament lanrick-1893 concurrent double max=4")
    assert "with 4 players, each of you plays 6 matches at once" in shown
    last = f"enter-until={last_day(house)}"
    said = plain(says(house, dora, f"competition new tournament lanrick-1893 concurrent {last}"))
    assert "please add max=" in said
    many = "league lanrick-1893 division=6 concurrent max=30"
    said = plain(says(house, dora, f"competition new {many} {last}"))
    assert "each player would play 7 matches at once" in said
    assert "members of this club can play at most 6" in said


def test_director_withdraws_and_replaces_players(house: House, dora: Person) -> None:
    anna, bert, clara, emil, frida = people(house, *NAMES[:5])
    announced(house, dora, "tournament lanrick-1893")
    enter(house, 1, (anna, bert, clara))
    assert "Done: competition enter 1 Emil." in plain(says(house, dora, "competition enter 1 emil"))
    assert "the director has entered you in competition 1" in told(emil)
    refused = plain(says(house, dora, "replace bert frida in tournament 1"))
    assert "competition 1 is not being played" in refused
    says(house, dora, "competition withdraw 1 emil")
    asks(house, bert, "withdraw 1")
    assert "only 2 members have entered" in plain(says(house, dora, "competition start 1"))
    for name in ("emil", "bert"):
        says(house, dora, f"competition enter 1 {name}")
    assert "Done: competition start 1." in plain(says(house, dora, "competition start 1"))
    assert len(house.matches()) == 2
    asked = plain(says(house, dora, "competition withdraw 1 anna She has moved."))
    assert "Withdraw Anna from competition 1 (tournament, Lanrick (1893)) for good?" in asked
    assert "They forfeit match " in asked
    house.clock.advance(minutes=1)
    assert "Done: competition withdraw 1 Anna." in plain(says(house, dora, "confirm"))
    said = told(anna)
    assert "the director has withdrawn you from competition 1" in said
    assert "She has moved." in said
    [forfeited] = [match for match in house.matches() if match.result is not None]
    assert forfeited.result is not None
    assert forfeited.result.termination == "forfeit"
    assert "I have told the players" in plain(
        says(house, dora, "replace bert frida in tournament 1")
    )
    rng = random.Random(1)
    while phase(house) is Phase.RUNNING:
        decides(house, rng)
    house.works()
    said = told(frida)
    assert "competition 1 is over" in said
    assert " 4* Anna " in said, "below all others, whatever her points"
    assert "*: withdrawn; + and -: won and lost without playing" in said
    assert len(house.matches()) == 4, "nobody plays Anna, who lost one by forfeit"


def test_director_enters_and_replaces_members_who_do_not_play_yet(
    house: House, dora: Person
) -> None:
    anna, bert, clara, emil, frida, _ = people(house, *NAMES[:6])
    announced(house, dora, "swiss lanrick-1893 rounds=2 max=3")
    enter(house, 1, (anna, bert, clara))
    done = plain(says(house, dora, "competition enter 1 emil"))
    assert "Done: competition enter 1 Emil: waiting list." in done
    assert "the director has put you on the waiting list of competition 1" in told(emil)
    assert "starts after" not in told(emil)
    closes(house)
    [match] = house.matches()
    [idle] = [
        each for each in (anna, bert, clara) if each.player and each.player.id not in match.players
    ]
    says(house, dora, f"replace {idle.name} frida in swiss 1")
    assert f"you have taken over the entry of {idle.name} in competition 1" in told(frida)
    assert "Frida has taken over your entry in competition 1" in told(idle)
    said = asks(house, emil, "withdraw 1")
    assert "You are no longer on the waiting list of competition 1" in said
    assert "your current matches" not in said
    asks(house, frida, "withdraw 1")
    assert "You have withdrawn" in answers(house, frida, "confirm")
    refused = plain(says(house, dora, "replace frida gustav in swiss 1"))
    assert "Frida has withdrawn from competition 1, so nobody can take over the entry" in refused


def test_competition_is_called_off_before_and_after_its_start(house: House, dora: Person) -> None:
    anna, bert, clara = people(house, "Anna", "Bert", "Clara")
    for _ in range(2):
        announced(house, dora, "tournament lanrick-1893")
    for number in (1, 2):
        enter(house, number, (anna, bert, clara))
    says(house, dora, "competition off 1 The hall burnt down.")
    assert told(bert).endswith("does not take place. The reason: The hall burnt down.")
    closes(house)
    assert len(house.matches()) == 1
    asked = plain(says(house, dora, "competition off no. 2"))
    assert "Call off competition 2 (tournament, Lanrick (1893)) for good?" in asked
    house.clock.advance(minutes=1)
    assert "Done: competition off 2." in plain(says(house, dora, "confirm"))
    assert "Matches in play continue, but no more will start, and nobody wins it." in told(bert)
    decides(house, random.Random(2), 2)
    assert len(house.matches()) == 1
    assert phase(house, 2) is Phase.STOPPED


def test_vanished_player_loses_on_time_and_the_competition_ends(house: House, dora: Person) -> None:
    everybody = people(house, "Anna", "Bert", "Clara")
    announced(house, dora, "knock-out lanrick-1893 days=2")
    enter(house, 1, everybody)
    closes(house)
    house.passes(days=9)
    assert phase(house) is Phase.ENDED, "both who had to move have run out of time"
    assert "competition 1 is over: knock-out" in told(everybody[0])


def test_conditions_and_bans_apply_to_entering(house: House, dora: Person) -> None:
    anna, bert = people(house, "Anna", "Bert")
    asks(house, anna, "settings")
    announced(house, dora, "knock-out lanrick-1893 new=no")
    assert anna.receives() == [], "she could not enter"
    assert "Conditions: not for new members." in asks(house, anna, "competition 1")
    assert "competition 1 is for members who have made at least 10 turns" in asks(
        house, anna, "enter 1"
    )
    announced(house, dora, "knock-out lanrick-1893")
    match = house.match("lanrick-1893", anna, bert, days=1, chosen="flag=loss")
    house.passes(days=2)
    assert house.state(match.id).result is not None
    assert "you lost on time, so you can't start or join anything" in asks(house, anna, "enter 2")


def test_withdraw_asks_if_an_offer_has_the_same_number(house: House, dora: Person) -> None:
    [anna] = people(house, "Anna")
    announced(house, dora, "knock-out lanrick-1893")
    asks(house, anna, "enter 1")
    asks(house, anna, "offer lanrick-1893")
    said = asks(house, anna, "withdraw 1")
    assert "withdraw competition 1" in said
    assert "withdraw offer 1" in said
    said = asks(house, anna, "withdraw competition")
    assert "please add the number, as in withdraw competition 7" in said
    assert "You have withdrawn table 1" in asks(house, anna, "withdraw offer 1")
    said = asks(house, anna, "withdraw")
    assert "withdraw competition 1" in said, "it does not withdraw something else"
    assert "You have withdrawn from competition 1" in asks(house, anna, "withdraw competition 1")


@pytest.mark.parametrize(
    "text",
    (
        "enter 1",
        "Enter competition 1.",
        "enter knock-out 1",
        "enter Knockout 1",
        "enter no. 1",
        "enter 1 please",
        "enter 1, thanks!",
        "join competition 1",
        "Register for competition #1",
    ),
)
def test_entering_is_read_as_people_write_it(house: House, dora: Person, text: str) -> None:
    [anna] = people(house, "Anna")
    announced(house, dora, "knock-out lanrick-1893")
    assert "You have entered competition 1" in asks(house, anna, text)
    assert "competition 1: knock-out" in asks(house, anna, "competition ko 1").casefold()
    assert "1: knock-out" in asks(house, anna, "tournaments")
    left = {"enter 1": "withdraw from 1", "enter no. 1": "leave competition 1"}
    said = asks(house, anna, left.get(text, "withdraw from knock-out 1"))
    assert "You have withdrawn from competition 1" in said


@pytest.mark.parametrize("text", ("yes", "I'm in!", "Count me in, please", "enter", "join"))
def test_short_reply_to_an_announcement_gets_the_line_to_send(
    house: House, dora: Person, text: str
) -> None:
    [anna] = people(house, "Anna")
    for _ in range(2):
        announced(house, dora, "knock-out lanrick-1893")
    assert "enter 2" in told(anna)
    said = answers(house, anna, text)
    assert "Did you mean: enter 2 If so" in said
    assert "Did you mean: enter 2 If so" in asks(house, anna, "register 2")
    assert "Did you mean: enter 2" in asks(house, anna, "join 2")
    assert "You have entered competition 2" in asks(house, anna, "enter 2")
    assert "enter 2" not in asks(house, anna, "join 2")


def test_number_alone_may_mean_a_match(house: House) -> None:
    anna, bert = people(house, "Anna", "Bert")
    for _ in range(2):
        house.match("lanrick-1893", anna, bert)
    elsewhere: dict[str, object] = {
        "recipient": house.address, "references": False, "quoting": False, "subject": "hi"
    }  # fmt: skip
    for text in ("show 1", "board 1"):
        said = plain(says(house, anna, text, **elsewhere))
        assert "which match do you mean?" in said
        assert "Did you mean: match 1" in said
    said = plain(says(house, anna, "show 3", **elsewhere))
    assert "Did you mean" not in said


def test_directors_name_competitions_as_emails_do(house: House, dora: Person) -> None:
    anna, bert, *_ = people(house, "Anna", "Bert", "Clara", "Emil")
    announced(house, dora, "Knockout lanrick-1893")
    enter(house, 1, (anna, bert))
    closes(house)
    assert "Done: pause competition 1." in plain(says(house, dora, "pause competition 1 rain"))
    assert "Done: resume knock-out 1." in plain(says(house, dora, "resume ko 1"))
    preview = says(house, dora, "announce competition 1 The final is on Sunday.")
    assert "competition 1" in plain(preview)
    says(house, dora, "confirm")
    assert "The final is on Sunday." in told(anna)
    done = plain(says(house, dora, "replace anna emil in competition 1"))
    assert "Done: replace Anna Emil in competition 1." in done


def test_member_who_leaves_the_club_leaves_its_competitions(house: House, dora: Person) -> None:
    anna, bert, clara, emil = people(house)
    announced(house, dora, "swiss lanrick-1893 rounds=2 max=3")
    enter(house, 1, (anna, bert, clara, emil))
    with writing(house.club) as work:
        assert anna.player is not None
        forget(work, work.players.get(anna.player.id))
    house.works()
    assert "you are now a player of competition 1" in told(emil)
    assert "Players: Bert, Clara and Emil." in asks(house, bert, "competition 1")


def test_competition_that_was_not_announced_is_shown_by_its_kind(house: House) -> None:
    anna, bert = people(house, "Anna", "Bert")
    house.series("lanrick-1893", anna, bert, 2)
    assert "Series 1, 2 games." in asks(house, anna, "competition series 1")
    assert "there is no competition 1 that members enter" in asks(house, anna, "competition 1")
    assert "There are no competitions at the moment." in asks(house, bert, "competitions")


def test_members_choose_whether_competitions_are_announced_to_them(
    house: House, dora: Person
) -> None:
    anna, bert, clara = people(house, "Anna", "Bert", "Clara")
    asks(house, anna, "set competitions off")
    announced(house, dora, "knock-out lanrick-1893 repeat=1w max=2")
    assert anna.receives() == []
    for each in (bert, clara, anna):
        asks(house, each, "enter 1 always")
    closes(house)
    rng = random.Random(1)
    while phase(house) is Phase.RUNNING:
        decides(house, rng)
    house.works()
    assert "competition 2 is open: knock-out" in told(anna)
    assert "You are on the waiting list." in told(anna)


@pytest.mark.parametrize(
    ("terms", "reason"),
    (
        ("swiss lanrick-1893", "please add rounds= to announce"),
        ("swiss lanrick-1893 rounds=5 min=4", "min must be a whole number from 6"),
        ("swiss lanrick-1993 rounds=5", "there is no game 'lanrick-1993'"),
        ("swiss rounds=5", "please name a game"),
        ("lanrick-1893 rounds=5", "please name the kind of competition: tournament, knock-out"),
        ("swiss lanrick-1893 rounds=5 min 4", "'min' is neither a kind of competition"),
        ("knock-out lanrick-1893 level=coin", "level must be seed or lots"),
        ("knock-out lanrick-1893 seats=3", "seats must be a whole number from 2 to 2"),
        ("knock-out lanrick-1893 colour=red", "colour"),
        ("knock-out lanrick-1893 repeat=often", "in days or weeks"),
        ("open-house lanrick-1893 until=2026-11-22", "cannot end on 2026-11-22"),
        ("set-league lanrick-1893", "three matches of Lanko between three players"),
        ("knock-out lanrick-1893 names=hidden", "Leave out names=hidden"),
        ("open-house lanrick-1893 until=9999-12-31", "9999-12-31 is more than ten years ahead"),
        ("league lanrick-1893 division=3 moves=2", "with division=3, moves must be at most 1"),
        ("tournament lanrick-1893 until=6 December 2026", "write the day like 2026-12-06"),
        ("team-match lanrick-1893 teams=Reds", "write two teams like teams=Reds,Blues"),
    ),
)
def test_announcement_that_is_not_possible_is_explained(
    house: House, dora: Person, terms: str, reason: str
) -> None:
    asked = says(house, dora, f"competition new {terms} enter-until={last_day(house)}")
    assert reason in plain(asked)
