"""What the Python programs of this folder share: reading the plan, running it and writing the report.

../README.md describes both.
"""

import asyncio
import json
import sys
from importlib.metadata import version


def run(package, carry_out):
    """Runs `carry_out(plan)` and reports what it returns, with the version of `package`."""
    plan = json.load(sys.stdin)
    report = asyncio.run(carry_out(plan))
    json.dump({"version": version(package), **report}, sys.stdout)
    print()


async def refusal(call):
    """The text of a refused call, whether the framework raises or returns it."""
    try:
        return str(await call)
    except Exception as error:  # Each framework has its own type for it.
        return str(error)
