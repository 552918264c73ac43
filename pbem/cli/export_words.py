"""What stands in the file that a member is given, in plain words: they know no tables."""

from __future__ import annotations

from collections.abc import Mapping

README = """\
What {club} keeps about {name}
as of {at}

This is everything. What other people wrote or chose is left out; where they
have to do with you, they are named. Times are in UTC.

The files that end in .json can be opened with any text editor. Each is a list;
an empty one, [], says that there is nothing of the kind.

{parts}

matches/
    Every match that you play or have played, with all its moves: as a text to
    be read (.txt), and as the same for programs (.json). This is what the
    club's archive has, or will have.
mails-from-you/
    Your mails to the club, each as it came. It has the number under which
    mails_from_you.json tells what became of it. Of some only that is left.
mails-to-you/
    The club's mails to you, likewise.

Keep this file to yourself. Who has the club's mails to you can answer them in
your name.

Not in this file is what others have: mails that the club sent to others, and
the reading room, which everybody may read. The club's log may name your
address until it is deleted; who runs the club knows when.

To have things changed: write "settings" or "addresses" to the club. To leave,
and be forgotten: write "forget me".
"""

ABOUT: Mapping[str, str] = {
    "member": "Your number and name, and what you or a director chose for you.",
    "addresses": "Your addresses, the one that is tried first on top, and which of them refused"
    " mail.",
    "blocked": "Whose challenges and tables you want to hear nothing of.",
    "leaves": "Days that you took off.",
    "absences": "What automatic answers from your mailbox said.",
    "seats": "Which seat you have in which match.",
    "notes": "What you wrote beside your turns for everybody to read.",
    "notes_waiting": "What you wrote to players who have not had a mail since.",
    "notes_for_you": "Who wrote you something that goes out with the next mail to you.",
    "offers": "Challenges and open tables that you made, or were asked to join.",
    "places_in_offers": "Your place in each of them.",
    "competitions": "Sets, series and tournaments that you play in.",
    "places_in_competitions": "Your place in each of them, as they began.",
    "questions": "What the club has asked you, or about your membership, and waits for.",
    "proofs": "Up to which mail and turn others may have read what proves that a mail is yours.",
    "decisions": "What directors did in your matches or about you, and what you did as one.",
    "mails_from_you": "What became of each mail that came from you.",
    "mails_to_you": "What became of each mail to you.",
}
"""What each part is, in a sentence."""
