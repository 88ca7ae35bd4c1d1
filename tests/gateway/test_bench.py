"""The checks of the benchmarks against numbers made by hand: each must be able to fail."""

import json
import sys
from pathlib import Path

import pytest
from expand import ROOT

sys.path.insert(0, str(ROOT / "benches"))

import chart
import counting
import growth
import guard
import link_order
import parts
import programs
import tables
import untouched

ONE_TOOL = programs.Program(programs.ONE_TOOL, Path("none"), {})


def test_the_guard_allows_three_percent_in_both_directions():
    baseline = {"call": {"instructions": 100_000}}
    for allowed in (97_000, 100_000, 103_000):
        assert not list(guard.differences({"call": {"instructions": allowed}}, baseline))
    for refused in (96_999, 103_001):
        assert len(list(guard.differences({"call": {"instructions": refused}}, baseline))) == 1


def test_the_guard_allows_no_other_number_of_crates():
    baseline = {"program": {"crates": 97}}
    assert not list(guard.differences({"program": {"crates": 97}}, baseline))
    assert list(guard.differences({"program": {"crates": 98}}, baseline)) == ["program: 97 crates -> 98 (+1.0%)"]


def test_a_number_without_a_counterpart_is_a_difference():
    assert list(guard.differences({"call": {"allocations": 1}}, {})) == ["call: the baseline has no number of allocations"]
    assert list(guard.differences({}, {"call": {"allocations": 1}})) == ["call: the measurement has no number of allocations"]


def test_the_baseline_has_the_requests_of_both_programs():
    titles = json.loads(guard.BASELINE.read_text())["counts"]
    for title in programs.portfolio_requests():
        assert f"portfolio: {title}, v1" in titles
    assert {"lambda-mcp: start and first answer", "portfolio: start and first answer"} <= titles.keys()


@pytest.mark.parametrize("cost", [lambda n: 1e6, lambda n: 1e6 + 29 * n, lambda n: 1e6 + 29 * n + n**0.5])
def test_a_linear_cost_does_not_rise(cost):
    assert growth.rises("a text", [(size, cost(size)) for size in (1e3, 1e4, 1e5, 1e6)]) is None


def test_a_cost_that_falls_and_stays_does_not_rise():
    assert growth.rises("an overview", [(1e4, 790_000), (1e5, 330_000), (1e6, 320_000), (2e6, 325_000)]) is None
    assert growth.rises("an overview", [(1e4, 790_000), (1e5, 330_000), (1e6, 320_000), (2e6, 640_000)])


@pytest.mark.parametrize("cost", [lambda n: 1e6 + n**2, lambda n: 1e6 + n**1.2, lambda n: 29 * n + n**2 / 1e5])
def test_a_cost_that_is_more_than_linear_is_found(cost):
    assert growth.rises("a text", [(size, cost(size)) for size in (1e3, 1e4, 1e5, 1e6)])


@pytest.mark.parametrize("name", [
    "aws_sdk_dynamodb::client::Client::update_item",
    "<aws_smithy_runtime::client::Client as core::fmt::Debug>::fmt",
    "core::ptr::drop_in_place<rustls::client::ClientConfig>",
    "ring::digest::digest",
])
def test_functions_of_the_sdk_and_of_tls_are_recognized(name):
    assert untouched.FORBIDDEN.search(name)


@pytest.mark.parametrize("name", ["lambda_mcp::wiring::run", "core::str::from_utf8", "string::String::new"])
def test_other_functions_are_not(name):
    assert not untouched.FORBIDDEN.search(name)


def answer(status, **members):
    return json.dumps({"statusCode": status, "body": json.dumps({"jsonrpc": "2.0", "id": 1, **members})})


def test_an_answer_is_measured_only_if_it_is_a_success():
    subject = programs.Subject(ONE_TOOL, "tools/call", programs.CALL)
    days = [{"high": 18, "sky": "sunny"}, {"high": 19, "sky": "cloudy"}, {"high": 20, "sky": "rain"}]
    good = {"structuredContent": {"city": "Berlin", "days": days}}
    assert programs.reason(subject, answer(200, result=good)) is None
    assert programs.reason(subject, answer(400, result=good))
    assert programs.reason(subject, answer(200, error={"code": -32603, "message": "internal error"}))
    assert programs.reason(subject, answer(200, result={**good, "isError": True}))
    assert programs.reason(subject, answer(200, result={"structuredContent": {"city": "Berlin", "days": days[:2]}}))


