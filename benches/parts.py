#!/usr/bin/env python3
"""Measures what each part of the shipped function adds to its program. Writes docs/performance.md.

Builds the function with all its features, without each of them, and with none. Features share code, such as that
of the AWS SDK, so the parts add up to less than the whole. Started by `make bench-parts`, which takes some twenty
minutes.
"""

import argparse
import pathlib
import subprocess
import sys
import tomllib

import tables
from runtime_api import ROOT

MANIFEST = ROOT / "functions/portfolio/Cargo.toml"
FOLDER = ROOT / "target/parts"
# Those that use a client of an AWS service.
AWS = {"durable", "dynamodb", "ses", "ssm"}
WHAT = {
    "durable": "`contact` as a task of a durable function",
    "dynamodb": "limits counted in DynamoDB",
    "resend": "mail by Resend",
    "ses": "mail by Amazon SES",
    "ssm": "secrets of SSM Parameter Store",
    "stdio": "`portfolio stdio`",
}


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    features = set(tomllib.loads(MANIFEST.read_text())["features"]["default"])
    if features != set(WHAT):
        sys.exit(f"bench: the features are {sorted(features)}; name them in {pathlib.Path(__file__).name}")
    variants = {"all parts": features}
    variants |= {f"without {WHAT[feature]}": features - {feature} for feature in sorted(features)}
    variants |= {"without any AWS service": features - AWS, "with none of them": set()}
    sizes = {title: reported(title, size(variant)) for title, variant in variants.items()}
    whole = sizes["all parts"]
    rows = [[title, f"{size:,}", f"{whole - size:,}"] for title, size in sizes.items()]
    tables.write(ROOT / "docs/performance.md", {"parts": tables.markdown(["", "bytes", "less"], rows)})


def reported(title, bytes_of):
    print(f"{title}: {bytes_of:,} bytes", flush=True)
    return bytes_of


def size(features):
    """The size of the program with these features."""
    command = ["cargo", "build", "--quiet", "--locked", "--release", "--package", "portfolio"]
    command += ["--no-default-features", "--features", ",".join(sorted(features)), "--target-dir", str(FOLDER)]
    subprocess.run(command, check=True, cwd=ROOT)
    return (FOLDER / "release/portfolio").stat().st_size


if __name__ == "__main__":
    main()
