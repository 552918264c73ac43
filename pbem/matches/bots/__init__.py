"""Bots: computer opponents. Pure: chance and the order to stop come from outside."""

from __future__ import annotations

from pbem.matches.bots.answer import answer, is_asked, turn
from pbem.matches.bots.simple import Greedy, Random
from pbem.matches.bots.steady import STEADY
from pbem.matches.bots.thinking import Bot, Interrupted, Scene, Thinking

BOTS: dict[str, Bot] = {"random": Random(), "greedy": Greedy(), "steady": STEADY}
"""Bots by their name on the command line."""

__all__ = ["BOTS", "Bot", "Interrupted", "Scene", "Thinking", "answer", "is_asked", "turn"]
