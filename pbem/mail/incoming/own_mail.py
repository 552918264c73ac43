"""Own mails: the lines of the club's mails, told where a client quotes them without any mark.

The club knows how its mails begin, which sentences they hold and that all else in them is indented
or set in columns. So what stands between such lines, at the margin, was typed there by the reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.mail.columns import columns

_BEGINS = re.compile(
    r"\w[^:]{0,80}, (?:"
    r"it is your turn as .{1,40}, turn \d+ of match \d+"
    r"|turn \d+ of match \d+: .{1,80} is to act\."
    r"|one day is left for your turn as "
    r"|half of your time for turn \d+ of match \d+ is gone"
    r"|it is not your turn: .{1,80} is to act"
    r"|you answered an older mail[:,]"
    r"|i found (?:no move and no command|nothing new) in your mail\."
    r"|i read$|i could not make a move of$|did you send this\?$"
    r"|is this what you want\?$|you answered a question of mine"
    r"|your mail was not read to its end, so nothing"
    r"|draw offers are not part of this match"
    r"|there is nothing in match \d+ that waits"
    r"|you have resigned in this match: a draw is"
    r"|more than one mail waits for your confirmation"
    r"|to confirm a mail please send the word|a confirmation counts only in reply"
    r"|(?:nine|\d+) mails of yours have changed nothing"
    r"|the server that sent your mail has not signed it"
    r"|match \d+ is over[.:] )"
    r"|thank you, .{1,80}\. taken: "
    r"|turn \d+ of match \d+: .{1,80} is to act\."
    r"|match \d+, .{1,40}, turn \d+\. you play "
    r"|legal now in match \d+, turn \d+, for "
)
"""How a mail of the club begins; case-folded, as all patterns here."""

_SAYS = re.compile(
    r"please answer by \w+day \d"
    r"|since (?:your last turn|the mail you answered)$"
    r"|just reply, with your move on a line of its own"
    r"|(?:more than )?\d+ moves? (?:is|are) legal(?::$| \(send )"
    r"|.{1,80} is to act\. \"help\" tells"
    r"|\"help\" explains the rest"
    r"|nothing has changed in the match\.$"
    r"|(?:legal would be|did you mean|it would do this):?$"
    r"|then please send (?:it|the one you mean) again, on a line"
    r"|the match is over: "
    r"|below the line .{1,40} i read nothing"
    r"|match \d+ begins\.$|these are its terms; \"rules\" sends"
    r"|reply \"draw\" to accept it;"
    r"|(?:those who still play are asked|you have accepted it)\. "
    r"|the match ends if .{1,160} so, too, before"
    r"|you play .{1,80} sits below\.$"
    r"|these lines went to the other players"
    r"|only commands were read; these lines"
    r"|you play .{1,80}; (?:there is nothing for you to do|you can (?:answer|resign))"
    r"|it is .{1,80} turn now\. please look at the board"
    r"|there are more; this is the beginning of the list"
    r"|the record goes into the archive\."
    r"|thank you for playing\.$"
    r"|score: .{1,200}[+-]?\d"
    r"|set \d+, .{1,40}[:.,]"
    r"|(?:series|tournament) \d+\b"
    r"|.{1,160} (?:offers a draw|would resign|resigns|wins?|shares? the set|writes)\b.{0,80}[.:]$"
    r"|it is drawn: "
    r"|(?:white|black|yellow) (?:plays, up to|places a man|sets the mark|chooses the squares"
    r"|replaces an|takes off an|moves (?:a man|adverse men|men of his))"
    r"|(?:white|black), -?\d+ points$|\d+ knights are to be defeated"
    r"|your draw offer stands\."
    r"|because .{1,500}\.$|but (?:that is not legal: |it can mean more than one move)"
    r"|(?:a mail in your name reached match|if it is yours, reply to this mail with)"
    r"|(?:within \d+ days; it then counts|if it is not, do nothing[.;])"
    r"|in your mail about match \d|if that is what you want, reply|until you have confirmed"
    r"|this cannot be taken back|(?:it would do this|that question is settled|to move, answer)"
    r"|for anything else, answer another mail|a move, and whatever else changes a match"
    r"|you can still send|a request like this counts only"
    r"|please (?:send just the move|look at the board|reply to one mail)"
    r"|history of match \d+, entry \d+: "
    r"|\|(?: |$)"
)
"""Its other lines at the margin, their beginnings."""

_EXAMPLE_FOLLOWS = re.compile(
    r"(?:\bfor example|\bwith the one word|, i read|\bmake a move of"
    r"|^did you mean|legal would be|^it would do this|\b(?:is|are) legal):?$"
)
_IN_COLUMNS = re.compile(r"\S(?:   *|\t)\S")
_LAID_OUT = 2
"""Indented lines that show a quote has kept its form."""
_LONGEST = 200
"""Characters of a line, broken or not, that tells how a mail begins."""
_NARROWEST = 56
"""Columns of the narrowest lines that clients break quotes into."""
_OF_OTHERS = re.compile(r"[>\s]*\|(?: |$)")
_MARK = re.compile(r"([^\w\s>|\"'(\[]{1,2}) ?")


@dataclass(frozen=True)
class OwnMail:
    """One mail of the club in a text, from its first line up to (not with) `end`."""

    start: int
    end: int
    new: frozenset[int]
    """Lines inside that are not its own."""


def own_mails(lines: Sequence[str]) -> Iterator[OwnMail]:
    """Mails of the club in some lines (case-folded, blanks at their beginning kept), in order."""
    starts = [at for at in range(len(lines)) if _begins(lines, at)]
    for index, start in enumerate(starts):
        yield _read(lines, start, starts[index + 1] if index + 1 < len(starts) else len(lines))


def _begins(lines: Sequence[str], at: int) -> bool:
    """Whether a mail begins in a line, or in this and the next if a client broke it."""
    line, below = lines[at].strip(), "".join(lines[at + 1 : at + 2]).strip()
    if not line or _BEGINS.match(line):
        return bool(line)
    if not below or len(line) > _LONGEST or _BEGINS.match(below):
        return False
    broken = goes_on(line, below, any_words=False)
    return broken and _BEGINS.match(f"{line} {below[:_LONGEST]}") is not None


def foreign_mark(lines: Sequence[str]) -> str:
    """What is written before each quoted line instead of `>`, as before our first line.

    Never `|`, which the club itself puts before what others wrote.
    """
    for line in lines:
        mark = _MARK.match(line)
        if mark and _BEGINS.match(line, mark.end()):
            return mark[1]
    return ""


def is_of_others(line: str) -> bool:
    """Whether a line of ours, quoted or not, repeats what somebody else wrote."""
    return _OF_OTHERS.match(line) is not None


def is_ours(line: str) -> bool:
    """Whether a line is a sentence of ours, or repeats what somebody else wrote."""
    return bool(_BEGINS.match(line) or _SAYS.match(line))


def goes_on(above: str, line: str, *, any_words: bool) -> bool:
    """Whether a line may be the rest of the one above, which a client broke: no word more fits.

    Our own sentences end with a stop; of `any_words` that is not known.
    """
    above = above.rstrip()
    broken = columns(above) + 1 + columns(line.split(maxsplit=1)[0]) > _NARROWEST
    return broken and (any_words or not above.endswith((".", ":", "?")))


def _read(lines: Sequence[str], start: int, following: int) -> OwnMail:
    end, strange, example, others = start + 1, list[int](), False, False
    for at in range(start + 1, following):
        key = lines[at].strip()
        if not key or key.startswith(">"):
            continue
        rest = end == at and goes_on(lines[at - 1], key, any_words=others)
        others = is_of_others(key) or (others and rest)
        if example or rest or _SAYS.match(key) or _in_block(lines, at, end):
            end, example = at + 1, bool(_EXAMPLE_FOLLOWS.search(key))
        elif not _laid_out(lines, at):
            strange.append(at)
    if end == start + 1:  # not what is known of our mails
        return OwnMail(start, following, frozenset())
    kept_its_form = sum(line[:1] == " " for line in lines[start:end]) >= _LAID_OUT
    return OwnMail(start, end, frozenset(at for at in strange if at < end and kept_its_form))


def _in_block(lines: Sequence[str], at: int, end: int) -> bool:
    """Whether a line is set in columns, or indented right below one of ours."""
    return _IN_COLUMNS.search(lines[at]) is not None or (end == at and lines[at][:1] == " ")


def _laid_out(lines: Sequence[str], at: int) -> bool:
    """Whether a line is indented, or a title right above such lines."""
    below = lines[at + 1][:1] if at + 1 < len(lines) else ""
    above = lines[at - 1].rstrip()
    return lines[at][:1] == " " or (below == " " and above[:1] in ("", " "))
