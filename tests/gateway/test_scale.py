"""The model of docs/scale.md: its parts against what can be computed by hand, and the page against it."""

import json
import re
import shutil
import subprocess
import sys

import pytest
from expand import ROOT

sys.path.insert(0, str(ROOT / "infra/tools"))

import cost
import scale


def test_the_page_agrees_with_the_model():
    done = subprocess.run([sys.executable, "infra/tools/scale.py", "--check"], cwd=ROOT, check=False, timeout=120)
    assert done.returncode == 0


def test_both_pages_say_how_long_a_call_takes():
    """The tables have one constant, and the words around them the same."""
    duration = f"{cost.CALL_S * 1000:.0f} ms"
    page = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
    assert scale.WARM_S == cost.CALL_S
    assert f"{duration} per tool call" in (ROOT / "docs/cost.md").read_text(encoding="utf-8")
    assert f"{duration} for a warm invocation" in page and f"A request takes {duration}" in page
    (busy,) = re.findall(r"keep about (\d+) instances busy", page)
    row = next(line for line in page.splitlines() if line.startswith("| 10,000, account's quota alone"))
    assert round(float(row.split("|")[5])) == int(busy)
    (each,) = re.findall(r"about (\d+) requests a second\.", page)
    row = next(line for line in page.splitlines() if line.startswith("| 10, 10,000 |"))
    assert round(float(row.split("|")[3].replace(",", "")) / 10, -1) == int(each)


def test_a_page_that_differs_is_reported(tmp_path):
    for name in ("infra/tools/scale.py", "infra/tools/cost.py", "docs/scale.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    page = tmp_path / "docs/scale.md"
    page.write_text(page.read_text(encoding="utf-8").replace("| 10, template's", "| 11, template's"), encoding="utf-8")
    done = subprocess.run([sys.executable, str(tmp_path / "infra/tools/scale.py"), "--check"], check=False, timeout=120)
    assert done.returncode == 1


def test_the_busy_instances_are_the_rate_times_the_duration():
    """Little's law, for warm instances."""
    seen = scale.simulate(1_000, seconds=20)
    warm = (seen["busy_s"] - seen["cold"] * scale.COLD_S) / 20
    assert warm == pytest.approx(seen["served"] / 20 * scale.WARM_S, rel=0.01)


def test_the_throttle_admits_its_burst_and_its_rate():
    seen = scale.simulate(1_000, {"rate": 50, "burst": 100}, seconds=10)
    assert seen["served"] == pytest.approx(100 + 50 * 10, abs=2)


def test_every_request_has_one_outcome():
    seen = scale.simulate(2_000, {"rate": 1_000, "burst": 100}, concurrency=2, seconds=5)
    assert seen["requests"] == seen["served"] + seen["throttled by Lambda"] + seen["refused by the stage"]
    assert seen["instances"] <= 2


def test_a_limit_admits_exactly_its_calls_in_a_window():
    rule = scale.Limit(25, window_s=60)
    seen = scale.simulate(500, limit=rule, callers=1, seconds=10)
    assert seen["served"] - seen["limited"] == 25
    # Each instance asks once more, to learn that the caller is denied.
    assert rule.writes == 25 + len({instance for instance, _, _ in rule.denied})


def test_the_same_seed_gives_the_same_numbers():
    assert scale.simulate(300, seconds=5) == scale.simulate(300, seconds=5)
    assert scale.simulate(300, seconds=5) != scale.simulate(300, seconds=5, seed=1)


def test_the_small_case_holds_what_the_model_says():
    """`tests/it/limit/scale.rs` compares the same case with processes of the function."""
    case = json.loads((ROOT / "tests/data/scale.json").read_text(encoding="utf-8"))
    assert scale.small_scale(case) == case["expected"]
