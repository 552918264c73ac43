"""`flag=director`: the director is asked what is to be done, and a late turn counts."""

from pbem.service.play.change import report_flag as fell

__all__ = ["fell"]
