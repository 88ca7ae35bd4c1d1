#!/usr/bin/env python3
"""Deploys the server: asks what is missing, checks it, builds, deploys, tests, and prints the URL.

    deploy.py                       the main stack (template.yaml)
    deploy.py --content             only the files in content/
    deploy.py --addon domain NAME=VALUE …
                                    an optional stack: domain, waf, cloudfront, dashboard, tasks. The variable VALUES
                                    can hold values as well, with the quoting of a shell
    deploy.py --remove domain       removes an optional stack again

`samconfig.toml` holds the answers and is the only place for settings: each deployment sets every parameter
to the value in that file, or to the template's default. So a line that is deleted there is undone by the
next deployment. `--env NAME` uses another section of the file.

It runs with the Python of the SAM CLI (`make deploy`), which has boto3 and tomlkit.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

import boto3
import botocore.exceptions
import release
import tomlkit
import yaml

CONFIG = pathlib.Path("samconfig.toml")
BUILD = pathlib.Path(".aws-sam/build")
VALUES = pathlib.Path(".aws-sam/parameters.yaml")
ADDONS = ("domain", "waf", "cloudfront", "dashboard", "tasks")
# The add-on that has code, which `make build-tasks` builds.
BUILT_ADDON = {"tasks": pathlib.Path(".aws-sam/tasks/template.yaml")}
NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,100}")
QUOTING = "quote a value that has spaces, as in VALUES=\"ContactFrom='Portfolio <portfolio@example.com>'\""
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


class Template(yaml.SafeLoader):
    """YAML with CloudFormation's tags, of which nothing here needs the meaning."""


Template.add_multi_constructor("!", lambda loader, tag, node: None)


class Stop(Exception):
    """Why there is no deployment, and what to do."""


# --- Questions ----------------------------------------------------------------------------------


def ask(question, default, pattern, variable, hint):
    """An answer from the environment or the terminal."""
    answer = os.environ.get(variable)
    if answer is None:
        if not sys.stdin.isatty():
            raise Stop(f"set {variable}, or answer at a terminal: {question}?")
        shown = f" [{default}]" if default else ""
        answer = input(f"{question}{shown}: ").strip() or default
    if not pattern.fullmatch(answer):
        raise Stop(f"{variable}: `{answer}` {hint}")
    return answer


def read_template(path):
    return yaml.load(pathlib.Path(path).read_text(encoding="utf-8"), Template)


def first_answers():
    """The three questions of the first deployment."""
    session = boto3.session.Session()
    regions = session.get_available_regions("lambda")
    stack = ask("Name of the stack", "portfolio", NAME, "STACK",
                "is not a stack name: use letters, digits and hyphens")
    region = ask("AWS Region", session.region_name or "us-east-1", re.compile("|".join(regions)),
                 "REGION", "is not a Region with Lambda, such as eu-central-1")
    email = ask("E-mail address for alarms (empty for none)", "",
                re.compile(f"({EMAIL.pattern})?"), "ALARM_EMAIL", "is not an e-mail address")
    return stack, region, {"AlarmEmail": email} if email else {}


# --- samconfig.toml -----------------------------------------------------------------------------


def new_config(env, stack, region, set_values, template):
    """The text of a first samconfig.toml: the answers, and every other parameter as a comment."""
    lines = [
        "# How `make deploy` deploys. Every line that is not here means the default of template.yaml.",
        "version = 0.1",
        "",
        f"[{env}.deploy.parameters]",
        f"stack_name = {json.dumps(stack)}",
        f"region = {json.dumps(region)}",
        "resolve_s3 = true",
        'capabilities = "CAPABILITY_IAM"',
        "confirm_changeset = false",
        "fail_on_empty_changeset = false",
        "",
        f"[{env}.deploy.parameters.parameter_overrides]",
    ]
    for name, spec in template["Parameters"].items():
        value = set_values.get(name)
        default = json.dumps(str(spec["Default"]), ensure_ascii=False)
        if value is None:
            lines += [f"# {spec['Description'].strip()}", f"# {name} = {default}"]
        else:
            lines.append(f"{name} = {json.dumps(value, ensure_ascii=False)}")
    lines += ["", f"[{env}.delete.parameters]", f"stack_name = {json.dumps(stack)}",
              f"region = {json.dumps(region)}", ""]
    return "\n".join(lines)


