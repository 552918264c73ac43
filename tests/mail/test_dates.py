"""Dates as people write them."""

from __future__ import annotations

from datetime import date

import pytest
from babel.dates import get_month_names

from pbem.mail.dates.away import days_away
from pbem.mail.dates.day import LANGUAGES, DateError
from pbem.mail.dates.span import could_be_span, read_span

TODAY = date(2026, 11, 22)
"""A Sunday."""
HOLIDAYS = (date(2026, 12, 20), date(2027, 1, 3))


@pytest.mark.parametrize(
    "text",
    (
        "2026-12-20 2027-01-03",
        "2026-12-20/2027-01-03",
        "2026-12-20 to 03 jan",
        "from 20 December to 3 January",
        "20th December – 3rd January",
        "Sunday, December 20, 2026 through Jan 3, 2027",
        "20.12.-3.1.",
        "20.12. - 3.1.27",
        "20 December 15 days",
        "15 days from the 20th of December",
    ),
)
def test_same_span_is_read_in_many_spellings(text: str) -> None:
    assert read_span(text, TODAY) == HOLIDAYS


@pytest.mark.parametrize(
    ("text", "first", "last"),
    (
        ("7 days", "2026-11-22", "2026-11-28"),
        ("two weeks", "2026-11-22", "2026-12-05"),
        ("until 3 January", "2026-11-22", "2027-01-03"),
        ("until 3 stycznia", "2026-11-22", "2027-01-03"),
        ("till Friday", "2026-11-22", "2026-11-27"),
        ("until Freitag", "2026-11-22", "2026-11-27"),
        ("until Sunday", "2026-11-22", "2026-11-29"),
        ("until 20/12/2026", "2026-11-22", "2026-12-20"),
        ("tomorrow", "2026-11-23", "2026-11-23"),
        ("tomorrow for 5 days", "2026-11-23", "2026-11-27"),
        ("from Monday to Friday", "2026-11-23", "2026-11-27"),
        ("Dec 20–27", "2026-12-20", "2026-12-27"),
        ("20 to 27 December", "2026-12-20", "2026-12-27"),
        ("20 November to 3 December", "2026-11-20", "2026-12-03"),
        ("29 February", "2028-02-29", "2028-02-29"),
    ),
)
def test_missing_parts_of_a_date_are_filled_in(text: str, first: str, last: str) -> None:
    span = read_span(text, TODAY)
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)


@pytest.mark.parametrize(
    "text",
    ("until 03/01/2027", "until christmas", "30 February", "from 20 December", "0 days", "20",
     "99999999999 days", "next week"),
)  # fmt: skip
def test_unreadable_days_are_still_recognised_as_days(text: str) -> None:
    assert could_be_span(text)
    with pytest.raises(DateError):
        read_span(text, TODAY)


@pytest.mark.parametrize(
    "text", ("me alone", "2 pieces behind", "it to the others", "table 7", "to the others", "")
)
def test_other_sentences_are_not_read_as_days(text: str) -> None:
    assert not could_be_span(text)


@pytest.mark.parametrize(
    ("text", "days"),
    (
        ("I am out of office from 20 December to 3 January and will answer later.", HOLIDAYS),
        ("Ich bin vom 20.12.2026 bis einschließlich 03.01.2027 nicht im Büro.", HOLIDAYS),
        ("Jestem nieobecny od 20 grudnia do 3 stycznia.", HOLIDAYS),
        ("Je suis absent du 20 décembre au 3 janvier.", HOLIDAYS),
        ("Away Dec 20 through Jan 3", HOLIDAYS),
        ("On holiday from 20 to 27 December.", (HOLIDAYS[0], date(2026, 12, 27))),
        ("Od 20 do 30 listopada przebywam na urlopie.", (TODAY, date(2026, 11, 30))),
        ("Absente jusqu’au lundi 30 novembre.", (TODAY, date(2026, 11, 30))),
        ("Ich bin ab dem 4. Januar wieder erreichbar.", (TODAY, HOLIDAYS[1])),
        ("I'll return on January 4th. Room 12, +49 30 123456.", (TODAY, HOLIDAYS[1])),
        ("Until 3 January; back on 4 January.", (TODAY, HOLIDAYS[1])),
    ),
)
def test_out_of_office_reply_gives_the_days_away(text: str, days: tuple[date, date]) -> None:
    assert days_away("Out of office", text, TODAY) == days


def test_subject_gives_the_days_if_the_text_does_not() -> None:
    subject = "AUTO: Bert Hall is out of the office (returning 04.01.2027)"
    assert days_away(subject, "I shall read it then.", TODAY) == (TODAY, HOLIDAYS[1])


@pytest.mark.parametrize(
    "text",
    (
        "Away until Monday.",
        "I will be back on 01/04/2027.",
        "Our office was founded on 3 May 1980.",
        "I am away on 3 December, and from 20 December to 3 January.",
        "In Rome from 1 to 5 December, in Paris from 10 to 12 December.",
        "Away until 1 November 2026.",
        "Away until 3 January 2040.",
        "",
    ),
)
def test_unclear_days_are_left_to_people(text: str) -> None:
    assert days_away("Away", text, TODAY) is None


def test_month_names_are_unambiguous() -> None:
    named = {
        (name.casefold().removesuffix("."), number)
        for language in LANGUAGES
        for width in ("wide", "abbreviated")
        for context in ("format", "stand-alone")
        for number, name in get_month_names(width, context, language).items()
    }
    assert len({name for name, _ in named}) == len(named)
