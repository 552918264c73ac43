"""Nine Men's Morris for pbem."""

from pbem.games.api import Family
from pbem_morris.morris import Morris

MORRIS = Morris()
FAMILY = Family(api=1, games=(MORRIS,))
