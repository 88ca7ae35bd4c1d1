"""One function serves every front: stages, domain names, base paths, Function URLs, load balancers."""

import json
import re

import pytest
from expand import ROOT

EVENTS = sorted((ROOT / "tests/data/events").glob("infra-*.json"))


def test_each_event_is_explained():
    notes = (ROOT / "tests/data/events/infra.md").read_text(encoding="utf-8")
    explained = re.findall(r"`([a-z0-9-]+)(\*?)`", notes)
    assert len(EVENTS) == 18
    for path in EVENTS:
        name = path.stem.removeprefix("infra-")
        assert any(name == n or (star and name.startswith(n)) for n, star in explained), name


@pytest.mark.parametrize("path", EVENTS, ids=lambda path: path.stem)
def test_the_endpoint_is_found_behind(function, path):
    answer = function.invoke(json.loads(path.read_text(encoding="utf-8")), 5)
    assert answer["statusCode"] == 200, answer
    assert json.loads(answer["body"]) == {"jsonrpc": "2.0", "id": 1, "result": {}}
