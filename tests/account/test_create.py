"""`make deploy` from a release file, without Rust: the stack is created, answers, and says so."""

from expand import Stack


def test_the_stack_is_created_and_passes_the_smoke_test(deployed):
    assert "The server answers at https://" in deployed.said
    assert deployed.version == "1"
    status, answer = deployed.call("get_manifest")
    assert status == 200
    assert answer["result"]["structuredContent"]


def test_every_resource_of_the_template_exists(deployed):
    made = deployed.cloudformation.list_stack_resources(StackName="portfolio")["StackResourceSummaries"]
    states = {r["LogicalResourceId"]: r["ResourceStatus"] for r in made}
    expected = set(Stack(AlarmEmail="owner@example.com", Architecture="x86_64").resources)
    # The identifiers of versions and deployments contain a hash.
    hashed = ("McpFunctionVersion", "McpApiDeployment", "Content")

    def without_hash(names):
        return {next((h for h in hashed if name.startswith(h)), name) for name in names}

    assert without_hash(states) == without_hash(expected)
    assert set(states.values()) == {"CREATE_COMPLETE"}
