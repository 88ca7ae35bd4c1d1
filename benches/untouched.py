#!/usr/bin/env python3
"""Checks that read-only requests run no code of DynamoDB, of the AWS SDK or of TLS.

The function is started as in a stack that limits `contact` in DynamoDB and sends by Amazon SES. It answers the
read-only requests under callgrind, whose output names each function that ran. The check uses the build without
optimizations, `make built`: the shipped one has no symbols, and the compiler inlines functions across crates, which
would hide them. To show that the check can fail, a call of `contact` runs too, and must run the code in question.
"""

import argparse
import pathlib
import re
import sys

import counting
from messages import call, event
from programs import PORTFOLIO, Program, check, portfolio_requests, subjects

# Parts of the names of functions: crates of the SDK, of DynamoDB's and SES's clients, and of TLS.
FORBIDDEN = re.compile(r"\b(aws_config|aws_credential\w+|aws_runtime|aws_sdk_\w+|aws_sigv4|aws_smithy_\w+|rustls\w*|"
                       r"ring|aws_lc\w*|hyper_rustls|webpki)::")
# The stack that the function believes to be in. Nothing listens at the endpoint.
ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "example",
    "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
    "AWS_SECRET_ACCESS_KEY": "example",
    "CONTACT_AUTH": "none",
    "CONTACT_FROM": "portfolio@example.com",
    "CONTACT_PROVIDER": "ses",
    "CONTACT_TO": "owner@example.com",
    "RATE_LIMIT_TABLE": "limits",
    "REQUEST_STATE_TABLE": "limits",
}
CONTACT = call("contact", {"brief": "A message that is never sent.", "contact": "bench@example.com"})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--portfolio", type=pathlib.Path, required=True, help="the function, with symbols")
    portfolio = parser.parse_args().portfolio.resolve()
    counting.skip_unless_installed("bench-guard")
    read_only = subjects([Program(PORTFOLIO, portfolio, portfolio_requests())])
    for subject in read_only:
        check(subject)
    touched = ran(portfolio, [subject.message for subject in read_only])
    forbidden = sorted(name for name in touched if FORBIDDEN.search(name))
    if forbidden:
        sys.exit("\n".join(["read-only requests run code of the AWS SDK or of TLS:", *forbidden[:20]]))
    limited = [name for name in ran(portfolio, [CONTACT]) if FORBIDDEN.search(name)]
    if not limited:
        sys.exit("a call of `contact` runs no code of the AWS SDK: is this still how its functions are named?")
    print(f"{len(read_only)} read-only requests run {len(touched):,} functions, none of them of the AWS SDK or of TLS; "
          f"a call of `contact` runs {len(limited):,} of those")


def ran(program, messages):
    return counting.functions(program, [event(message) for message in messages], environment=ENVIRONMENT)


if __name__ == "__main__":
    main()
