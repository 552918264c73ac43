"""One player, as a program of its own: `python -I pbem/demo/outside`.

Python puts this folder, and nothing of pbem, where modules are looked for.
"""

import runpy

runpy.run_module("player.play", run_name="__main__")
