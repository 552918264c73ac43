"""Bots: computer opponents. Pure: chance comes from outside, and so does when to stop thinking."""

from __future__ import annotations

from pbem.matches.bots.answer import answer, is_asked, turn
from pbem.matches.bots.simple import Greedy, Random
from pbem.matches.bots.steady import STEADY
from pbem.matches.bots.thinking import Bot, Interrupted, Scene, Thinking

BOTS: dict[str, Bot] = {"random": Random(), "greedy": Greedy(), "steady": STEADY}
"""Kinds of bots, by the name on the command line."""

__all__ = ["BOTS", "Bot", "Interrupted", "Scene", "Thinking", "answer", "is_asked", "turn"]
