#!/usr/bin/env python3
"""Counts what each part of the shipped function takes of its program. Writes docs/performance.md.

Adds up the sizes of the functions by the crate that they belong to. `make bench-parts` builds the program as it is
deployed but with its symbols, and starts this.
"""

import argparse
import collections
import pathlib
import re

import tables
from machine import output
from runtime_api import ROOT

# The parts of the code, by patterns of crates, or of modules of a crate. The first one that matches decides.
CODE = {
    "AWS SDK: DynamoDB": "aws_sdk_dynamodb",
    "AWS SDK: Lambda": "aws_sdk_lambda",
    "AWS SDK: SSM": "aws_sdk_ssm",
    "AWS SDK: SES": "aws_sdk_sesv2",
    "AWS SDK: STS and credentials": "aws_sdk_sts|aws_config|aws_credential_types",
    "AWS SDK: common runtime": r"aws_\w+|bytes_utils|urlencoding|xmlparser|fastrand|base64_simd|vsimd|crc32fast",
    "TLS": r"rustls\w*|webpki|ring|tokio_rustls|hyper_rustls|untrusted|openssl_probe|zeroize",
    "HTTP and async runtime": r"hyper\w*|http\w*|tokio\w*|mio|futures\w*|lambda_runtime\w*|tower\w*|tracing\w*|"
                              r"sharded_slab|thread_local|bytes|slab|socket2|want|atomic_waker|async_stream|url|"
                              r"idna\w*|percent_encoding|form_urlencoded",
    "JSON and schemas": r"serde\w*|schemars|itoa|ryu|zmij|regex_lite",
    "page and Markdown": r"portfolio::page|portfolio::style|portfolio::markdown|pulldown_cmark\w*|maud|unicase",
    "library": "lambda_mcp",
    "function": r"portfolio\w*|toml\w*|winnow",
    "C library": "libc",
    "standard library": "core|hashbrown|indexmap|memchr|dlmalloc|addr2line|gimli|rustc_demangle|miniz_oxide|"
                        "compiler_builtins",
    "other crates": r"\w+",
}
# The other parts, by the sections of the program.
SECTIONS = {
    "tables for unwinding": r"\.eh_frame|\.eh_frame_hdr|\.gcc_except_table",
    "relocations": r"\.rela\..*|\.relr\..*",
    "constants": r"\.rodata|\.data|\.data\.rel\.ro|\.got|\.got\.plt|\.tdata",
}
# In the names of functions in C and assembly.
CRYPTOGRAPHY = r"ring_core|nist|aes|ghash|gcm|chacha|poly|25519|mont|mul4x|mulx4x|limb|scalar|bn_|table_select|^fe_|^ge_"
STANDARD = {"core", "alloc", "std"}
# How many crates of a part are named, and from which size on.
NAMED, NAMED_FROM = 4, 10_000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--portfolio", type=pathlib.Path, required=True, help="the function, with symbols")
    program = parser.parse_args().portfolio.resolve()
    stripped = program.with_name("stripped")
    output("strip", "-o", str(stripped), str(program))
    whole = stripped.stat().st_size
    parts, crates = code(program)
    parts |= sections(stripped)
    parts["padding, headers and what has no name"] = whole - sum(parts.values())
    parts["the program"] = whole
    rows = [row(part, size, whole, crates[part]) for part, size in parts.items()]
    table = tables.markdown(["", "bytes", "share", "of it"], rows)
    print(table)
    tables.write(ROOT / "docs/performance.md", {"parts": table})


def code(program):
    """The sizes of the functions by part, and by part and crate."""
    parts = dict.fromkeys(CODE, 0)
    crates = collections.defaultdict(collections.Counter)
    for size, name in functions(program):
        path = owner(name)
        part = next(part for part, pattern in CODE.items() if re.match(rf"(?:{pattern})(?:::|$)", path))
        parts[part] += size
        crates[part][path.split("::")[0]] += size
    return parts, crates


def functions(program):
    """The size and the name of each function. Several names of one function count once."""
    found = {}
    for line in output("nm", "--demangle", "--print-size", "--defined-only", str(program)).splitlines():
        address, *rest = line.split(" ", 3)
        if len(rest) == 3 and rest[1] in "tTwW":
            found[address] = (int(rest[0], 16), rest[2])
    return found.values()


def owner(name):
    """The path that begins with the first crate in the name that is not the standard library.

    So `drop_in_place::<aws_config::Loader>` is counted as code of `aws_config`. The names of functions in C and
    assembly are single words. They are of `ring` or of the C library.
    """
    if re.fullmatch(r"[\w.]+", name):
        return "ring" if re.search(CRYPTOGRAPHY, name) else "libc"
    paths = re.findall(r"(?<![\w:])([a-z_]\w*(?:::\w+)+)", name)
    return next((path for path in paths if path.split("::")[0] not in STANDARD), "core")


def sections(program):
    """The sizes of the other parts."""
    sizes = dict.fromkeys(SECTIONS, 0)
    for line in output("size", "--format=sysv", "--radix=10", str(program)).splitlines():
        name, size, *_ = [*line.split(), "", ""]
        for part, pattern in SECTIONS.items():
            if re.fullmatch(pattern, name):
                sizes[part] += int(size)
    return sizes


def row(part, size, whole, crates):
    """A row, with the largest crates of the part if it has several."""
    named = [f"{crate} {of / 1e3:,.0f} k" for crate, of in crates.most_common(NAMED) if of >= NAMED_FROM]
    if len(crates) == 1:
        named.clear()
    return [part, f"{size:,}", f"{size / whole:.1%}", ", ".join(named)]


if __name__ == "__main__":
    main()
