"""What builds the function: whether Rust can compile it, with which C library, and how it is linked."""

import os
import subprocess
import sys

from expand import ROOT

HERE, OTHER = ("aarch64", "x86_64") if os.uname().machine in ("aarch64", "arm64") else ("x86_64", "aarch64")
ARCH = {"aarch64": "arm64", "x86_64": "x86_64"}


class Toolchain:
    """`rustc` and `rustup` for `release.py target`: programs that the test writes."""

    def __init__(self, folder):
        self.folder = folder
        self.tool("rustc", f'echo {folder}/"$4"')
        self.tool("rustup", "exit 1")

    def tool(self, name, lines):
        (self.folder / name).write_text(f"#!/bin/sh\n{lines}\n", encoding="utf-8")
        (self.folder / name).chmod(0o755)

    def target(self, *arguments):
        return subprocess.run(
            [sys.executable, str(ROOT / "infra/tools/release.py"), "target", *arguments],
            capture_output=True, text=True, timeout=60, check=False, env={"PATH": f"{self.folder}:/bin:/usr/bin"},
        )


def test_a_target_that_cannot_be_compiled_for_is_one_line_with_what_to_do(tmp_path):
    """cargo-lambda hides that rustup failed, and rustc then reports a missing crate `core`."""
    rust = Toolchain(tmp_path)
    rust.tool("rustup", f'echo "$@" > {tmp_path}/asked; exit 1')
    refused = rust.target(ARCH[OTHER])
    assert refused.returncode == 1
    assert f"run `rustup target add {OTHER}-unknown-linux-musl`" in refused.stderr
    assert (tmp_path / "asked").read_text() == f"target add {OTHER}-unknown-linux-musl\n"
    rust.tool("rustup", f"mkdir {tmp_path}/{OTHER}-unknown-linux-musl; echo a line")
    done = rust.target(ARCH[OTHER])
    assert (done.returncode, done.stdout) == (0, "musl\n")
    rust.tool("rustup", "exit 1")
    assert rust.target(ARCH[OTHER]).stdout == "musl\n", "it is installed"


def test_a_rust_without_musl_builds_for_its_own_machine(tmp_path):
    rust = Toolchain(tmp_path)
    (tmp_path / f"{HERE}-unknown-linux-gnu").mkdir()
    done = rust.target(ARCH[HERE])
    assert (done.returncode, done.stdout) == (0, "gnu\n")
    assert "cannot be installed" in done.stderr
    asked = rust.target(ARCH[HERE], "--libc", "gnu")
    assert (asked.returncode, asked.stdout, asked.stderr) == (0, "gnu\n", "")


def test_a_function_for_arm64_is_at_a_random_address(tmp_path):
    """rustc passes what makes a program at a fixed address there. The options that come last hold."""
    rust = Toolchain(tmp_path)
    rust.tool("rust-lld", 'printf "%s\\n" "$@"')
    passed = ["-flavor", "gnu", "-static", "-no-pie", "/a path/self-contained/crt1.o", "/std/self-contained/crtbegin.o",
              "main.o", "crt1.o", "/std/self-contained/crtend.o", "-o", "portfolio"]
    linked = subprocess.run(
        [ROOT / "infra/build/function/rust-lld", *passed],
        capture_output=True, text=True, timeout=60, check=True, env={"PATH": f"{tmp_path}:/bin:/usr/bin"},
    )
    assert linked.stdout.splitlines() == [
        "-flavor", "gnu", "-static", "-no-pie", "/a path/self-contained/rcrt1.o", "/std/self-contained/crtbeginS.o",
        "main.o", "crt1.o", "/std/self-contained/crtendS.o", "-o", "portfolio",
        "-pie", "--no-dynamic-linker", "-z", "text",
    ]
