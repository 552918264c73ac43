"""Record files, the index and the files of sets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.archive.files import ArchiveFile, match_of_file, read_record, record_files
from pbem.archive.index import index_file
from pbem.games import game_of
from pbem.mail.outgoing.competition_view import CompetitionView
from pbem.matches.competitions.set import MatchSet
from pbem.matches.match import Match, MatchOptions, Result, new_match
from pbem.matches.record import RecordError
from pbem.service.records.publish import painted_competition
from tests.matches.playing import ANNA, BERT, CLARA, NAMES, START
from tests.matches.records import RESIGNED, resigned

OPTIONS = MatchOptions(draw_offers=False)
SET = MatchSet("lanko-103", (ANNA, BERT, CLARA), OPTIONS, START, id=8, number=3)


def match_of_set(index: int, white_minus_black: int | None) -> Match:
    game = game_of(SET.game_key)
    pairing = list(SET.pairings())[index - 1]
    match = new_match(game, pairing.players, SET.options, START, place=SET.place(pairing))
    match = replace(match, id=11 + index)
    if white_minus_black is None:
        return match
    d = white_minus_black
    winners = ("S", "N") if d > 0 else ("W", "E") if d < 0 else ()
    scores = {"S": d, "W": -d, "N": d, "E": -d}
    return replace(match, result=Result(winners, "agreed", scores, START.replace(day=24)))


def set_file(matches: list[Match]) -> ArchiveFile:
    return painted_competition(CompetitionView(SET, matches, NAMES, head=False))


# --------------------------------------------------------------------------------- records


def test_record_becomes_two_files() -> None:
    text, whole = record_files(resigned())
    assert text.name == "match-000012-lanko-68.txt"
    assert whole.name == "match-000012-lanko-68.json"
    assert text.data.decode() == RESIGNED
    assert read_record(text) == read_record(whole) == resigned()


def test_match_number_is_read_from_the_file_name() -> None:
    assert match_of_file("match-000012-lanko-68.json") == 12
    assert match_of_file("match-1234567-lanrick-1881.txt") == 1234567
    assert match_of_file("index.txt") is None
    assert match_of_file("set-000003-lanko-68.txt") is None
    assert match_of_file("match-000012-lanko-68.txt.bak") is None


def test_non_text_file_is_refused_with_its_line() -> None:
    with pytest.raises(RecordError, match="line 2: this is not UTF-8"):
        read_record(ArchiveFile("match-000012-lanko-68.txt", b'[Record "pbem 2"]\n[S "\xff"]\n'))


# ---------------------------------------------------------------------------------- index


def test_index_lists_ended_matches() -> None:
    matches = [match_of_set(3, None), match_of_set(2, -12), match_of_set(1, 0)]
    file = index_file(matches, NAMES, [SET])
    assert file.name == "index.txt"
    assert (
        file.data.decode()
        == """\
2 matches have ended.

    12  Lanko-103, 2026-11-21 to 2026-11-24, match 1 of set 3
        S Bert, W and E Anna, N Clara
        Drawn: the players agreed to end the game (+++) (Bert 0, Anna 0,
        Clara 0).
        match-000012-lanko-103.txt

    13  Lanko-103, 2026-11-21 to 2026-11-24, match 2 of set 3
        S Clara, W and E Bert, N Anna
        Bert wins: the players agreed to end the game (+++) (Clara -12,
        Bert +12, Anna -12).
        match-000013-lanko-103.txt

        Set 3, Lanko-103, begun 2026-11-21
        Anna, Bert and Clara
        set-000003-lanko-103.txt
"""
    )


def test_index_of_an_empty_archive() -> None:
    assert index_file([], NAMES).data == b"0 matches have ended.\n"


# ----------------------------------------------------------------------------------- sets


def test_file_of_a_running_set() -> None:
    # Bert's 12 points in match 2 cost each of the pair 12.
    file = set_file([match_of_set(1, 0), match_of_set(2, -12), match_of_set(3, None)])
    assert file.name == "set-000003-lanko-103.txt"
    assert (
        file.data.decode()
        == """\
Set 3, Lanko-103, begun 2026-11-21

           1      2      3    sum
Anna       0    -12      .    -12
Bert       0    +12      .    +12
Clara      0    -12      .    -12

1  Anna solo, match 12
   Drawn: the players agreed to end the game (+++) (Bert 0, Anna 0,
   Clara 0).
   match-000012-lanko-103.txt
2  Bert solo, match 13
   Bert wins: the players agreed to end the game (+++) (Clara -12, Bert
   +12, Anna -12).
   match-000013-lanko-103.txt
3  Clara solo, match 14
   being played
"""
    )


def test_file_of_an_ended_set_names_the_winner() -> None:
    # Anna 0 - 12 + 30, Bert 0 + 12 + 30, Clara 0 - 12 - 30.
    matches = [match_of_set(1, 0), match_of_set(2, -12), match_of_set(3, 30)]
    text = set_file(matches).data.decode()
    assert "Anna       0    -12    +30    +18\n" in text
    assert "Bert       0    +12    +30    +42\n" in text
    assert "Clara      0    -12    -30    -42\n" in text
    assert text.endswith("\n\nBert wins the set.\n")


def test_set_may_be_shared() -> None:
    matches = [match_of_set(index, 0) for index in (1, 2, 3)]
    text = set_file(matches).data.decode()
    assert text.endswith("\n\nAnna, Bert and Clara share the set.\n")