def test_a_place_of_a_page_is_written_and_must_be_there_once(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- bench: a -->\nold\n<!-- /bench -->\nafter\n")
    tables.write(page, {"a": "new"})
    assert page.read_text() == "before\n<!-- bench: a -->\nnew\n<!-- /bench -->\nafter\n"
    with pytest.raises(SystemExit):
        tables.write(page, {"b": "new"})


def test_the_longest_bar_is_that_of_the_largest_value():
    drawn = chart.bars("a chart", {"group": {"one": 50, "two": 100}}, {"one"})(chart.THEMES["light"])
    widths = [int(part.split('"')[0]) for part in drawn.split('width="')[2:]]
    assert widths[1] == pytest.approx(2 * widths[0], abs=1)


def test_a_function_is_of_the_first_crate_that_is_not_the_standard_library():
    owners = {
        "<rustls::client::Config as core::fmt::Debug>::fmt": "rustls::client::Config",
        "core::ptr::drop_in_place::<alloc::vec::Vec<aws_config::Loader>>": "aws_config::Loader",
        "<&mut portfolio::page::Site>::written": "portfolio::page::Site",
        "<str>::to_lowercase": "core",
        "<alloc::vec::Vec<u8>>::extend_from_slice": "core",
        "ring_core_0_17_14__aes_nohw_encrypt": "ring",
        "getaddrinfo": "libc",
    }
    assert {name: parts.owner(name) for name in owners} == owners


def test_the_first_part_that_names_a_crate_or_its_module_has_it(monkeypatch):
    names = ["portfolio::page::html", "portfolio::pages::html", "aws_sdk_ssm::client", "aws_types::region", "unknown::f"]
    monkeypatch.setattr(parts, "functions", lambda program: [(size, name) for size, name in enumerate(names, 1)])
    found = {part: size for part, size in parts.code("program")[0].items() if size}
    assert found == {
        "page and Markdown": 1, "function": 2, "AWS SDK: SSM": 3, "AWS SDK: common runtime": 4, "other crates": 5,
    }


def test_allocations_are_counted_where_they_are_seen():
    deployed = programs.Program("portfolio", Path("deployed"), {}, "get_projects", Path("named"))
    assert deployed.counted("instructions") == ("instructions", Path("deployed"))
    assert deployed.counted("allocations") == (counting.CALLS, Path("named"))
    assert ONE_TOOL.counted("allocations") == ("allocations", Path("none"))


def test_only_calls_of_the_allocator_are_counted():
    profile = """\
fn=(1) main
cfn=(2) dlmalloc::dlmalloc::Dlmalloc<A>::malloc
calls=3 0
+4 100
cfn=(3) dlmalloc::dlmalloc::Dlmalloc<A>::malloc_aligned
calls=5 0
+4 100
fn=(3)
cfn=(2)
calls=7 0
+4 100
fn=(2)
cfn=(4) dlmalloc::dlmalloc::Dlmalloc<A>::malloc'2
calls=1 0
+4 100
"""
    assert counting.calls(profile, counting.MALLOC) == 11


def test_only_addresses_of_the_program_are_counted():
    profile = """\
ob=(1) /lib/libc.so.6
fn=(1) malloc
0x1000 0 5
ob=(2) /function
fn=(2) main
0x20000 0 1
+4 0 1
cob=(1)
cfn=(1)
calls=1 0x1000 0
* 0 5
-4 0 2
ob=(1)
fn=(1)
0x90000 0 1
"""
    assert list(counting.addresses(profile, "/function")) == [0x20000, 0x20004, 0x20004, 0x20000]


def test_a_symbol_is_named_without_its_hashes():
    hashed = "17h0123456789abcdefE"
    assert link_order.prefixes(f"_ZN6server5build5steps3run{hashed}.llvm.42") == [
        "_ZN6server5build*", "_ZN6server5build5steps*", "_ZN6server5build5steps3run17h*E*",
    ]
    assert link_order.prefixes("_RNvNtCsgEmfK2I1SDS_4core3fmt5write.417") == ["_RNvNtCs*_4core3fmt5write*"]
    assert link_order.prefixes("memcpy") == ["memcpy"]


def test_modules_that_are_used_are_placed_as_a_whole_and_rare_names_last():
    def symbol(path, number):
        return f"_ZN{path}17h{number:016x}E"

    used = [symbol("3lib4used3one", 1), symbol("3lib4used3two", 2), symbol("3lib6shared4grow", 3)]
    sizes = {**dict.fromkeys(used, 100), symbol("3lib4used4rare", 4): 10, symbol("3lib6shared4grow", 5): 900}
    assert link_order.order(set(used), sizes) == ["_ZN3lib4used*", "_ZN3lib6shared4grow17h*E*"]
