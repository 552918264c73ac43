"""`flag=director`: the director decides. A late turn counts."""

from pbem.service.play.change import report_flag as fell

__all__ = ["fell"]
