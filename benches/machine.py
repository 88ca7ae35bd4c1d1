"""What a measurement was made on and with."""

import datetime
import pathlib
import platform
import re
import subprocess
import tomllib

from runtime_api import ROOT


def described():
    """The date, the machine, Rust and the library, as a sentence."""
    return (
        f"Measured on {datetime.date.today().isoformat()} on {processor()}, Linux {platform.release().split('-')[0]}, "
        f"with {output('rustc', '--version').split(' (')[0]}."
    )


def processor():
    found = re.findall(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    model = found[0].strip() if found else "an unnamed processor"
    return f"{len(found) or 'some'} CPUs of {model} ({platform.machine()})"


def peers():
    """The versions of what the library is compared with, from the lock files."""
    locked = {}
    for lock in ("echo", "peers", "stdio"):
        packages = tomllib.loads((ROOT / f"benches/{lock}/Cargo.lock").read_text())["package"]
        locked.update({package["name"]: package["version"] for package in packages})
    return {name: locked[name] for name in ("lambda_http", "rmcp", "turul-mcp-aws-lambda")}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