def read_config(env, template):
    """The settings of an environment: stack, region, parameters."""
    try:
        document = tomlkit.parse(CONFIG.read_text(encoding="utf-8"))
    except tomlkit.exceptions.ParseError as error:
        raise Stop(f"{CONFIG} is not valid TOML: {error}") from None
    section = document.get(env, {}).get("deploy", {}).get("parameters")
    if section is None:
        raise Stop(f"{CONFIG} has no [{env}.deploy.parameters]; known: {', '.join(k for k in document if k != 'version')}")
    for name in ("stack_name", "region"):
        if not section.get(name):
            raise Stop(f"{CONFIG}: [{env}.deploy.parameters] lacks {name}")
    misplaced = sorted(set(section) & set(template["Parameters"]))
    if misplaced:
        raise Stop(f"{CONFIG}: {', '.join(misplaced)} must be below [{env}.deploy.parameters.parameter_overrides]")
    values = section.get("parameter_overrides", {})
    if not hasattr(values, "items"):
        raise Stop(
            f"{CONFIG}: write [{env}.deploy.parameters.parameter_overrides] with one `Name = \"value\"` a "
            "line. In the older form, the SAM CLI cuts values at spaces"
        )
    return section["stack_name"], section["region"], {k: str(v) for k, v in values.items()}


def uploads(env):
    """Where SAM uploads to, and as whom CloudFormation works: `s3_bucket` and `role_arn`, as SAM names them."""
    section = tomlkit.parse(CONFIG.read_text(encoding="utf-8"))[env]["deploy"]["parameters"]
    bucket, role = section.get("s3_bucket"), section.get("role_arn")
    return [*(["--s3-bucket", bucket] if bucket else ["--resolve-s3"]), *(["--role-arn", role] if role else [])]


# --- Checks -------------------------------------------------------------------------------------


def faults(template, values):
    """What CloudFormation would refuse, before anything is built or uploaded."""
    found = []
    for name in sorted(set(values) - set(template["Parameters"])):
        found.append(f"{name}: no such parameter in the template")
    for name, spec in template["Parameters"].items():
        if name not in values and "Default" not in spec:
            found.append(f"{name}: is required; {spec['Description'].strip()}")
            continue
        value = str(values.get(name, spec.get("Default", "")))
        said = f"{name}: `{value}` is not {spec.get('ConstraintDescription', 'allowed')}"
        if "AllowedValues" in spec and value not in [str(v) for v in spec["AllowedValues"]]:
            found.append(f"{name}: `{value}` is none of {', '.join(str(v) for v in spec['AllowedValues'])}")
        elif "AllowedPattern" in spec and not re.fullmatch(spec["AllowedPattern"], value):
            found.append(said)
        elif spec["Type"] == "Number" and not is_number(value, spec):
            found.append(said)
    return found


def is_number(value, spec):
    if not re.fullmatch(r"-?\d+(\.\d+)?", value):
        return False
    return spec.get("MinValue", float("-inf")) <= float(value) <= spec.get("MaxValue", float("inf"))


def check_values(template, values):
    wrong = faults(template, values)
    if wrong:
        raise Stop("the settings cannot be deployed:\n  " + "\n  ".join(wrong))


