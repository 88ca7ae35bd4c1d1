"""`make deploy`: its questions, its file, its checks, and what it hands to the SAM CLI."""

import json
import os
import shutil
import subprocess
import sys
import zipfile

import pytest
import tomlkit
from deployment import ANSWERS, program
from expand import ROOT, source


def test_three_answers_deploy(project):
    done = project.deploy(**ANSWERS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "/prod/mcp" in done.stdout
    assert "claude mcp add" in done.stdout
    config = tomlkit.parse(project.config.read_text())["default"]["deploy"]["parameters"]
    assert (config["stack_name"], config["region"]) == ("my-portfolio", "eu-central-1")
    assert config["parameter_overrides"] == {"AlarmEmail": "owner@example.com"}
    (call,) = project.calls()
    assert call[0] == "deploy"
    assert call[call.index("--stack-name") + 1] == "my-portfolio"


def test_every_other_setting_is_a_comment_of_the_new_file(project):
    project.deploy(**ANSWERS)
    text = project.config.read_text()
    for name, spec in source()["Parameters"].items():
        if name != "AlarmEmail":
            assert f'# {name} = "{spec["Default"]}"' in text, name
        assert spec["Description"].strip() in text or name == "AlarmEmail"
    uncommented = text.replace('# RateLimits = ""', 'RateLimits = "contact=5/1h:burst=2, 20/1d"')
    project.config.write_text(uncommented)
    assert project.deploy().returncode == 0
    assert project.values()["RateLimits"] == "contact=5/1h:burst=2, 20/1d"


def test_a_later_deployment_keeps_what_is_set_and_undoes_what_was_deleted(project):
    project.deploy(**ANSWERS)
    text = project.config.read_text()
    project.config.write_text(text.replace('# LogLevel = "info"', 'LogLevel = "debug"'))
    project.deploy()
    assert project.values()["LogLevel"] == "debug"
    assert project.values()["AlarmEmail"] == "owner@example.com"
    project.config.write_text(text)
    project.deploy()
    assert project.values()["LogLevel"] == "info"
    # A parameter that is not sent would keep its last value.
    assert set(project.values()) == set(source()["Parameters"])


def test_values_with_spaces_and_quotes_arrive_whole(project):
    project.deploy(**ANSWERS)
    text = project.config.read_text()
    for name, value in {"ContactFrom": "Ada Lovelace <ada@example.com>", "JwtAudience": "a b c"}.items():
        text = text.replace(f'# {name} = ""', f"{name} = {json.dumps(value)}")
    project.config.write_text(text)
    assert project.deploy().returncode == 0
    assert project.values()["ContactFrom"] == "Ada Lovelace <ada@example.com>"
    assert project.values()["JwtAudience"] == "a b c"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('# LogLevel = "info"', 'LogLevel = "loud"', "LogLevel: `loud` is none of error, warn"),
        ('# ThrottleRate = "50"', "ThrottleRate = 0", "ThrottleRate: `0` is not a number from 1"),
        ('# PublicUrl = ""', 'PublicUrl = "http://x"', "PublicUrl: `http://x` is not empty, or an https URL"),
        ('# LogLevel = "info"', 'Loglevel = "info"', "Loglevel: no such parameter"),
        ("version = 0.1", "version = ", "is not valid TOML"),
        ("[default.deploy.parameters.parameter_overrides]", "", "AlarmEmail must be below"),
    ],
)
def test_a_wrong_setting_is_named_before_anything_is_done(project, old, new, said):
    project.deploy(**ANSWERS)
    before = len(project.calls())
    text = project.config.read_text()
    assert old in text
    project.config.write_text(text.replace(old, new))
    done = project.deploy()
    assert done.returncode == 1
    assert said in done.stderr
    assert len(project.calls()) == before


def test_the_older_form_of_overrides_is_refused(project):
    project.deploy(**ANSWERS)
    project.config.write_text(
        '[default.deploy.parameters]\nstack_name = "a"\nregion = "eu-central-1"\n'
        'parameter_overrides = ["RateLimits=contact=3/1h, 20/1d"]\n'
    )
    done = project.deploy()
    assert done.returncode == 1
    assert "cuts values at spaces" in done.stderr


