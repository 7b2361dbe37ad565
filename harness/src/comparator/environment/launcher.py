"""Run one script with the comparator's packages: ``python SCRIPT [ARGUMENT...]``.

This file is the environment's interpreter. Its first line starts the real one
with ``-S``: no ``site``, so no ``.pth`` file, ``sitecustomize``, ``usercustomize``
or folder of the user or the system has a say. What is left on the path is the
standard library, the script's own folder and the packages of the locked wheels.
"""

import os
import sys

# The driver starts itself again with this program, which must lead here again.
sys.executable = os.path.abspath(__file__)
__file__ = os.path.abspath(sys.argv[1])
sys.path[0] = os.path.dirname(__file__)
sys.path.append(os.path.join(os.path.dirname(os.path.dirname(sys.executable)), "site-packages"))
del sys.argv[0]
with open(__file__, "rb") as script:
    code = compile(script.read(), __file__, "exec")
exec(code)