def check_credentials(region):
    """Whom AWS takes us for."""
    try:
        caller = boto3.client("sts", region_name=region).get_caller_identity()
    except (botocore.exceptions.NoCredentialsError, botocore.exceptions.PartialCredentialsError):
        raise Stop(
            "no AWS credentials were found: run `aws configure sso` and `aws sso login`, or set "
            "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        ) from None
    except botocore.exceptions.BotoCoreError as error:
        raise Stop(f"AWS cannot be reached in {region}: {error}") from None
    except botocore.exceptions.ClientError as error:
        code = error.response["Error"]["Code"]
        raise Stop(f"AWS refuses the credentials ({code}): run `aws sso login`, or set new keys") from None
    return caller["Arn"]


# --- Steps --------------------------------------------------------------------------------------


def run(*command, **environment):
    """Runs a command and stops with its name if it fails."""
    done = subprocess.run(command, check=False, env={**os.environ, **environment})
    if done.returncode != 0:
        raise Stop(f"`{' '.join(command[:3])} …` failed; the messages above say why")


def sam_deploy(sam, template, stack, region, template_values, values, to=("--resolve-s3",)):
    """Deploys with every parameter set: to its value, or to the template's default."""
    complete = {
        name: str(values.get(name, spec.get("Default", "")))
        for name, spec in template_values["Parameters"].items()
    }
    VALUES.parent.mkdir(exist_ok=True)
    # JSON is YAML; a file has no trouble with spaces and quotes.
    VALUES.write_text(json.dumps(complete, ensure_ascii=False, indent=2), encoding="utf-8")
    run(
        sam, "deploy", "--template-file", str(template), "--stack-name", stack, "--region", region,
        *to, "--capabilities", "CAPABILITY_IAM", "--no-confirm-changeset",
        "--no-fail-on-empty-changeset", "--on-failure", "ROLLBACK",
        "--parameter-overrides", f"file://{VALUES}",
        SAM_CLI_TELEMETRY="0",
    )


def check_architecture(program, template_values, values):
    """Lambda accepts a program for another architecture, and then each start fails."""
    wanted = values.get("Architecture", str(template_values["Parameters"]["Architecture"]["Default"]))
    try:
        built = release.machine(program)
    except (OSError, release.Stop) as error:
        raise Stop(f"what is built cannot be deployed: {error}") from None
    if built != wanted:
        raise Stop(
            f"what is built is for {built}, and Architecture is {wanted}: set Architecture in {CONFIG}, "
            "or take the release file for the other"
        )


def outputs(stack, region):
    described = boto3.client("cloudformation", region_name=region).describe_stacks(StackName=stack)
    return {o["OutputKey"]: o["OutputValue"] for o in described["Stacks"][0].get("Outputs", [])}


def content_folder(template):
    """Puts the owner's files into the built template's folder, so that they are what is uploaded."""
    text = template.read_text(encoding="utf-8")
    relative = os.path.relpath("content", template.parent)
    if f"ContentUri: {relative}" not in text:
        raise Stop(f"{template} does not take its content from content/: run `make build` again")


def drop_cached_documents(stack):
    """Empties the cache of CloudFront, if there is a distribution. Otherwise documents are five minutes old."""
    try:
        made = outputs(stack, "us-east-1")
    except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError):
        return
    distribution = made.get("DistributionId")
    if not distribution:
        return
    batch = {"Paths": {"Quantity": 1, "Items": ["/*"]}, "CallerReference": str(time.time_ns())}
    try:
        edge = boto3.client("cloudfront", region_name="us-east-1")
        edge.create_invalidation(DistributionId=distribution, InvalidationBatch=batch)
        print(f"dropped what {distribution} had cached")
    except botocore.exceptions.ClientError as error:
        code = error.response["Error"]["Code"]
        print(f"{distribution} keeps cached documents for up to five minutes ({code})")


def print_clients(url):
    print(f"""
The server answers at {url}

  Claude Code   claude mcp add --transport http portfolio {url}
  VS Code       code --add-mcp '{{"name":"portfolio","type":"http","url":"{url}"}}'
  other clients add the URL as a remote (streamable HTTP) server
""")


def smoke(url):
    run(sys.executable, "infra/tools/smoke.py", url)


# --- Commands -----------------------------------------------------------------------------------


def deploy(arguments):
    template = read_template(arguments.template)
    fresh = None
    if CONFIG.exists():
        stack, region, values = read_config(arguments.env, template)
    else:
        stack, region, values = first_answers()
        fresh = new_config(arguments.env, stack, region, values, template)
    check_values(template, values)
    print(f"deploying {stack} to {region} as {check_credentials(region)}")
    if fresh:
        CONFIG.write_text(fresh, encoding="utf-8")
        print(f"wrote {CONFIG}: it lists every other setting as a comment")
    built = BUILD / "template.yaml"
    if arguments.content:
        if not built.exists():
            raise Stop("nothing is built yet: run `make deploy` once, or `make use-release RELEASE=FILE`")
        content_folder(built)
    elif not arguments.prebuilt:
        run("make", "build", f"TEMPLATE={arguments.template}",
            f"ARCH={values.get('Architecture', 'arm64')}")
    check_architecture(BUILD / "McpFunction/bootstrap", template, values)
    sam_deploy(arguments.sam, built, stack, region, template, values, uploads(arguments.env))
    drop_cached_documents(f"{stack}-cloudfront")
    url = outputs(stack, region)["McpEndpoint"]
    smoke(url)
    print_clients(url)