def test_a_build_for_another_architecture_is_not_deployed(project):
    """Lambda would accept it, and every start would fail."""
    (project.folder / ".aws-sam/build/McpFunction/bootstrap").write_bytes(program("x86_64"))
    done = project.deploy(**ANSWERS)
    assert done.returncode == 1
    assert "is for x86_64, and Architecture is arm64" in done.stderr
    assert not project.calls()
    text = project.config.read_text()
    project.config.write_text(text.replace('# Architecture = "arm64"', 'Architecture = "x86_64"'))
    assert project.deploy().returncode == 0
    assert project.values()["Architecture"] == "x86_64"


def test_the_bucket_and_the_role_of_a_workflow_are_used(project):
    project.deploy(**ANSWERS)
    assert "--resolve-s3" in project.calls()[-1]
    role = "arn:aws:iam::123456789012:role/portfolio-github-StackRole-1"
    text = project.config.read_text().replace(
        "resolve_s3 = true", f's3_bucket = "uploads"\nrole_arn = "{role}"'
    )
    project.config.write_text(text)
    assert project.deploy().returncode == 0
    call = project.calls()[-1]
    assert "--resolve-s3" not in call
    assert call[call.index("--s3-bucket") + 1] == "uploads"
    assert call[call.index("--role-arn") + 1] == role


def test_missing_credentials_are_one_line_with_how_to_get_them(project):
    done = project.deploy(credentials=False, **ANSWERS)
    assert done.returncode == 1
    assert done.stderr.startswith("deploy: no AWS credentials were found: run `aws configure sso`")
    assert not project.config.exists(), "a half-set state"
    project.aws.refuses = True
    done = project.deploy(**ANSWERS)
    assert "AWS refuses the credentials (ExpiredToken)" in done.stderr
    assert not project.config.exists()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [("STACK", "1 stack", "is not a stack name"), ("REGION", "mars-1", "is not a Region"),
     ("ALARM_EMAIL", "me", "is not an e-mail address")],
)
def test_a_wrong_answer_is_refused(project, name, value, said):
    done = project.deploy(**ANSWERS | {name: value})
    assert done.returncode == 1
    assert said in done.stderr


def test_nobody_to_ask_is_said(project):
    done = project.deploy()
    assert done.returncode == 1
    assert "set STACK, or answer at a terminal" in done.stderr


def test_a_deployment_empties_the_cache_of_the_edge(project):
    project.aws.has_edge = True
    done = project.deploy(**ANSWERS)
    assert done.returncode == 0, done.stdout + done.stderr
    ((path, body),) = project.aws.invalidations
    assert path.endswith("/distribution/E1D2/invalidation"), path
    assert "<Path>/*</Path>" in body, body
    project.aws.has_edge = False
    assert project.deploy().returncode == 0
    assert len(project.aws.invalidations) == 1


def test_a_release_file_is_deployed_without_rust(project, binary):
    def release(*arguments):
        return subprocess.run(
            [sys.executable, "infra/tools/release.py", *arguments],
            capture_output=True, text=True, timeout=60, check=False, cwd=project.folder,
        )

    shutil.copy(ROOT / "Cargo.toml", project.folder)
    refused = release("pack", binary, "arm64")
    assert "is for x86_64, not for arm64" in refused.stderr
    assert release("pack", binary, "x86_64").returncode == 0
    (archive,) = (project.folder / "dist").glob("portfolio-*-x86_64.zip")
    first = archive.read_bytes()
    release("pack", binary, "x86_64")
    assert archive.read_bytes() == first, "the same bootstrap gives the same bytes"
    done = release("use", str(archive))
    assert done.returncode == 0, done.stderr
    built = project.folder / ".aws-sam/build"
    text = (built / "template.yaml").read_text()
    assert "CodeUri: McpFunction" in text
    assert "ContentUri: ../../content" in text
    assert "Location: ../../infra/api.yaml" in text
    with zipfile.ZipFile(archive) as opened:
        assert (built / "McpFunction/bootstrap").read_bytes() == opened.read("bootstrap")
    assert os.access(built / "McpFunction/bootstrap", os.X_OK)
    refused = project.deploy(**ANSWERS)
    assert "is for x86_64, and Architecture is arm64" in refused.stderr
    text = project.config.read_text()
    project.config.write_text(text.replace('# Architecture = "arm64"', 'Architecture = "x86_64"'))
    assert project.deploy().returncode == 0
    assert project.deploy("--content").returncode == 0
    archive.write_bytes(first + b"x")
    done = release("use", str(archive))
    assert "does not match SHA256SUMS" in done.stderr
    (project.folder / "dist/SHA256SUMS").unlink()
    assert "SHA256SUMS is not beside" in release("use", str(archive)).stderr
