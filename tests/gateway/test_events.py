"""One function serves every front: stages, domain names, base paths, Function URLs, load balancers."""

import json

import pytest
from expand import ROOT

EVENTS = sorted((ROOT / "tests/data/events").glob("infra-*.json"))


def test_the_events_are_there_and_explained():
    assert len(EVENTS) == 19
    notes = (ROOT / "tests/data/events/infra.md").read_text(encoding="utf-8")
    for path in EVENTS:
        name = path.stem.removeprefix("infra-")
        front = name.split("-")[0]
        assert f"`{name}" in notes or f"`{front}" in notes, name


@pytest.mark.parametrize("path", EVENTS, ids=lambda path: path.stem)
def test_the_endpoint_is_found_behind(function, path):
    answer = function.invoke(json.loads(path.read_text(encoding="utf-8")), 5)
    assert answer["statusCode"] == 200, answer
    assert json.loads(answer["body"]) == {"jsonrpc": "2.0", "id": 1, "result": {}}