def given_values(arguments, text):
    """The values of an optional stack: arguments, and above them VALUES, which no shell has to read."""
    try:
        words = [*arguments, *shlex.split(text)]
    except ValueError as error:
        raise Stop(f"VALUES cannot be read ({error}): {QUOTING}") from None
    for word in words:
        if not re.match(r"[A-Za-z][A-Za-z0-9]*=", word):
            raise Stop(f"`{word}` is not NAME=VALUE: {QUOTING}")
    return dict(word.split("=", 1) for word in words)


def addon(arguments):
    file = pathlib.Path(f"infra/{arguments.addon}.yaml")
    template = read_template(file)
    if not CONFIG.exists():
        raise Stop("deploy the main stack first: make deploy")
    main_stack, region, main_values = read_config(arguments.env, read_template(arguments.template))
    # What both templates have is the same setting, unless it is given here.
    shared = {name: value for name, value in main_values.items() if name in template["Parameters"]}
    values = shared | given_values(arguments.values, os.environ.get("VALUES", ""))
    if "MainStack" in template["Parameters"]:
        values.setdefault("MainStack", main_stack)
    else:
        region = "us-east-1"
    check_values(template, values)
    print(f"deploying {main_stack}-{arguments.addon} to {region} as {check_credentials(region)}")
    built = BUILT_ADDON.get(arguments.addon)
    to = ("--resolve-s3",)
    if built:
        if not arguments.prebuilt:
            run("make", f"build-{arguments.addon}", f"ARCH={values.get('Architecture', 'arm64')}")
        check_architecture(built.parent / "Worker/bootstrap", template, values)
        # It has a program of its own, which a workflow deploys like that of the main stack.
        to = uploads(arguments.env)
    sam_deploy(arguments.sam, built or file, f"{main_stack}-{arguments.addon}", region, template, values, to)
    made = outputs(f"{main_stack}-{arguments.addon}", region)
    for name, value in made.items():
        print(f"{name}: {value}")
    if made.get("TaskFunction"):
        print(f"\nNow set TaskFunction = \"{made['TaskFunction']}\" in {CONFIG} and run `make deploy`.")
    if made.get("PublicUrl"):
        print(f"\nNow set PublicUrl = \"{made['PublicUrl']}\" in {CONFIG} and run `make deploy`.")


def remove(arguments):
    main_stack, region, values = read_config(arguments.env, read_template(arguments.template))
    if arguments.remove == "cloudfront":
        region = "us-east-1"
    if arguments.remove in ("domain", "cloudfront") and values.get("PublicUrl"):
        raise Stop(f"delete the line PublicUrl from {CONFIG} and run `make deploy` first: the documents name that URL")
    check_credentials(region)
    run(arguments.sam, "delete", "--stack-name", f"{main_stack}-{arguments.remove}", "--region", region,
        "--no-prompts", SAM_CLI_TELEMETRY="0")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--env", default="default")
    parser.add_argument("--sam", default="sam")
    parser.add_argument("--template", default="template.yaml")
    parser.add_argument("--prebuilt", action="store_true", help="deploy what .aws-sam holds")
    parser.add_argument("--content", action="store_true")
    parser.add_argument("--addon", choices=ADDONS)
    parser.add_argument("--remove", choices=ADDONS)
    parser.add_argument("values", nargs="*", metavar="NAME=VALUE")
    arguments = parser.parse_args()
    if arguments.values and not arguments.addon:
        parser.error("values are only for --addon")
    command = addon if arguments.addon else remove if arguments.remove else deploy
    try:
        command(arguments)
    except Stop as stop:
        print(f"deploy: {stop}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
