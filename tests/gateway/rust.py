"""Reads from the Rust sources what the template must agree with."""

import re

import botocore.loaders
from botocore import xform_name
from expand import ROOT

SOURCES = (ROOT / "src", ROOT / "functions/portfolio/src")
# The crate's own name of a service, and IAM's where it differs.
IAM_PREFIX = {"sesv2": "ses"}
# IAM's name of an operation where it differs.
IAM_ACTION = {"lambda:Invoke": "lambda:InvokeFunction"}
# What the library calls for tools that report or ask, which `contact` as a task does not: it is `silent`.
OF_TOOLS_THAT_ASK = {"lambda:GetDurableExecutionHistory", "lambda:SendDurableExecutionCallbackSuccess"}


def rust_files():
    return sorted(path for folder in SOURCES for path in folder.rglob("*.rs"))


def code(path):
    """A file without its comments and its `mod tests`."""
    text = path.read_text(encoding="utf-8")
    text = re.split(r"#\[cfg\(test\)\]\s*mod tests", text)[0]
    return re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)


def environment_variables():
    """The variables that the shipped function reads: its configuration names them all."""
    names = set()
    for path in rust_files():
        # `env!` is read by the compiler.
        text = re.sub(r'\benv!\("\w+"\)', "", code(path))
        if "std::env" in text or "env::var" in text or "config" in (path.stem, path.parent.name):
            names |= set(re.findall(r'"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"', text))
    # Lambda's own variables are set by Lambda, and Cargo's are gone once it is built.
    return {n for n in names if not n.startswith(("AWS_", "CARGO_", "LAMBDA_"))}


def sdk_actions():
    """The IAM actions of the SDK calls in the sources: `client.update_item()` and the like."""
    actions = set()
    loader = botocore.loaders.Loader()
    for path in rust_files():
        text = code(path)
        for service in set(re.findall(r"\baws_sdk_([a-z0-9]+)\b", text)):
            model = loader.load_service_model(service, "service-2")
            calls = {xform_name(name): name for name in model["operations"]}
            for called in re.findall(r"\.([a-z0-9_]+)\(\)", text):
                if called in calls:
                    action = f"{IAM_PREFIX.get(service, service)}:{calls[called]}"
                    actions.add(IAM_ACTION.get(action, action))
    return actions - OF_TOOLS_THAT_ASK
