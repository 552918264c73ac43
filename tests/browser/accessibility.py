"""Let axe find what makes a page hard to read or to use."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

FINDINGS = """(rules) => axe.run(
  document, { resultTypes: ["violations"], selectors: false, preload: false, ...rules },
).then(({ violations }) => violations.flatMap(
  ({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`),
))"""
COLOURS = ["color-contrast", "link-in-text-block"]
"""Rules about colours, for dark mode. Dark pages differ in nothing else."""


def findings(page: Page, **rules: Any) -> tuple[list[str], list[str]]:
    """Return what axe finds in light mode by the given rules, and in dark mode by fewer."""
    page.evaluate(AXE_SCRIPT)
    light: list[str] = page.evaluate(FINDINGS, rules)
    page.emulate_media(color_scheme="dark")
    dark: list[str] = page.evaluate(FINDINGS, {"runOnly": COLOURS})
    page.emulate_media(color_scheme="light")
    return light, dark
