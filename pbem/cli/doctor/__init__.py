"""`pbem doctor`: looks at everything the club needs, and says what to do.

A module a check; `examination` has the list of them.
"""

from pbem.cli.doctor.command import doctor

__all__ = ["doctor"]
