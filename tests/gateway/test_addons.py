"""Optional stacks: `make domain`, `make tasks` and the like, and their values."""

import os
import subprocess
import sys

import pytest
from deployment import ANSWERS, program
from expand import source

FROM = "Portfolio <portfolio@example.com>"


def with_settings(project, **values):
    """Deploys the main stack with these settings in samconfig.toml."""
    project.deploy(**ANSWERS)
    text = project.config.read_text()
    for name, value in values.items():
        default = source()["Parameters"][name]["Default"]
        assert f'# {name} = "{default}"' in text
        text = text.replace(f'# {name} = "{default}"', f'{name} = "{value}"')
    project.config.write_text(text)
    worker = project.folder / ".aws-sam/tasks/Worker/bootstrap"
    worker.parent.mkdir(parents=True)
    worker.write_bytes(program("arm64"))


def test_the_worker_has_the_settings_of_the_main_stack(project):
    main = {"ContactProvider": "ses", "ContactTo": "owner@example.com", "ContactFrom": FROM, "SesIdentity": "example.com",
            "LogLevel": "debug", "PermissionsBoundary": "arn:aws:iam::123456789012:policy/boundary"}
    with_settings(project, **main)
    done = project.deploy("--addon", "tasks")
    assert done.returncode == 0, done.stderr
    values = project.values()
    # The alarms of failed tasks reach the same address.
    assert values["AlarmEmail"] == "owner@example.com"
    assert {name: values[name] for name in main} == main
    assert values["MainStack"] == "my-portfolio"
    assert values["Architecture"] == "arm64"


def test_a_value_that_is_given_wins_over_that_of_the_main_stack(project):
    with_settings(project, ContactProvider="resend", ContactTo="owner@example.com", ContactFrom=FROM)
    done = project.deploy("--addon", "tasks", "AlarmEmail=tasks@example.com", VALUES="ContactTo=other@example.com")
    assert done.returncode == 0, done.stderr
    values = project.values()
    assert (values["AlarmEmail"], values["ContactTo"]) == ("tasks@example.com", "other@example.com")
    assert values["ContactFrom"] == FROM


def test_the_worker_of_a_main_stack_without_contact_is_refused(project):
    with_settings(project, ContactTo="owner@example.com", ContactFrom=FROM)
    project.config.write_text(project.config.read_text().replace('# ContactProvider = "off"', 'ContactProvider = "off"'))
    done = project.deploy("--addon", "tasks")
    assert done.returncode == 1
    assert "ContactProvider: `off` is none of resend, ses" in done.stderr


@pytest.mark.parametrize("addon", ["domain", "waf", "cloudfront", "dashboard", "tasks"])
def test_a_parameter_of_both_templates_is_the_same_setting(addon):
    """A line that is missing in samconfig.toml means the default, which is then that of both."""
    main, own = source()["Parameters"], source(f"infra/{addon}.yaml")["Parameters"]
    for name in set(main) & set(own):
        if name == "ContactProvider":
            # A worker sends, and the main stack does not by default.
            assert set(own[name]["AllowedValues"]) == set(main[name]["AllowedValues"]) - {"off"}
            continue
        assert own[name].get("Default", "") == main[name]["Default"], name
        assert own[name].get("AllowedValues") == main[name].get("AllowedValues"), name


def test_the_stage_of_the_main_stack_is_behind_the_distribution(project):
    with_settings(project, StageName="v1")
    project.aws.has_edge = True
    done = project.deploy("--addon", "cloudfront", "ApiHost=a1.execute-api.eu-central-1.amazonaws.com")
    assert done.returncode == 0, done.stderr
    assert project.values()["StageName"] == "v1"


def make(project, target, *variables, **environment):
    """Runs a target of infra/*.mk in the checkout."""
    return subprocess.run(
        ["make", "-f", "infra/infra.mk", "-f", "infra/durable.mk", "-o", "sam", "SAM=sam", f"PYTHON={sys.executable}",
         f"DEPLOY={sys.executable} infra/tools/deploy.py --sam ./sam --prebuilt", target, *variables],
        capture_output=True, text=True, timeout=60, check=False, cwd=project.folder, stdin=subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"], "HOME": str(project.folder), "AWS_ENDPOINT_URL": project.aws.url,
             "AWS_EC2_METADATA_DISABLED": "true", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
             **environment},
    )


def test_make_hands_on_values_with_the_characters_of_a_shell(project):
    with_settings(project, ContactProvider="resend")
    given = f"ContactTo=owner@example.com ContactFrom='{FROM}'"
    before = {path.name for path in project.folder.iterdir()}
    for variables, environment in (([f"VALUES={given}"], {}), ([], {"VALUES": given})):
        done = make(project, "tasks", *variables, **environment)
        assert done.returncode == 0, done.stdout + done.stderr
        assert project.values()["ContactFrom"] == FROM
        assert project.values()["ContactTo"] == "owner@example.com"
    assert {path.name for path in project.folder.iterdir()} == before, "a shell wrote into a file"


