"""All promises together: the class that an author of games derives from."""

from __future__ import annotations

from pbem.testing.additions import AdditionTests
from pbem.testing.boards import BoardTests
from pbem.testing.by_email import EmailTests
from pbem.testing.files import FileTests
from pbem.testing.play import PlayTests
from pbem.testing.position_texts import PositionTextTests
from pbem.testing.reading import ReadingTests
from pbem.testing.refusals import RefusalTests
from pbem.testing.speed import SpeedTests
from pbem.testing.words import PhraseFileTests, TranslationTests


class FamilyTests(
    PlayTests,
    ReadingTests,
    RefusalTests,
    BoardTests,
    PhraseFileTests,
    TranslationTests,
    PositionTextTests,
    FileTests,
    AdditionTests,
    EmailTests,
    SpeedTests,
):
    """The tests of a family of games. Derive from it: `class TestNim(FamilyTests, family=…)`."""
