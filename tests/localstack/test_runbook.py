"""The commands of infra/runbook.md, as they stand there, in the emulated account, each with its effect.

What the emulator lacks is named below. Such a command is still parsed by the AWS CLI, with its query.
"""

import json
import os
import re
import shlex
import stat
import time
from pathlib import Path

import pytest
from account_types import NOT_EMULATED
from expand import ROOT
from test_account import KEYS, contact, post

RUNBOOK = (ROOT / "infra/runbook.md").read_text(encoding="utf-8")

def blocks():
    """(heading, commands) of each shell block."""
    found = []
    for section in re.split(r"(?m)^## ", RUNBOOK):
        heading = section.splitlines()[0]
        for indent, code in re.findall(r"(?ms)^( *)```sh\n(.*?)^ *```", section):
            found.append((heading, re.sub(rf"(?m)^{indent}", "", code)))
    return found


(_, VARIABLES), *BLOCKS = blocks()


def block(heading, part):
    (code,) = [code for title, code in BLOCKS if title == heading and part in code]
    return code


# A part of each block, by its heading. A block without a line here fails the first test.
TESTED = [
    ("Errors", "aws logs tail"),
    ("Errors", "get-policy"),
    ("Throttled", "put-function-concurrency"),
    ("Throttled", "delete-function-concurrency"),
    ("Denied", "aws logs tail"),
    ("A resource was deleted by hand", "detect-stack-drift"),
    ("Keys and secrets", "new-key"),
    ("Keys and secrets", "put-parameter"),
    ("Keys and secrets", "delete-item"),
    ("Rollback", "list-versions-by-function"),
    ("Rollback", "update-alias"),
    ("Rollback", "create-invalidation"),
    ("Old versions", "delete-function"),
]


def test_every_block_of_the_runbook_is_tested():
    assert sorted(block(*row) for row in TESTED) == sorted(code for _, code in BLOCKS)


def test_every_command_in_a_sentence_is_an_existing_target():
    targets = " ".join((ROOT / file).read_text(encoding="utf-8") for file in ("Makefile", "infra/infra.mk"))
    for target in re.findall(r"`make ([a-z-]+)", RUNBOOK):
        assert re.search(rf"(?m)^[a-z -]*\b{target}\b[a-z -]*:", targets), target


@pytest.fixture(scope="module")
def shell(account):
    """Runs commands as the owner does, after the variables of the runbook."""
    if account.config.exists():
        account.set()
    account.deploy()
    for label in ("debug", "info"):
        account.set(LogLevel=label)
        account.deploy()
    shims = account.folder / "shims"
    shims.mkdir()
    python = shlex.quote(str(account.sam.with_name("python")))
    binary = shlex.quote(str(Path(os.environ["PORTFOLIO_BIN"]).resolve()))
    # The real targets and cargo would build; what they then run is run.
    shim(shims / "make", f'test "$1" = smoke && exec {python} infra/tools/smoke.py "${{2#URL=}}"')
    shim(shims / "cargo", f'while [ "$1" != -- ]; do shift; done; shift; exec {binary} "$@"')

    def run(code, **variables):
        for name, value in variables.items():
            code, count = re.subn(rf"(?m)^{name}=.*$", f"{name}={shlex.quote(value)}", code)
            assert count == 1, name
        path = f"{shims}:{account.environment['PATH']}"
        return account.run("bash", "-euo", "pipefail", "-c", VARIABLES + code, PATH=path).stdout

    return run


