"""Style: what the elements of a letter look like; the same words serve every letter."""

from __future__ import annotations

FONTS = "-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif"
MONO = "font-family:Menlo,Consolas,monospace"
PAGE = f"margin:0 auto;padding:16px;max-width:600px;font:16px/1.5 {FONTS}"
PARAGRAPH = "margin:0 0 14px"
HEADLINE = "margin:0 0 10px;font-size:20px;line-height:1.3;font-weight:bold"
SMALL = "margin:0 0 14px;font-size:14px;line-height:1.45"
CALLOUT = (
    "margin:0 0 16px;padding:10px 14px;border-radius:8px;background-color:#fdf0c4;color:#3b2f00"
)
SAMPLE = f"display:inline-block;margin:0 0 8px;padding:0 0 0 24px;font-weight:bold;{MONO}"
"""Without a frame: what has one is there to be tapped."""
QUOTE = "margin:0 0 14px;padding:2px 0 2px 14px;border-left:3px solid #9a8f78"
LIST = "margin:0 0 14px;padding:0 0 0 22px"
ITEM = "margin:0 0 4px"
TERM = f"margin:0;font-weight:bold;{MONO}"
DEFINITION = "margin:0 0 8px"
LABEL = "margin:0 0 6px;font-weight:bold"
FLOW = "display:inline-block;margin:0 16px 4px 0"
TABLE = "margin:0 0 14px;border-collapse:collapse;font-size:14px;line-height:1.3"
CLOSE = "margin:0 0 14px;border-collapse:collapse;font-size:12px;line-height:1.2"
"""A table of many columns."""
PILL = (
    "display:inline-block;margin:0 6px 6px 0;padding:9px 10px;"
    "border:1px solid;border-radius:8px;text-decoration:none"
)
SMALL_PILL = (
    "display:inline-block;margin:0 4px 5px 0;padding:11px 4px;font-size:14px;"
    "border:1px solid;border-radius:8px;text-decoration:none"
)
"""As high as the others (a thumb wants 44 pixels), and five to a line of a phone."""
BUTTONS = "display:inline-block;margin:0 12px 4px 0;vertical-align:top"
"""Some buttons and their title: beside others while there is room."""
TITLE = "display:inline-block;margin:0 6px 0 0"
QUIET = "display:inline-block;margin:0 18px 0 0;padding:10px 0"
LINK = "padding:13px 0"
"""In a text: where a thumb hits it, while the lines stay as they are."""

DARK = (
    "@media (prefers-color-scheme:dark){"
    ".due{background-color:#40371a!important;color:#fbecc0!important}}"
)
"""For clients that keep it; the others turn colours themselves, or leave them."""


def element(name: str, style: str, content: str) -> str:
    """An element with its style."""
    return f'<{name} style="{style}">{content}</{name}>'


def small(content: str) -> str:
    """A paragraph in small letters."""
    return element("p", SMALL, content)


def callout(content: str) -> str:
    """A paragraph on a ground of its own."""
    return f'<p class="due" style="{CALLOUT}">{content}</p>'
