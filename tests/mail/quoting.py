"""Clients: how players' email programs quote an email of the club in an answer.

Each takes the text of the email and returns the body of the answer, as text or as HTML. `ANSWER`
appears in it once, where the player types.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable, Mapping
from email.message import EmailMessage

from pbem.mail.outgoing.letter import to_html

ADDRESS = "club+1-3-w-k3v7q2mzt4hwa6xd@games.example"
WIDTHS = (60, 62, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 76, 78, 80)
NARROW = (30, 36, 42, 50)
"""Columns so few that no usual client breaks lines there. The answered email must be known."""

ATTRIBUTION = "On Sat, 21 Nov 2026 at 18:40, pbem wrote:\n\n"
BLOCK = f"From: pbem <{ADDRESS}>\nSent: Saturday\nTo: a\nSubject: b\n\n"
HEADS = {
    "nothing": "",
    "an attribution": ATTRIBUTION,
    "an attribution without a colon": "On 21/11/2026 pbem wrote\n\n",
    "a broken attribution": f"Am 21. Nov. 2026 um 18:40 schrieb pbem, your turn\n<{ADDRESS}>:\n\n",
    "a name and a date": "pbem, 21.11.2026 18:40\n\n",
    "a divider": "-----Original Message-----\n\n",
    "a divider and fields": f"-----Original Message-----\n{BLOCK}",
    "fields": "From: pbem\nSent: Saturday\nTo: Anna\nSubject: b\n\n",
    "fields of another language": f"Feladó: pbem <{ADDRESS}>\nElküldve: 2026. 11. 21.\n\n",
}

Client = Callable[[str], str]


def marked(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.split("\n"))


def without_layout(text: str) -> str:
    return "\n".join(line.strip() for line in text.split("\n"))


def rewrapped(text: str, width: int, *, breaks_words: bool = True) -> str:
    return "\n".join(
        part
        for line in text.split("\n")
        for part in textwrap.wrap(
            line, width, replace_whitespace=False, break_long_words=breaks_words
        )
        or [""]
    )


def in_bytes(text: str, width: int) -> str:
    """Break lines with too many bytes, as old programs count."""
    lines: list[str] = []
    for line in text.split("\n"):
        first, *words = line.split(" ")
        lines.append(first)
        for word in words:
            fits = len(f"{lines[-1]} {word}".encode()) <= width
            lines[-1:] = [f"{lines[-1]} {word}"] if fits else [lines[-1], word]
    return "\n".join(lines)


def rewrapping(width: int) -> dict[str, Client]:
    """Return clients that re-wrap the lines they quote."""
    return {
        f"marked, then {width}": lambda text: ATTRIBUTION + rewrapped(marked(text), width),
        f"marked, then {width}, words whole": lambda text: (
            ATTRIBUTION + rewrapped(marked(text), width, breaks_words=False)
        ),
        f"marked twice, then {width}": lambda text: (
            ATTRIBUTION + rewrapped(marked(marked(text)), width)
        ),
        f"marked, then {width} bytes": lambda text: ATTRIBUTION + in_bytes(marked(text), width),
        f"{width}": lambda text: rewrapped(text, width),
        f"{width}, words whole": lambda text: BLOCK + rewrapped(text, width, breaks_words=False),
        f"{width}, without layout": lambda text: BLOCK + rewrapped(without_layout(text), width),
    }


TEXT: Mapping[str, Client] = {
    **{f"below {name}": lambda text, head=head: head + text for name, head in HEADS.items()},  # type: ignore[misc]
    "marked": lambda text: ATTRIBUTION + marked(text),
    "marked twice": lambda text: marked(marked(text)),
    "behind bars": lambda text: ATTRIBUTION + marked(text, "| "),
    "behind initials": lambda text: ATTRIBUTION + marked(text, "AB> "),
    "without layout": lambda text: BLOCK + without_layout(text),
    "nothing above, without layout": without_layout,
    **{name: client for width in WIDTHS for name, client in rewrapping(width).items()},
}


def _attribution_of_html() -> str:
    return f"<div>On Sat, 21 Nov 2026 at 18:40, pbem &lt;{ADDRESS}&gt; wrote:<br></div>"


def _fields_of_html() -> str:
    pairs = (
        ("From", f"pbem &lt;{ADDRESS}&gt;"),
        ("Sent", "Saturday"),
        ("To", "a"),
        ("Subject", "b"),
    )
    return "<p>" + "<br>".join(f"<b>{name}:</b> {value}" for name, value in pairs) + "</p>"


def _body(document: str) -> str:
    return document.partition("<body>")[2].partition("</body>")[0] or document


def _quote(opening: str, closing: str, above: str = "") -> Client:
    return lambda document: f"{above}{opening}{_body(document)}{closing}"


QUOTES_OF_HTML: Mapping[str, Client] = {
    "Gmail": _quote(
        '<blockquote class="gmail_quote" style="border-left:1px solid #ccc">',
        "</blockquote>",
        _attribution_of_html(),
    ),
    "Apple": _quote(f'<blockquote type="cite">{_attribution_of_html()}', "</blockquote>"),
    "Thunderbird": _quote(
        '<blockquote type="cite" cite="mid:1">',
        "</blockquote>",
        '<div class="moz-cite-prefix">Am 21.11.26 um 18:40 schrieb pbem:<br></div>',
    ),
    "Yahoo": _quote(f'<div class="yahoo_quoted">{_attribution_of_html()}', "</div>"),
    "Proton": _quote('<div class="protonmail_quote">-------- Original Message --------', "</div>"),
    "GMX": _quote('<div name="quote" style="border-left:2px solid #C3D9E5">', "</div>"),
    "Outlook": _quote(
        f'<div style="border:none;border-top:solid #E1E1E1 1.0pt">{_fields_of_html()}</div>', ""
    ),
    "Outlook on the web": _quote(f'<hr><div id="divRplyFwdMsg">{_fields_of_html()}</div>', ""),
    "a divider": _quote("<div>", "</div>", "<p>*****Original Message*****</p>"),
    "nothing": _quote("", ""),
}


def in_a_table(document: str) -> str:
    return f"<table><tr><td>{_body(document)}</td><td>&nbsp;</td></tr></table>"


def of_text(text: str) -> str:
    return html.escape(text).replace("\n", "<br>\n")


def in_pre(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def a_row_a_line(text: str) -> str:
    rows = (f"<tr><td>{html.escape(line)}</td></tr>" for line in text.split("\n"))
    return f"<table>{''.join(rows)}</table>"


def with_entities(text: str) -> str:
    """Write characters as entities: those outside the client's charset, or all but letters."""
    return re.sub(r"[^\w\s<>/=\"';:.,#&-]|[^\x00-\x7f]|&amp;", _as_entity, to_html(text))


