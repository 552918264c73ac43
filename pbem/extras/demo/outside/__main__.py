"""One player, as a program of its own: `python -I pbem/extras/demo/outside`.

Python adds only this folder to its module path, and nothing of pbem.
"""

import runpy

runpy.run_module("player.play", run_name="__main__")
