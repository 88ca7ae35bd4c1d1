"""`make deploy-content`: the owner's files go live without a build, and later deployments keep what is set."""

import json


def manifest(deployed):
    status, answer = deployed.call("get_manifest")
    assert status == 200
    return str(answer["result"]["structuredContent"])


def test_changed_files_reach_callers_and_the_program_stays(deployed, project):
    program, before = deployed.configuration()["CodeSha256"], deployed.version
    resume = project.folder / "content/resume.json"
    text = resume.read_text(encoding="utf-8")
    name = json.loads(text)["basics"]["name"]
    assert name in manifest(deployed)
    resume.write_text(text.replace(name, "Grace Hopper"), encoding="utf-8")
    project.set(RateLimits="get_resume=60/1m, 900/1d; get_projects=60/1m")
    project.deploy("--content")
    assert deployed.version != before
    assert deployed.configuration()["CodeSha256"] == program
    assert "Grace Hopper" in manifest(deployed)
    assert deployed.variables()["RATE_LIMITS"] == "get_resume=60/1m, 900/1d; get_projects=60/1m"
    # What test_update changed past samconfig.toml is undone: the file is the only place for settings.
    assert deployed.parameters()["ThrottleRate"] == "50"
    assert deployed.parameters()["AlarmEmail"] == "owner@example.com"


def test_a_deployment_without_a_change_publishes_nothing(deployed, project):
    before = deployed.version
    project.deploy("--prebuilt")
    assert deployed.version == before