@pytest.mark.parametrize(
    ("target", "given", "name", "value"),
    [
        ("domain", "DomainName=mcp.example.com 'CertificateArn=arn:aws:acm:eu-central-1:123456789012:certificate/1b'",
         "DomainName", "mcp.example.com"),
        ("waf", "'RequestsPerFiveMinutes=1000'", "RequestsPerFiveMinutes", "1000"),
        ("cloudfront", '"ApiHost=a1.execute-api.eu-central-1.amazonaws.com"', "ApiHost",
         "a1.execute-api.eu-central-1.amazonaws.com"),
        ("dashboard", "'MainStack=other'", "MainStack", "other"),
    ],
)
def test_make_hands_on_the_values_of_each_optional_stack(project, target, given, name, value):
    project.deploy(**ANSWERS)
    project.aws.has_edge = True
    done = make(project, target, f"VALUES={given}; touch made-by-a-shell")
    assert done.returncode != 0
    assert not (project.folder / "made-by-a-shell").exists()
    done = make(project, target, f"VALUES={given}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert project.values()[name] == value


def test_make_gives_the_architecture_only_if_it_is_set(project):
    with_settings(project, ContactProvider="resend", ContactTo="owner@example.com", ContactFrom=FROM, Architecture="x86_64")
    worker = project.folder / ".aws-sam/tasks/Worker/bootstrap"
    worker.write_bytes(program("x86_64"))
    done = make(project, "tasks")
    assert done.returncode == 0, done.stdout + done.stderr
    assert project.values()["Architecture"] == "x86_64"
    worker.write_bytes(program("arm64"))
    for variables, environment in ((["ARCH=arm64"], {}), ([], {"ARCH": "arm64"})):
        done = make(project, "tasks", *variables, **environment)
        assert done.returncode == 0, done.stdout + done.stderr
        assert project.values()["Architecture"] == "arm64"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (f"ContactFrom={FROM}", "`<portfolio@example.com>` is not NAME=VALUE: quote a value that has spaces"),
        (f"ContactFrom='{FROM}", "VALUES cannot be read (No closing quotation): quote a value"),
        ("=x", "`=x` is not NAME=VALUE"),
    ],
)
def test_values_that_are_not_quoted_are_explained(project, given, said):
    project.deploy(**ANSWERS)
    done = project.deploy("--addon", "tasks", VALUES=given)
    assert done.returncode == 1
    assert said in done.stderr
    assert len(project.calls()) == 1


def test_an_optional_stack_is_deployed_beside_the_main_one(project):
    project.deploy(**ANSWERS)
    certificate = "arn:aws:acm:eu-central-1:123456789012:certificate/1b2c"
    done = project.deploy("--addon", "domain", "DomainName=mcp.example.com", f"CertificateArn={certificate}")
    assert done.returncode == 0, done.stderr
    call = project.calls()[-1]
    assert call[call.index("--stack-name") + 1] == "my-portfolio-domain"
    assert project.values()["MainStack"] == "my-portfolio"
    done = project.deploy("--addon", "domain", "DomainName=mcp.example.com")
    assert "CertificateArn: is required" in done.stderr
    project.deploy("--addon", "cloudfront", "ApiHost=a1.execute-api.eu-central-1.amazonaws.com")
    call = project.calls()[-1]
    assert call[call.index("--region") + 1] == "us-east-1"


def test_the_worker_of_tasks_is_deployed_as_the_function_is(project):
    """`make tasks` puts what it built into .aws-sam/tasks. A workflow's role can upload to its own bucket alone."""
    project.deploy(**ANSWERS)
    role = "arn:aws:iam::123456789012:role/portfolio-github-StackRole-1"
    text = project.config.read_text()
    project.config.write_text(text.replace("resolve_s3 = true", f's3_bucket = "uploads"\nrole_arn = "{role}"'))
    worker = project.folder / ".aws-sam/tasks/Worker/bootstrap"
    worker.parent.mkdir(parents=True)
    worker.write_bytes(program("x86_64"))
    contact = ["ContactTo=owner@example.com", "ContactFrom=Ada Lovelace <ada@example.com>"]
    before = len(project.calls())
    done = project.deploy("--addon", "tasks", *contact)
    assert done.returncode == 1
    assert "is for x86_64, and Architecture is arm64" in done.stderr
    assert len(project.calls()) == before
    worker.write_bytes(program("arm64"))
    done = project.deploy("--addon", "tasks", *contact)
    assert done.returncode == 0, done.stderr
    call = project.calls()[-1]
    assert call[call.index("--template-file") + 1] == ".aws-sam/tasks/template.yaml"
    assert call[call.index("--stack-name") + 1] == "my-portfolio-tasks"
    assert call[call.index("--s3-bucket") + 1] == "uploads"
    assert call[call.index("--role-arn") + 1] == role
    assert project.values()["ContactFrom"] == "Ada Lovelace <ada@example.com>"
    # An optional stack without a program needs permissions that the workflow does not have.
    certificate = "arn:aws:acm:eu-central-1:123456789012:certificate/1b2c"
    project.deploy("--addon", "domain", "DomainName=mcp.example.com", f"CertificateArn={certificate}")
    assert "--role-arn" not in project.calls()[-1]


def test_an_optional_stack_is_removed_only_when_nothing_names_it(project):
    project.deploy(**ANSWERS)
    text = project.config.read_text()
    project.config.write_text(text.replace('# PublicUrl = ""', 'PublicUrl = "https://mcp.example.com"'))
    done = project.deploy("--remove", "domain")
    assert done.returncode == 1
    assert "delete the line PublicUrl" in done.stderr
    project.config.write_text(text)
    assert project.deploy("--remove", "domain").returncode == 0
    assert project.calls()[-1][:3] == ["delete", "--stack-name", "my-portfolio-domain"]
