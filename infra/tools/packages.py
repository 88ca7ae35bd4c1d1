#!/usr/bin/env python3
"""Checks the packages of the workspace beyond what clippy and the tests see.

    packages.py features        runs clippy for each feature of each package alone, and for none
    packages.py dependencies    counts the dependencies of lambda-mcp with its default features
    packages.py rust-version    checks that `rust-version` is enough for the dependencies and the code

Needs Python 3.9 or newer and no packages.
"""

import json
import os
import subprocess
import sys

LIBRARY = "lambda-mcp"
MOST_DEPENDENCIES = 100
# The test harness has no features.
PACKAGES = (LIBRARY, "portfolio-content", "portfolio")
# Which option selects a kind of target.
TARGETS = {"lib": "lib", "bin": "bins"}


def main():
    checks = {"features": features, "dependencies": dependencies, "rust-version": rust_version}
    if len(sys.argv) != 2 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    return checks[sys.argv[1]]()


def features():
    """Runs clippy for no feature, for the default features and for each feature alone."""
    failed = []
    for package in PACKAGES:
        described = next(p for p in metadata("--no-deps")["packages"] if p["name"] == package)
        kinds = {kind for target in described["targets"] for kind in target["kind"]}
        # The tests and examples need several features at once.
        targets = [f"--{option}" for kind, option in TARGETS.items() if kind in kinds]
        for name in ["none", *sorted(described["features"])]:
            chosen = [] if name == "none" else ["--features", name]
            command = ["cargo", "clippy", "--locked", "--quiet", "--package", package, *targets]
            command += ["--no-default-features", *chosen, "--", "-D", "warnings"]
            passed = subprocess.run(command, check=False).returncode == 0
            print(f"  {'ok    ' if passed else 'FAILED'} {package}, features: {name}", flush=True)
            if not passed:
                failed.append(name)
    return 1 if failed else 0


def dependencies():
    """Counts what `cargo add lambda-mcp` compiles; more than MOST_DEPENDENCIES fails."""
    tree = output("cargo", "tree", "--locked", "-e", "normal", "-p", LIBRARY, "--prefix", "none")
    found = {" ".join(line.split()[:2]) for line in tree.splitlines() if line.strip()}
    print(f"{LIBRARY} has {len(found)} packages in its tree; the maximum is {MOST_DEPENDENCIES}")
    return 1 if len(found) > MOST_DEPENDENCIES else 0


def rust_version():
    """Checks `rust-version`: against the dependencies by their metadata, against the code by rustc."""
    packages = metadata("--all-features")["packages"]
    declared = next(p for p in packages if p["name"] == LIBRARY)["rust_version"]
    needed, by = max((number(p["rust_version"]), p["name"]) for p in packages if p["source"])
    print(f"rust-version is {declared}; the dependencies need {dotted(needed)} ({by})")
    if needed > number(declared):
        return 1
    installed = output("rustc", "--version").split()[1]
    if number(installed)[:2] == number(declared)[:2]:
        print(f"rustc {installed} is that version: `make lint` compiles the code with it")
        return 0
    if not has_toolchain(declared):
        print(f"SKIPPED: Rust {declared} is not installed; rustc {installed} compiled the code")
        return 0
    command = ["cargo", "check", "--locked", "--quiet", "--workspace", "--all-features"]
    environment = {**os.environ, "RUSTUP_TOOLCHAIN": declared}
    return subprocess.run(command, env=environment, check=False).returncode


def has_toolchain(version):
    """Whether rustup has a Rust version, without installing it."""
    try:
        toolchains = output("rustup", "toolchain", "list")
    except (OSError, subprocess.CalledProcessError):
        return False
    return any(line.startswith((f"{version}-", f"{version}.")) for line in toolchains.splitlines())


def metadata(*options):
    return json.loads(output("cargo", "metadata", "--locked", "--format-version", "1", *options))


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def number(version):
    """A version for comparing; packages without a `rust-version` need none."""
    return tuple(int(part) for part in (version or "0").split("."))


def dotted(version):
    return ".".join(str(part) for part in version)


if __name__ == "__main__":
    sys.exit(main())
