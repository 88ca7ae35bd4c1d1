"""The function of a deployment: its build, its logs and its variables."""

import json
import os
import re

import pytest
from expand import ROOT, Stack, source
from options import CONTACT
from rust import environment_variables
from test_names import TEMPLATES
from test_tasks import WORKER

# Read by the function, but not set on AWS, with the reason.
NOT_ON_AWS = {
    "ALLOWED_HOSTS": "API Gateway passes on only its own names",
    "API_KEYS": "read from SSM, by API_KEYS_PARAMETER",
    "CONTACT_OUTBOX": "a file would be gone with its instance",
    "JWT_JWKS": "read from SSM, by JWT_JWKS_PARAMETER",
    "JWT_SECRET": "read from SSM, by JWT_SECRET_PARAMETER",
    "REQUEST_STATE_KEY": "kept in the limits table, by REQUEST_STATE_TABLE",
    "RESEND_API_KEY": "read from SSM, by RESEND_API_KEY_PARAMETER",
    "RESEND_BASE_URL": "the address of the API is the default",
    "SECRETS_TTL_S": "the default holds",
}
# Read by glibc.
OF_THE_C_LIBRARY = {"MALLOC_MMAP_THRESHOLD_"}


@pytest.mark.parametrize("template", ["template.yaml", "infra/function-url.yaml"])
def test_what_builds_the_function_exists(template):
    """SAM reports a name that does not exist only when it builds, which takes minutes."""
    folder, document = (ROOT / template).parent, source(template)
    resource = document["Resources"]["McpFunction"]
    assert resource["Metadata"]["BuildMethod"] == "makefile"
    makefile = (folder / resource["Properties"]["CodeUri"] / "Makefile").read_text(encoding="utf-8")
    assert "\nbuild-McpFunction:\n" in makefile
    assert os.access(folder / resource["Properties"]["CodeUri"] / "rust-lld", os.X_OK)
    assert (ROOT / "functions/portfolio/src/main.rs").is_file()
    machines = {"arm64": "aarch64", "x86_64": "x86_64"}
    assert set(document["Parameters"]["Architecture"]["AllowedValues"]) == machines.keys()
    for architecture, machine in machines.items():
        working = folder / resource["Metadata"]["WorkingDirectory"]["Fn::Sub"].replace("${Architecture}", architecture)
        assert (working / "target.mk").read_text(encoding="utf-8").startswith(f"MACHINE := {machine}\n")
        # SAM copies the folders below CodeUri, and the copy has no sources.
        assert not working.is_relative_to(folder / resource["Properties"]["CodeUri"])


def test_the_function_is_small_and_ends_soon(stack):
    made = stack.function
    assert made["Runtime"] == "provided.al2023"
    assert made["Handler"] == "bootstrap"
    assert made["MemorySize"] == 256
    assert made["Timeout"] == "10"
    assert made["Architectures"] == ["arm64"]
    assert "ReservedConcurrentExecutions" not in made
    assert Stack(Architecture="x86_64").function["Architectures"] == ["x86_64"]
    assert Stack(ReservedConcurrency="0").function["ReservedConcurrentExecutions"] == "0"


def functions():
    """The Rust functions of all templates, as they are written."""
    for path in TEMPLATES:
        for name, resource in source(path)["Resources"].items():
            if resource["Type"] == "AWS::Serverless::Function" and resource["Properties"]["Runtime"] == "provided.al2023":
                yield f"{path}: {name}", resource["Properties"]


@pytest.mark.parametrize("level", ["error", "warn", "info", "debug", "trace"])
@pytest.mark.parametrize(
    ("file", "parameters"), [("template.yaml", {}), ("infra/function-url.yaml", {}), ("infra/tasks.yaml", WORKER)]
)
def test_lambda_keeps_the_lines_that_the_function_writes(file, parameters, level):
    made = Stack(file, LogLevel=level, **parameters).function
    assert made["LoggingConfig"]["LogFormat"] == "JSON"
    assert made["LoggingConfig"]["ApplicationLogLevel"] == level.upper()
    assert made["Environment"]["Variables"]["LOG_LEVEL"] == level


def test_no_function_is_left_with_lambda_s_own_level():
    """With JSON lines Lambda drops those below `INFO`, unless the template names another level."""
    found = dict(functions())
    assert len(found) == 4
    for name, properties in found.items():
        assert "ApplicationLogLevel" in properties["LoggingConfig"], name


def test_glibc_gives_the_memory_of_large_requests_back():
    """The worker and the starter have glibc, and so has the function with LIBC=gnu. musl ignores the variable."""
    for name, properties in functions():
        assert properties["Environment"]["Variables"]["MALLOC_MMAP_THRESHOLD_"] == "131072", name


def test_log_groups_have_a_retention(full):
    groups = full.of_type("AWS::Logs::LogGroup")
    assert set(groups) == {"McpFunctionLogs", "McpApiLogs"}
    for group in groups.values():
        assert group["Properties"]["RetentionInDays"] == "30"
    assert full.function["LoggingConfig"]["LogGroup"] == "ref-McpFunctionLogs"


def test_every_variable_that_is_set_is_read_and_the_reverse():
    written = source()["Resources"]["McpFunction"]["Properties"]["Environment"]["Variables"]
    read = environment_variables()
    assert set(written) - read == OF_THE_C_LIBRARY, "set by the template, read by nothing"
    assert read - set(written) == set(NOT_ON_AWS), "read by the code, set by nothing"


def test_no_parameter_and_no_variable_holds_a_secret():
    for name, value in source()["Parameters"].items():
        assert not re.search(r"(?i)(secret|password|token|apikey|key)$", name), name
        assert value["Type"] in ("String", "Number"), name
    text = json.dumps(source()["Resources"]["McpFunction"]["Properties"])
    assert "{{resolve:" not in text


def test_calls_are_counted_in_the_table_where_there_are_limits(stack):
    def table(some):
        return some.function["Environment"]["Variables"].get("RATE_LIMIT_TABLE")

    assert table(stack) is None
    assert table(Stack(RateLimits="get_resume=60/1m")) == "ref-LimitsTable"
    assert table(Stack(**CONTACT)) == "ref-LimitsTable"


def test_a_required_handshake_has_the_key_that_it_needs():
    def table(**parameters):
        function = Stack(**parameters).one("AWS::Lambda::Function")
        return function["Environment"]["Variables"].get("REQUEST_STATE_TABLE")

    assert table() is None
    assert table(LegacyHandshake="required") == "ref-LimitsTable"
