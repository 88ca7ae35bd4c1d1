"""`make destroy`, and what is left: what the runbook names in *Remove everything*."""

from account import ROOT
from runbook import commands


def test_the_stack_is_deleted_and_the_rest_is_what_the_runbook_names(deployed, project):
    function, table = deployed.function, deployed.outputs()["LimitsTableName"]
    done = project.sam("delete", "--config-env", "default", answers="y\ny\n")
    assert done.returncode == 0, done.stdout
    account = deployed.account
    assert not [
        s for s in deployed.cloudformation.list_stacks()["StackSummaries"]
        if s["StackName"] == "portfolio" and s["StackStatus"] != "DELETE_COMPLETE"
    ]
    assert function not in str(account.client("lambda").list_functions())
    assert table not in account.client("dynamodb").list_tables()["TableNames"]
    assert not account.client("apigateway").get_rest_apis()["items"]
    assert not account.client("logs").describe_log_groups(logGroupNamePrefix="/aws/lambda/portfolio")["logGroups"]

    runbook = (ROOT / "infra/runbook.md").read_text(encoding="utf-8").partition("## Remove everything")[2]
    layers = [layer["LayerName"] for layer in account.client("lambda").list_layers()["Layers"]]
    assert layers == ["portfolio-content"]
    assert "`STACK-content`" in runbook
    parameters = [p["Name"] for p in account.client("ssm").describe_parameters()["Parameters"]]
    assert parameters == ["/portfolio/api-keys"]
    assert "`/STACK/`" in runbook
    for part, examples in (("list-layer-versions", {}), ("delete-layer-version", {"LAYER": "1"}),
                           ("delete-parameters", {})):
        (command,) = [command for command in commands() if part in command.text]
        # The stack has no outputs any more.
        command.names = "STACK=portfolio"
        ran = command.run(project, **examples)
        assert ran.returncode == 0, ran.stdout
    assert not account.client("ssm").describe_parameters()["Parameters"]
    (bucket,) = [
        b["Name"] for b in account.client("s3").list_buckets()["Buckets"] if b["Name"].startswith("aws-sam-cli-")
    ]
    assert bucket and "`aws-sam-cli-managed-default`" in runbook
