"""Clients that quote an email's HTML: what they make of it, as text and as HTML.

Each returns the lines of the quote with its head, and the places where the player may type. They
imitate real emails of the named programs, which differ in how they separate table cells, where
links go, what precedes a list item, and how they mark and break a quote.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from email.message import EmailMessage
from html import escape
from html.parser import HTMLParser
from typing import NamedTuple

ADDRESS = "club+1-3-w-k3v7q2mzt4hwa6xd@games.example"


class Sent(NamedTuple):
    """An email in both forms."""

    text: str
    html: str


class Reply(NamedTuple):
    """The text a client prepares below an empty line, before the player types."""

    text: str = ""
    """The text/plain part, or empty if it sends only HTML."""
    html: str = ""
    """The HTML part, or empty if it sends only text."""


Client = Callable[[Sent], Reply]


@dataclass(frozen=True)
class Habits:
    """The ways in which a program turns HTML into text."""

    cell: str = "\t"
    """Separator between two cells of a row."""
    link: str = "{words} <{href}>"
    item: str = "* "
    note: str = ""
    """Prefix of lines in a blockquote."""
    width: int = 0
    """Columns at which lines are broken, or 0 for none."""
    mark: str = ""
    """Prefix of each line, added after breaking."""
    footnotes: str = ""
    """Heading above the list of link targets, if links are numbered."""
    escaped: str = ""
    """Characters that get a backslash in front."""
    indent: str = ""
    picture: str = "[image: {alt}]"
    """Text for a picture in the HTML."""


def as_text(html: str, habits: Habits) -> str:
    """Return the text of an email's HTML."""
    reader = _Reader(habits)
    reader.feed(html)
    lines = [line.strip(" ") for line in "".join(reader.said).split("\n")]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    if reader.hrefs:
        notes = (f"[{at}] {href}" for at, href in enumerate(reader.hrefs, start=1))
        text += habits.footnotes + "\n".join(notes)
    if habits.width:
        text = "\n".join(part for line in text.split("\n") for part in _broken(line, habits.width))
    lines = [f"{habits.mark}{habits.indent}{line}".rstrip() for line in text.split("\n")]
    return "\n".join(lines)


def _broken(line: str, width: int) -> list[str]:
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]


_BLOCKS = frozenset({"p", "div", "ul", "table", "blockquote", "dl", "h1", "h2", "h3", "pre"})
_LINES = frozenset({"li", "tr", "dt", "dd"})


