"""The life of a deployment in an emulated account: created, changed, rotated, removed.

The tests are one story and run in this order. `make deploy`, SAM, CloudFormation and the function are the real ones or
LocalStack's; account.py says what is excluded.
"""

import json
import os
import re
import urllib.error
import urllib.request

import pytest
from account_types import EXCLUDED
from conftest import until
from expand import source
from test_release import NOT_OF_THE_VERSION, OTHER

CONTACT = {
    "ContactProvider": "ses", "ContactTo": "a@example.com", "ContactFrom": "b@example.com",
    "SesIdentity": "example.com", "ApiKeys": "on",
}
KEYS = "/portfolio/api-keys"


def post(url, method, params, token=None):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    headers = {"Content-Type": "application/json", "MCP-Protocol-Version": "2025-11-25"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(url, body, headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def new_key(account, name):
    """The key, and its entry, that the owner's command prints."""
    printed = account.run(os.path.abspath(os.environ["PORTFOLIO_BIN"]), "new-key", name).stdout
    key = re.search(r"\blmk_\S+", printed)[0]
    entry = re.search(rf"{name} sha256:[0-9a-f]+ contact:send", printed)[0]
    return key, entry


def contact(account, token):
    """The status of a call that gets past its credential, and is then refused for its arguments."""
    return post(account.endpoint, "tools/call", {"name": "contact", "arguments": {}}, token)[0]


def test_make_deploy_creates_the_stack_and_its_smoke_test_passes(account):
    done = account.deploy()
    assert "12 passed, 1 failed" in done.stdout, "see SMOKE in conftest.py"
    assert "claude mcp add" in done.stdout
    assert account.live == "1"
    kinds = {
        resource["ResourceType"]
        for resource in account.client("cloudformation").describe_stack_resources(StackName="portfolio")["StackResources"]
    }
    assert set(EXCLUDED) <= kinds
    # Nothing else was passed over.
    assert "No resource provider found" not in account.log.read_text(encoding="utf-8")
    alarms = account.client("cloudwatch").describe_alarms()["MetricAlarms"]
    assert {a["MetricName"] for a in alarms} == {"Errors", "Throttles", "Duration", "5XXError"}


def test_a_deployment_without_a_change_moves_nobody(account):
    account.deploy()
    assert account.live == "1"


@pytest.mark.parametrize("name", sorted(OTHER))
def test_a_changed_parameter_reaches_callers(account, name):
    beside, value = OTHER[name]
    account.update(**beside)
    before, variables = account.live, account.variables()
    account.update(**{**beside, name: value})
    assert int(account.live) > int(before)
    # What is not in the environment is a property of the version itself.
    if name not in ("Architecture", "TimeoutSeconds", "Tracing"):
        assert account.variables() != variables


def test_what_the_function_does_not_know_moves_nobody(account):
    account.set()
    account.deploy()
    before = account.live
    account.set(ThrottleRate="7", LogRetentionDays="7", MonthlyBudget="9")
    account.deploy()
    assert account.live == before
    assert {"ThrottleRate", "LogRetentionDays", "MonthlyBudget"} <= NOT_OF_THE_VERSION
    stage = account.client("apigateway").get_stage(restApiId=account.output("ApiId"), stageName="prod")
    assert stage["methodSettings"]["*/*"]["throttlingRateLimit"] == 7


def test_a_line_that_is_deleted_returns_to_its_default(account):
    account.set(AllowedOrigins="https://app.example.com")
    account.deploy()
    assert account.variables()["ALLOWED_ORIGINS"] == "https://app.example.com"
    account.set()
    account.deploy()
    assert account.variables()["ALLOWED_ORIGINS"] == "*"


def test_values_with_spaces_arrive_whole(account):
    limits = "contact=5/1h:burst=2, 20/1d, total:100/1d; get_resume=60/1m:open"
    account.set(RateLimits=limits)
    account.deploy()
    assert account.variables()["RATE_LIMITS"] == limits


def test_content_goes_live_without_a_build(account):
    account.set()
    account.deploy()
    before = account.live
    file = account.folder / "content/resume.json"
    resume = json.loads(file.read_text(encoding="utf-8"))
    resume["basics"]["label"] = "A label of this test"
    file.write_text(json.dumps(resume), encoding="utf-8")
    account.deploy("--content")
    assert int(account.live) > int(before)
    _, answer = post(account.endpoint, "tools/call", {"name": "get_resume", "arguments": {}})
    assert "A label of this test" in json.dumps(answer)


def test_code_goes_live(account):
    before = account.live
    account.build("second")
    account.deploy()
    assert int(account.live) > int(before)


def test_a_revoked_key_is_refused_on_every_version_without_a_deployment(account):
    ssm = account.client("ssm")
    (old_key, old_entry), (key, entry) = new_key(account, "ada"), new_key(account, "bob")
    ssm.put_parameter(Name=KEYS, Type="SecureString", Value=f"{old_entry}\n{entry}")
    account.set(**CONTACT)
    account.deploy()
    earlier = account.live
    account.set(**CONTACT, LogLevel="debug")
    account.deploy()
    version = account.live
    assert int(version) > int(earlier)
    assert (contact(account, old_key), contact(account, key)) == (200, 200)
    assert contact(account, "lmk_nobody") == 401
    # Revoked: written without its entry. The values are cached for ten seconds here.
    ssm.put_parameter(Name=KEYS, Type="SecureString", Overwrite=True, Value=entry)
    assert until(lambda: contact(account, old_key) == 401)
    assert contact(account, key) == 200
    assert account.live == version
    # A rollback does not bring the key back.
    lambda_ = account.client("lambda")
    lambda_.update_alias(FunctionName=account.output("FunctionName"), Name="live", FunctionVersion=earlier)
    assert contact(account, old_key) == 401
    assert contact(account, key) == 200
    lambda_.update_alias(FunctionName=account.output("FunctionName"), Name="live", FunctionVersion=version)
    # Nor is a key in the environment of any version.
    versions = lambda_.list_versions_by_function(FunctionName=account.output("FunctionName"))["Versions"]
    assert len(versions) > 20
    assert "sha256:" not in json.dumps([v.get("Environment") for v in versions])


def test_an_optional_stack_is_added_and_removed_without_a_trace(account):
    account.set()
    account.deploy()
    before = account.live
    stacks = account.client("cloudformation")
    account.deploy("--addon", "dashboard")
    assert stacks.describe_stacks(StackName="portfolio-dashboard")["Stacks"][0]["StackStatus"] == "CREATE_COMPLETE"
    account.deploy("--remove", "dashboard")
    with pytest.raises(stacks.exceptions.ClientError, match="does not exist"):
        stacks.describe_stacks(StackName="portfolio-dashboard")
    assert account.live == before


def test_the_api_is_only_the_endpoint_and_its_documents(account):
    with pytest.raises(urllib.error.HTTPError, match="405"):
        urllib.request.urlopen(account.endpoint, timeout=30)
    assert set(source()["Resources"]["McpApi"]["Properties"]["DefinitionBody"]["paths"]) == {
        item["path"]
        for item in account.client("apigateway").get_resources(restApiId=account.output("ApiId"), limit=100)["items"]
        if item.get("resourceMethods")
    } | {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"}


def test_make_destroy_deletes_what_the_stack_made(account):
    function, api = account.output("FunctionName"), account.output("ApiId")
    account.run(account.sam, "delete", "--config-env", "default", "--no-prompts")
    stacks = account.client("cloudformation")
    with pytest.raises(stacks.exceptions.ClientError, match="does not exist"):
        stacks.describe_stacks(StackName="portfolio")
    assert api not in {item["id"] for item in account.client("apigateway").get_rest_apis()["items"]}
    assert function not in {f["FunctionName"] for f in account.client("lambda").list_functions()["Functions"]}
    assert not account.client("cloudwatch").describe_alarms()["MetricAlarms"]
    assert not [r for r in account.client("iam").list_roles()["Roles"] if r["RoleName"].startswith("portfolio")]