def _as_entity(found: re.Match[str]) -> str:
    return "&#38;" if found[0] == "&amp;" else f"&#{ord(found[0])};"


LAYOUTS_OF_HTML: Mapping[str, Client] = {
    "as sent": to_html,
    "of text": of_text,
    "in pre": in_pre,
    "in a table": lambda text: in_a_table(to_html(text)),
    "a row a line": a_row_a_line,
    "with entities": with_entities,
}


def as_html(layout: str, quote: str) -> Client:
    """Return a client that answers in HTML only."""
    return lambda text: QUOTES_OF_HTML[quote](LAYOUTS_OF_HTML[layout](text))


HTML: Mapping[str, Client] = {
    f"{quote}, {layout}": as_html(layout, quote)
    for quote in QUOTES_OF_HTML
    for layout in LAYOUTS_OF_HTML
}


def mail_of(body: str, *, html_only: bool) -> bytes:
    """Return an answer with that body."""
    mail = EmailMessage()
    mail["From"] = "Anna <anna@mail.example>"
    mail.set_content(body, subtype="html" if html_only else "plain", cte="8bit")
    return mail.as_bytes()


def answered(body: str, said: str, where: str, *, html_only: bool) -> str:
    """Return a body with the player's words above the quote, below it, or inside."""
    said = f"<div>{said}</div>\n" if html_only else f"{said}\n"
    if where == "above":
        return f"{said}\n{body}"
    if where == "below":
        return f"{body}\n\n{said}"
    return _inside(body, said, html_only=html_only)


def _inside(body: str, said: str, *, html_only: bool) -> str:
    """Put text in the middle. A marked quote is interrupted there."""
    if not html_only:
        lines = body.split("\n")
        blank = [at for at, line in enumerate(lines) if not line.strip("> |")]
        at = blank[len(blank) // 2] if blank else len(lines)
        return "\n".join((*lines[: at + 1], "", said, *lines[at + 1 :]))
    opening, tag, rest = body.partition("<blockquote")
    places = [found.end() for found in re.finditer(r"</p>|</pre>\n", rest)]
    if not places:
        return body + said
    at = places[len(places) // 2]
    if not tag:
        return opening + said
    again = "</blockquote>" + said + '<blockquote type="cite">'
    return opening + tag + rest[:at] + again + rest[at:]