def shim(path, script):
    path.write_text(f"#!/bin/bash\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)


def status(account):
    return post(account.endpoint, "tools/list", {})[0]


def test_the_variables_are_set(shell, account):
    shown = shell('echo "$FUNCTION|$LOGS|$URL"')
    assert shown.startswith(f"{account.output('FunctionName')}|/aws/lambda/portfolio|https://")


@pytest.mark.parametrize(("heading", "line"), [("Errors", {"level": "ERROR"}), ("Denied", {"outcome": "challenged"})])
def test_the_log_is_shown_from_its_last_minutes(shell, account, heading, line):
    logs = account.client("logs")
    stream = f"test-{heading}"
    logs.create_log_stream(logGroupName="/aws/lambda/portfolio", logStreamName=stream)
    message = json.dumps({**line, "message": f"of the test {heading}"})
    event = {"timestamp": int(time.time() * 1000), "message": message}
    logs.put_log_events(logGroupName="/aws/lambda/portfolio", logStreamName=stream, logEvents=[event])
    assert f"of the test {heading}" in shell(block(heading, "aws logs tail"))


def test_the_policy_names_api_gateway(shell):
    policy = json.loads(shell(block("Errors", "get-policy")))
    assert policy["Statement"][0]["Principal"]["Service"] == "apigateway.amazonaws.com"


def test_a_flood_is_stopped_and_the_function_turned_on_again(shell, account):
    assert status(account) == 200
    shell(block("Throttled", "put-function-concurrency"))
    assert status(account) >= 500 or status(account) == 429
    shell(block("Throttled", "delete-function-concurrency"))
    assert status(account) == 200


def test_a_key_is_made_written_and_accepted(shell, account):
    printed = shell(block("Keys and secrets", "new-key"))
    key = re.search(r"\blmk_\S+", printed)[0]
    entry = re.search(r"ada sha256:[0-9a-f]+ contact:send", printed)[0]
    shell(block("Keys and secrets", "put-parameter"), ENTRIES=entry)
    stored = account.client("ssm").get_parameter(Name=KEYS, WithDecryption=True)["Parameter"]
    assert (stored["Value"], stored["Type"]) == (entry, "SecureString")
    account.set(ContactProvider="ses", ContactTo="a@example.com", ContactFrom="b@example.com",
                SesIdentity="example.com", ApiKeys="on")
    account.deploy()
    assert contact(account, key) == 200
    assert contact(account, "lmk_nobody") == 401


def test_a_rollback_moves_callers_to_the_named_version(shell, account):
    rows = [row.split() for row in shell(block("Rollback", "list-versions-by-function")).splitlines()]
    # The most recent are last.
    newest, earlier = rows[-1][0], rows[-2][0]
    assert account.live == newest
    assert "12 passed, 1 failed" in shell(block("Rollback", "update-alias"), VERSION=earlier)
    assert account.live == earlier
    shell(block("Rollback", "update-alias"), VERSION=newest)


def test_an_old_version_is_deleted(shell, account):
    rows = [row.split()[0] for row in shell(block("Rollback", "list-versions-by-function")).splitlines()]
    oldest = next(number for number in rows if number.isdecimal())
    shell(block("Old versions", "delete-function"), VERSION=oldest)
    left = account.client("lambda").list_versions_by_function(FunctionName=account.output("FunctionName"))
    assert oldest not in {version["Version"] for version in left["Versions"]}


@pytest.mark.parametrize("command", sorted(NOT_EMULATED))
def test_what_the_emulator_lacks_is_parsed_by_the_cli(account, command):
    (code,) = {code for _, code in BLOCKS if f" {command}" in code}
    joined = code.replace("\\\n", " ")
    (words,) = re.findall(rf"aws \S+ {command}(?:[^\n]*)", joined)
    # Substitutions become words; an unknown option or a wrong query is an error of the CLI.
    words = re.sub(r'"?\$\((?:[^()]|\([^()]*\))*\)"?', "x", words).split(")")[0] if words.count(")") > words.count("(") else \
        re.sub(r'"?\$\((?:[^()]|\([^()]*\))*\)"?', "x", words)
    done = account.run("bash", "-c", f"STACK=x ID=x; {words} --generate-cli-skeleton output", check=False)
    assert done.returncode == 0, (words, done.stderr)
