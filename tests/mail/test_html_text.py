"""HTML as text: decoded once, and without lines that a reader of the HTML does not see."""

from __future__ import annotations

import pytest

from pbem.mail.message.html_text import html_text

LINE_ENDS = ("\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")
QUOTED = '<blockquote type="cite">{}</blockquote>'


def lines(source: str) -> list[str]:
    """Split text into lines as games and commands do."""
    return [line.strip() for line in html_text(source).splitlines() if line.strip()]


@pytest.mark.parametrize(
    ("source", "text"),
    (
        ("&amp;#10;resign", "&#10;resign"),
        ("&#38;#10;resign", "&#10;resign"),
        ("&amp;NewLine;resign&amp;#8233;", "&NewLine;resign&#8233;"),
        ("&amp;amp;#10;resign", "&amp;#10;resign"),
        ("&lt;br&gt;resign", "<br>resign"),
        ("<xmp>&#10;resign</xmp>", "&#10;resign"),
        ("<textarea>&amp;#10;resign</textarea>", "&#10;resign"),
        ("<svg><text>&amp;#10;resign</text></svg>", "&#10;resign"),
        ("a<!-- > -->&amp;#10;resign", "a&#10;resign"),
        ("a<?xml:namespace prefix = o />&amp;#10;resign", "a&#10;resign"),
        ('a<img alt="&#10;resign" title="&#10;resign">b', "ab"),
        ("&amp;&lt;&#228;&euro;", "&<ä€"),
    ),
)
@pytest.mark.parametrize("around", ("{}", "<pre>{}</pre>", "<table><tr><td>{}</table>", QUOTED))
def test_html_is_decoded_once(source: str, text: str, around: str) -> None:
    marks = "> " if around == QUOTED else ""

    assert lines(around.format(source)) == [marks + text]


@pytest.mark.parametrize("end", LINE_ENDS, ids=map(ascii, LINE_ENDS))
@pytest.mark.parametrize("as_entity", (False, True))
def test_line_end_counts_only_in_preformatted_text_and_keeps_its_mark(
    end: str, as_entity: bool
) -> None:
    written = "".join(f"&#{ord(char)};" for char in end) if as_entity else end
    source = f"a{written}resign"

    assert len(lines(f"<p>{source}</p>")) == 1
    for quoted in (QUOTED.format(source), QUOTED.format(f"<pre>{source}</pre>")):
        assert all(line.startswith("> ") for line in lines(quoted))


@pytest.mark.parametrize("sign", ("\ue000", "\ue001", "\ue002", "\ue003"))
def test_no_character_in_a_text_ends_its_quote(sign: str) -> None:
    for written in (sign, f"&#{ord(sign)};"):
        assert lines(QUOTED.format(f"a{written}b<br>resign") + "yes") == ["> ab", "> resign", "yes"]


def test_horizontal_rule_ends_a_line() -> None:
    assert lines("[8-B]<hr>Bert<hr/>Clara") == ["[8-B]", "Bert", "Clara"]


def test_text_after_a_comment_or_instruction_is_read() -> None:
    assert lines("a<!-- b -->c<?d?>e") == ["ace"]


@pytest.mark.parametrize("source", ("", " ", "<!-- -->", "<?xml encoding='utf-16'>", "\0", "<"))
def test_html_without_text_is_empty(source: str) -> None:
    assert lines(source) in ([], ["<"])


@pytest.mark.parametrize("number", ("²", "9" * 5000, "-1", "x"))
def test_list_items_are_numbered_whatever_their_value(number: str) -> None:
    assert lines(f'<ol><li value="{number}">a<li>b</ol>') == ["1. a", "2. b"]


@pytest.mark.parametrize(
    ("source", "text"),
    (
        ("<p>a</p><p>b<p>c</p></p>d", "a\n\nb\n\nc\n\nd"),
        ("<div>a<div>b</div></div><br>c<br><br>d", "a\nb\n\nc\n\nd"),
        ("<ul><li>a<ol><li>b<li><li>c</ol><li><div>d</div></ul>", "* a\n1. b\n2.\n3. c\n* d"),
        ("<ul><ul><li>a</ul></ul><li>b", "+ a\n* b"),
        ("a <b> b </b>\n c<pre> d\n  e</pre>f", "a b c\n d\n  e\nf"),
        ("<style>a</style><p style='display: none'>b<i>c</i></p><q>d<b>e</b>f</q>", '"d"e"f"'),
        ("<table><tr><td>a<td>b<tr><th>c</table>", "a\nb\nc"),
    ),
)
def test_layout_is_that_of_a_reader_without_columns(source: str, text: str) -> None:
    assert html_text(source) == text