class _Reader(HTMLParser):
    """Write the text while reading the HTML."""

    def __init__(self, habits: Habits) -> None:
        super().__init__()
        self.habits = habits
        self.said: list[str] = []
        self.hrefs: list[str] = []
        self._hidden = 0
        self._note = ""
        self._open: list[tuple[str, int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in ("head", "style", "title")
        if tag == "blockquote":
            self._note = self.habits.note
        if tag in _BLOCKS:
            self.said.append(f"\n\n{self._note}")
        elif tag in _LINES or tag == "br":
            self.said.append(f"\n{self._note}" + (self.habits.item if tag == "li" else ""))
        elif tag in ("td", "th"):
            self.said.append(self.habits.cell)
        elif tag == "img":
            self.said.append(self.habits.picture.format(alt=dict(attrs).get("alt") or ""))
        elif tag == "a":
            self._open.append((dict(attrs).get("href") or "", len(self.said)))

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("head", "style", "title")
        if tag == "blockquote":
            self._note = ""
        if tag in _BLOCKS:
            self.said.append("\n\n")
        elif tag == "a" and self._open:
            href, at = self._open.pop()
            words = "".join(self.said[at:])
            if self.habits.footnotes:
                self.hrefs.append(href)
            link = self.habits.link.format(words=words, href=href, number=len(self.hrefs))
            self.said[at:] = [link]

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            words = re.sub(r"\s+", " ", data)
            for sign in self.habits.escaped:
                words = words.replace(sign, f"\\{sign}")
            self.said.append(words)


FROM = f"pbem, your turn <{ADDRESS}>"
SUBJECT = "[pbem 12] Lanko-103: your turn"
OUTLOOK = Habits(
    picture="[cid:image001.png@01DC5A3F]", cell="\t", link="{words}<{href}>", item="*\t"
)


def _below(head: str, habits: Habits) -> Callable[[Sent], str]:
    return lambda sent: head + as_text(sent.html, habits)


def body_of(html: str) -> str:
    """Return the body of a document as a div, as most clients do."""
    found = re.search(r"<body([^>]*)>(.*)</body>", html, re.DOTALL)
    return f"<div{found[1]}>{found[2]}</div>" if found else html


def as_browsers_write(html: str) -> str:
    """Write styles like a browser: with spaces, and colours as numbers."""
    html = re.sub(r"(?<=[\w-]):(?=[\w#-])(?=[^<>]*\")(?!//)(?<!mailto:)", ": ", html)
    return re.sub(r"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})(?=[;\"!])", _rgb, html)


def _rgb(found: re.Match[str]) -> str:
    return f"rgb({', '.join(str(int(each, 16)) for each in found.groups())})"


def as_word_writes(html: str) -> str:
    """Write paragraphs like Word: its own classes, sizes in points, unknown styles left out."""
    html = re.sub(
        r"<blockquote[^>]*>",
        "<blockquote style='border:none;border-left:solid "
        "#9A8F78 2.25pt;padding:2.0pt 0cm 2.0pt 11.0pt;margin-left:0cm'><p class=MsoNormal>",
        html,
    )
    html = html.replace("</blockquote>", "<o:p></o:p></p></blockquote>")
    html = re.sub(r"<p [^>]*>", "<p class=MsoNormal style='margin-bottom:10.5pt'>", html)
    return re.sub(
        r"(<td[^>]*style=\")[^\"]*(\"[^>]*>)(.*?)</td>",
        r"\1padding:.75pt\2<p class=MsoNormal align=center><span "
        r"style='font-size:7.0pt;font-family:Arial'>\3<o:p></o:p></span></p></td>",
        html,
    )


def _quote(
    opening: str, closing: str, layout: Callable[[str], str] = body_of
) -> Callable[[Sent], str]:
    return lambda sent: f"{opening}{layout(sent.html)}{closing}"


def _browsers(html: str) -> str:
    return as_browsers_write(body_of(html))


def _word(html: str) -> str:
    return as_word_writes(body_of(html))


def both(text: Callable[[Sent], str], html: Callable[[Sent], str]) -> Client:
    """Return a client that sends both parts."""
    return lambda sent: Reply(text(sent), html(sent))


def only_text(text: Callable[[Sent], str]) -> Client:
    """Return a client that sends text."""
    return lambda sent: Reply(text(sent))


def only_html(html: Callable[[Sent], str]) -> Client:
    """Return a client that sends HTML."""
    return lambda sent: Reply("", html(sent))


ON = f"On Sat, Nov 21, 2026 at 6:40 PM {FROM} wrote:"
AM = f"Am 21. November 2026 um 18:40 schrieb {FROM}:"
FIELDS = (
    f"From: {FROM}\nSent: Saturday, November 21, 2026 6:40 PM\nTo: Anna\nSubject: {SUBJECT}\n\n"
)
VON = f"Von: {FROM}\nGesendet: Samstag, 21. November 2026 18:40\nAn: Anna\nBetreff: {SUBJECT}\n\n"
MARKED = Habits(mark="> ")
GMAIL = (
    f'<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
    f'{escape(ON)}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;'
    'border-left:1px solid rgb(204,204,204);padding-left:1ex">'
)
APPLE = f'<div><br><blockquote type="cite"><div>{escape(ON)}</div><br><div>'
WORD = (
    '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
    '<p class="MsoNormal">' + escape(FIELDS.strip()).replace("\n", "<br>") + "</p></div>"
)
WEB = (
    '<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr"><font '
    'face="Calibri" style="font-size:11pt">'
    + escape(FIELDS.strip()).replace("\n", "<br>")
    + "</font><div>&nbsp;</div></div>"
)
LINE = "_" * 32 + "\n"
ROUNDCUBE = Habits(
    cell="\t",
    link="{words} [{number}]",
    item="\t* ",
    footnotes="\n\nLinks:\n------\n",
    width=72,
    mark="> ",
)

CLIENTS: Mapping[str, Client] = {
    "Gmail on the web": both(
        _below(f"{ON}\n\n", Habits(cell="\n", width=72, mark="> ")),
        _quote(GMAIL, "</blockquote></div>", _browsers),
    ),
    "Gmail on Android": both(
        _below(f"{AM}\n\n", Habits(cell=" ", link="{words}\n<{href}>", mark="> ")),
        _quote(GMAIL, "</blockquote></div>"),
    ),
    "Gmail, HTML alone": only_html(_quote(GMAIL, "</blockquote></div>", _browsers)),
    "Apple Mail": both(
        _below(
            f"> {ON}\n> \n",
            Habits(picture="<board.png>", cell="\t", note="> ", item="• ", mark="> "),
        ),
        _quote(APPLE, "</div></blockquote></div>"),
    ),
    "iPhone": only_text(_below(f"> {AM}\n> \n> \ufeff", Habits(cell="\n", note="> ", mark="> "))),
    "Outlook for Windows": both(_below(FIELDS, OUTLOOK), _quote(WORD, "", _word)),
    "Outlook for Windows, text": only_text(
        _below(
            f"-----Original Message-----\n{VON}", replace(OUTLOOK, link='HYPERLINK "{href}"{words}')
        )
    ),
    "Outlook for Windows, HTML alone": only_html(_quote(WORD, "", _word)),
    "Outlook on the web": both(
        _below(
            LINE + FIELDS,
            Habits(picture="[{alt}]", cell="\n", link="{words}<{href}>", item="  *   "),
        ),
        _quote(WEB, "", _browsers),
    ),
    "Outlook on the web, HTML alone": only_html(_quote(WEB, "", _browsers)),
    "Outlook on a phone": only_text(
        _below(
            f"Get Outlook for iOS<https://aka.ms/o0ukef>\n{LINE}{FIELDS}",
            Habits(cell=" ", link="{words}<{href}>", item="  *   "),
        )
    ),
    "Thunderbird": only_text(
        _below(
            f"Am 21.11.26 um 18:40 schrieb {FROM}:\n",
            Habits(cell="\t", note="> ", item="  * ", width=72, mark="> "),
        )
    ),
    "Thunderbird, HTML": both(
        _below(f"Am 21.11.26 um 18:40 schrieb {FROM}:\n", Habits(note="> ", width=72, mark="> ")),
        _quote(
            '<div class="moz-cite-prefix">Am 21.11.26 um 18:40 schrieb pbem:<br></div>'
            '<blockquote type="cite" cite="mid:1">',
            "</blockquote>",
        ),
    ),
    "K-9": only_text(
        _below(f"{AM}\n", Habits(picture="", cell=" ", link="{words}", item="- ", mark="> "))
    ),
    "K-9, head": only_text(
        _below(f"-------- Original Message --------\n{FIELDS}", Habits(cell=" ", link="{words}"))
    ),
    "Yahoo": both(
        _below(f"    {ON}\n \n", Habits(cell=" ", link="{words}", item="   - ", indent="  ")),
        _quote(
            f'<div id="ydp1yahoo_quoted" class="ydp1yahoo_quoted"><div>{escape(ON)}</div>', "</div>"
        ),
    ),
    "GMX": only_html(
        _quote(
            '<div name="quote" style="margin:10px 5px 5px 10px;border-left:2px solid #C3D9E5">'
            f"<div><b>Gesendet:</b> Samstag<br><b>Von:</b> {escape(FROM)}</div>",
            "</div>",
            _browsers,
        )
    ),
    "GMX, text": only_text(
        _below(
            f"Gesendet: Samstag, 21. November 2026 um 18:40\n{VON}",
            Habits(cell="\n", link="{words}"),
        )
    ),
    "Proton": both(
        _below(
            f"{ON}\n\n",
            Habits(cell="\n\n", link="[{words}]({href})", item="*   ", mark="> ", escaped="[]_"),
        ),
        _quote(
            f'<div class="protonmail_quote">{escape(ON)}'
            '<blockquote class="protonmail_quote" type="cite">',
            "</blockquote></div>",
        ),
    ),
    "Samsung": only_text(
        _below(f"-------- Original message --------\n{FIELDS}", Habits(cell=" ", link="{words} "))
    ),
    "Roundcube": only_text(_below("On 2026-11-21 18:40, pbem wrote:\n\n", ROUNDCUBE)),
    "Roundcube, no marks": only_text(_below("", replace(ROUNDCUBE, mark=""))),
    "mutt with lynx": only_text(
        _below(
            f"{ON}\n\n",
            Habits(
                cell=" ",
                link="[{number}]{words}",
                mark="> ",
                footnotes="\n\nReferences\n\n   Visible links\n",
            ),
        )
    ),
    "mutt": only_text(
        lambda sent: f"{ON}\n\n" + "\n".join(f"> {line}".rstrip() for line in sent.text.split("\n"))
    ),
    "nothing above": only_text(_below("", Habits(picture="{alt}", cell="\n", link="{words}"))),
    "nothing above, links": only_text(
        _below("", Habits(cell=" ", link="{words} <{href}>", width=76))
    ),
    "nothing above, HTML alone": only_html(_quote("", "", _word)),
}


def mail_of(reply: Reply) -> bytes:
    """Return an answer with these parts."""
    mail = EmailMessage()
    mail["From"] = "Anna <anna@mail.example>"
    if reply.text:
        mail.set_content(reply.text, cte="quoted-printable")
    if reply.html and reply.text:
        mail.add_alternative(reply.html, subtype="html", cte="quoted-printable")
    elif reply.html:
        mail.set_content(reply.html, subtype="html", cte="quoted-printable")
    return mail.as_bytes()


def above(reply: Reply, typed: str) -> Reply:
    """Type above the quote."""
    return Reply(
        f"{typed}\n\n{reply.text}" if reply.text else "",
        f'<div dir="ltr">{escape(typed)}</div><br>{reply.html}' if reply.html else "",
    )


def below(reply: Reply, typed: str) -> Reply:
    """Type below everything."""
    return Reply(
        f"{reply.text}\n\n{typed}\n" if reply.text else "",
        f'{reply.html}<div dir="ltr"><br>{escape(typed)}</div>' if reply.html else "",
    )


def between(reply: Reply, typed: str, part: float) -> Reply:
    """Type in a new line somewhere in the quoted text."""
    lines = reply.text.split("\n")
    at = int(part * len(lines))
    return Reply("\n".join((*lines[:at], "", typed, "", *lines[at:])))
