#!/usr/bin/env python3
"""Run the real pinned Aider on one repository and print what it computed.

Usage: ``driver.py [REQUEST.json]`` (standard input when no file is named), or
``driver.py --receipt`` to print only the comparator's identity.

One JSON request in, one JSON response on standard output, talk on standard
error. Exit code 0, or 1 when the response carries an ``error``, or 128 + the
signal that stopped the run. README.md describes both formats.

This process (the parent) never imports Aider. It starts itself again in a
clean environment and prints the finished response, so a crash of Aider can
never leave half a response behind.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
# The driver's own folder may be read-only or part of a checkout.
sys.dont_write_bytecode = True

from parity_driver import isolation  # noqa: E402


def main():
    if isolation.is_child():
        from parity_driver import session

        session.child_main(HERE)
        return 0
    return isolation.run_parent(os.path.join(HERE, "driver.py"), sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
