#!/usr/bin/env python3
"""Makes and uses release files: the built function, for those who have no Rust toolchain.

    release.py target ARCH [--libc musl]          makes sure that Rust can compile for it; prints the C library
    release.py pack BOOTSTRAP ARCH [--out dist]   writes portfolio-VERSION-ARCH.zip and SHA256SUMS
    release.py use FILE [--template template.yaml]  lays out .aws-sam/build from a release file

The zip is a Lambda deployment package as it is: any tool can deploy it (docs/other-tools.md). The same
bootstrap gives the same bytes. `use` refuses a file that does not match SHA256SUMS beside it, and a file
without SHA256SUMS unless `--unchecked` is given. Only the standard library.
"""

import argparse
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

BUILD = pathlib.Path(".aws-sam/build")
FUNCTION = "McpFunction"
# The earliest date that a zip can hold.
EPOCH = (1980, 1, 1, 0, 0, 0)
TRIPLES = {"x86_64": "x86_64", "arm64": "aarch64"}
MACHINES = {0x3E: "x86_64", 0xB7: "arm64"}


class Stop(Exception):
    """What is wrong, and what to do."""


def machine(path):
    """The architecture that an ELF file is for."""
    head = path.read_bytes()[:20]
    if head[:4] != b"\x7fELF":
        raise Stop(f"{path} is not a Linux program")
    return MACHINES.get(int.from_bytes(head[18:20], "little"), "unknown")


def target(arguments):
    """Prints the C library to build with: `musl`, or that of the system where Rust has nothing else."""
    system = f"{TRIPLES[arguments.arch]}-unknown-linux"
    if has_target(f"{system}-{arguments.libc}"):
        print(arguments.libc)
    elif arguments.arch == local() and has_target(f"{system}-gnu", install=False):
        print(f"*** Rust's standard library for {system}-{arguments.libc} cannot be installed. The function is built "
              "with the C library of the system, and starts more slowly.", file=sys.stderr)
        print("gnu")
    else:
        raise Stop(
            f"Rust's standard library for {system}-{arguments.libc} is not installed: run `rustup target add "
            f"{system}-{arguments.libc}`, which needs static.rust-lang.org; or build for this machine alone "
            f"(ARCHS={local()} or ARCH={local()}, with Architecture={local()}); or use a release file "
            "(`make use-release`)"
        )


def has_target(triple, install=True):
    """Whether rustc can compile for it. cargo-lambda installs what is missing too, but hides why it could not."""
    try:
        found = subprocess.run(["rustc", "--print", "target-libdir", "--target", triple],
                               capture_output=True, text=True, check=True).stdout.strip()
    except OSError:
        raise Stop("rustc was not found: install Rust (https://rustup.rs), or use a release file "
                   "(`make use-release`)") from None
    if pathlib.Path(found).is_dir():
        return True
    if not install:
        return False
    print(f"installing Rust's standard library for {triple}", file=sys.stderr)
    try:
        return subprocess.run(["rustup", "target", "add", triple], stdout=sys.stderr, check=False).returncode == 0
    except OSError:
        return False


def local():
    return "arm64" if os.uname().machine in ("aarch64", "arm64") else "x86_64"


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pack(arguments):
    bootstrap = pathlib.Path(arguments.bootstrap)
    if machine(bootstrap) != arguments.arch:
        raise Stop(f"{bootstrap} is for {machine(bootstrap)}, not for {arguments.arch}")
    # Only here: Python 3.11 has it, and a release file is used with older ones too.
    import tomllib

    version = tomllib.loads(pathlib.Path("Cargo.toml").read_text(encoding="utf-8"))
    version = version["workspace"]["package"]["version"]
    out = pathlib.Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    target = out / f"portfolio-{version}-{arguments.arch}.zip"
    entry = zipfile.ZipInfo("bootstrap", EPOCH)
    entry.external_attr = 0o755 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(entry, bootstrap.read_bytes(), compresslevel=9)
    sums = out / "SHA256SUMS"
    lines = sums.read_text(encoding="utf-8").splitlines() if sums.exists() else []
    lines = [line for line in lines if not line.endswith(f"  {target.name}")]
    lines.append(f"{sha256(target)}  {target.name}")
    sums.write_text("\n".join(sorted(lines, key=lambda line: line[66:])) + "\n", encoding="utf-8")
    print(f"{target} ({target.stat().st_size / 1e6:.1f} MB)")


def verify(release, unchecked):
    sums = release.with_name("SHA256SUMS")
    if not sums.exists():
        if unchecked:
            return
        raise Stop(f"SHA256SUMS is not beside {release.name}: download it too, or pass --unchecked")
    for line in sums.read_text(encoding="utf-8").splitlines():
        digest, _, name = line.partition("  ")
        if name == release.name:
            if digest != sha256(release):
                raise Stop(f"{release.name} does not match SHA256SUMS: download it again")
            return
    raise Stop(f"SHA256SUMS has no line for {release.name}")


def use(arguments):
    release = pathlib.Path(arguments.file)
    if not release.is_file():
        raise Stop(f"{release} does not exist")
    verify(release, arguments.unchecked)
    template = pathlib.Path(arguments.template)
    text = template.read_text(encoding="utf-8")

    def from_build(match):
        """A path that is relative to the template, as it is from the folder of the build."""
        return match[1] + os.path.relpath(template.parent / match[2], BUILD)

    for key in ("CodeUri", "ContentUri"):
        if len(re.findall(rf"\b{key}: \S+", text)) != 1:
            raise Stop(f"{template} must have one `{key}:`")
    text = re.sub(r"\bCodeUri: \S+", f"CodeUri: {FUNCTION}", text)
    text = re.sub(r"(\b(?:ContentUri|Location): )([^\s{}]+)", from_build, text)
    shutil.rmtree(BUILD, ignore_errors=True)
    folder = BUILD / FUNCTION
    folder.mkdir(parents=True)
    with zipfile.ZipFile(release) as archive:
        if archive.namelist() != ["bootstrap"]:
            raise Stop(f"{release.name} is not a release file: it does not hold just `bootstrap`")
        (folder / "bootstrap").write_bytes(archive.read("bootstrap"))
    (folder / "bootstrap").chmod(0o755)
    (BUILD / "template.yaml").write_text(text, encoding="utf-8")
    print(f"{BUILD} holds the function for {machine(folder / 'bootstrap')}; "
          "`make deploy PREBUILT=1` deploys it, with Architecture set to that")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    building = commands.add_parser("target")
    building.add_argument("arch", choices=sorted(TRIPLES))
    building.add_argument("--libc", default="musl", choices=("gnu", "musl"))
    packing = commands.add_parser("pack")
    packing.add_argument("bootstrap")
    packing.add_argument("arch", choices=sorted(MACHINES.values()))
    packing.add_argument("--out", default="dist")
    using = commands.add_parser("use")
    using.add_argument("file")
    using.add_argument("--template", default="template.yaml")
    using.add_argument("--unchecked", action="store_true")
    arguments = parser.parse_args()
    try:
        {"target": target, "pack": pack, "use": use}[arguments.command](arguments)
    except Stop as stop:
        print(f"release: {stop}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
