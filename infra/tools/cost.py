#!/usr/bin/env python3
"""Computes the tables of docs/cost.md from the prices below.

    cost.py          prints the tables
    cost.py --write  puts them into docs/cost.md, between the lines `<!-- cost: NAME -->`
    cost.py --check  ends with 1 if the page differs from the prices

Only the standard library.
"""

import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/cost.md"

# List prices in US dollars for us-east-1, 2026, without taxes. Free amounts are per month and account.
PRICES = {
    "rest_million": 3.50,
    "http_million": 1.00,
    "lambda_million": 0.20,
    "lambda_gb_second_arm": 0.0000133334,
    "dynamodb_write_million": 0.625,
    "logs_gb": 0.50,
    "logs_gb_month": 0.03,
    "egress_gb": 0.09,
    "cloudfront_us_eu_million": 1.00,
    "cloudfront_egress_gb": 0.085,
    "edge_million": 0.60,
    "edge_gb_second": 0.00005001,
    "waf_acl": 5.00,
    "waf_rule": 1.00,
    "waf_million": 0.60,
    "zone": 0.50,
    "alarm": 0.10,
    "dashboard": 3.00,
    "metric": 0.30,
    "secret": 0.40,
    "trace_million": 5.00,
    "durable_million": 8.00,
    "durable_gb": 0.25,
    "durable_gb_month": 0.15,
}
FREE = {
    "lambda_requests": 1_000_000,
    "lambda_gb_seconds": 400_000,
    "egress_gb": 100,
    "logs_gb": 5,
    "alarms": 10,
    "dashboards": 3,
    "metrics": 10,
}

MEMORY_GB = 0.25
# A read-only call as Lambda bills it. It takes some 40 microseconds of a CPU (docs/performance.md), of which 256 MB get a
# seventh, so less than a millisecond. Lambda's own part is about another, and it bills whole milliseconds, rounded up.
CALL_S = 0.002
GET_S = 0.001
LOG_BYTES = 700
# What src/layer/end.rs and src/log.rs write, and what of it is about a tool. Tests compare them.
OUTCOMES = 10
OUTCOMES_OF_A_TOOL = 7
ANSWER_BYTES = 4_000
# One metric of all requests, and one for each outcome.
TOTALS = 1 + OUTCOMES
SECONDS_A_MONTH = 30 * 86_400
THROTTLE = 50


def duration(calls, seconds):
    return calls * seconds * MEMORY_GB * PRICES["lambda_gb_second_arm"]


def requests(front, calls):
    return {"rest": PRICES["rest_million"], "http": PRICES["http_million"], "url": 0}[front] * calls / 1e6


def call_parts(front, calls):
    """What so many tool calls cost, part by part, without free amounts."""
    return {
        "front": requests(front, calls),
        "requests": PRICES["lambda_million"] * calls / 1e6,
        "duration": duration(calls, CALL_S),
        "log": PRICES["logs_gb"] * calls * LOG_BYTES / 1e9,
        "egress": PRICES["egress_gb"] * calls * ANSWER_BYTES / 1e9,
    }


FRONTS = {"rest": "REST API (template.yaml)", "http": "HTTP API", "url": "Function URL (infra/function-url.yaml)"}


def money(value):
    return f"{value:,.2f}" if value >= 0.005 or value == 0 else "<0.01"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def million_calls():
    rows = []
    for front, name in FRONTS.items():
        parts = call_parts(front, 1e6)
        rows.append([name, *(money(v) for v in parts.values()), f"**{money(sum(parts.values()))}**"])
    head = ["front", "front requests", "Lambda requests", "duration", "log", "egress", "total"]
    return table(head, rows)


def small_portfolio():
    """A month of a portfolio, with the free amounts of an account."""
    rows = []
    for calls in (1_000, 10_000, 100_000):
        parts = call_parts("rest", calls)
        if calls <= FREE["lambda_requests"]:
            parts["requests"] = 0
        if calls * CALL_S * MEMORY_GB <= FREE["lambda_gb_seconds"]:
            parts["duration"] = 0
        if calls * LOG_BYTES / 1e9 <= FREE["logs_gb"]:
            parts["log"] = 0
        if calls * ANSWER_BYTES / 1e9 <= FREE["egress_gb"]:
            parts["egress"] = 0
        rows.append([f"{calls:,}", *(money(v) for v in parts.values()), f"**{money(sum(parts.values()))}**"])
    return table(["tool calls a month", "API requests", "Lambda requests", "duration", "log", "egress", "total"], rows)


def waiting_get():
    day = 86_400 * MEMORY_GB * PRICES["lambda_gb_second_arm"]
    polls = SECONDS_A_MONTH
    by_function = PRICES["lambda_million"] * polls / 1e6 + duration(polls, GET_S)
    rows = [
        ["a server that holds the stream open, for one idle client", money(day * 30)],
        [f"Function URL, a client that asks every second ({polls / 1e6:.2f} million GETs)", money(by_function)],
        ["HTTP API, the same client", money(by_function + requests("http", polls))],
        ["REST API with a MOCK, the same client; the function is never invoked", money(requests("rest", polls))],
    ]
    return table(["answer to `GET /mcp`", "a month"], rows)


def floods():
    served = THROTTLE * SECONDS_A_MONTH
    parts = call_parts("rest", served)
    rows = [
        [f"GETs at the stage's throttle ({THROTTLE} a second) for a month: {served / 1e6:.0f} million",
         money(requests("rest", served) + PRICES["egress_gb"] * served * 500 / 1e9)],
        ["tool calls at the stage's throttle for a month", money(sum(parts.values()))],
        ["the same tool calls for one day", money(sum(parts.values()) / 30)],
        ["requests above the throttle", "not billed"],
    ]
    return table(["flood", "cost"], rows)


def idle():
    rows = [
        ["function, API, table, layer, log groups, settings counter, budget", "0"],
        ["four alarms, within the ten free ones of an account", "0"],
        ["four alarms beyond them", money(4 * PRICES["alarm"])],
        ["secrets in SSM Parameter Store (standard SecureString)", "0"],
        ["the same four secrets in Secrets Manager, which the template does not use", money(4 * PRICES["secret"])],
        ["`make dashboard`, within the three free ones / beyond them", f"0 / {money(PRICES['dashboard'])}"],
        ["`make waf`", f"{money(PRICES['waf_acl'] + PRICES['waf_rule'])} and {money(PRICES['waf_million'])} per million requests"],
        ["`make domain` with a zone in Route 53", money(PRICES["zone"])],
        ["`make cloudfront`", (
            f"{money(PRICES['cloudfront_us_eu_million'])} per million HTTPS requests (US and Europe), and Lambda@Edge "
            f"{money(PRICES['edge_million'])} per million plus {money(1e6 * 0.001 * 0.125 * PRICES['edge_gb_second'])} of duration")],
        ["`Metrics=totals`, with the ten free metrics of an account / without them, if all outcomes occur all the time",
         f"{money((TOTALS - FREE['metrics']) * PRICES['metric'])} / {money(TOTALS * PRICES['metric'])}"],
        ["`Metrics=all`, for each tool of which all outcomes occur all the time",
         money(OUTCOMES_OF_A_TOOL * PRICES["metric"])],
        ["`Tracing=Active`", f"{money(PRICES['trace_million'])} per million traces"],
    ]
    return table(["what", "a month"], rows)


def limits():
    write = PRICES["dynamodb_write_million"] / 1e6
    rows = [
        ["a tool without limits", "0"],
        ["a call with one limit", f"{write * 1e6:.3f} per million calls"],
        ["a call of `contact`, whose three limits take two writes", f"{2 * write * 1e6:.3f} per million calls"],
        ["the same from an IPv6 address, which counts for three networks", f"{4 * write * 1e6:.3f} per million calls"],
        ["a call of a caller that the instance remembers as denied", "0"],
    ]
    return table(["DynamoDB writes of", "cost"], rows)


def operations(steps=0, reports=0, questions=0, waits=0):
    """The operations of a task: its start, its steps, and a callback for each question, which a step records before."""
    return 1 + steps + reports + 2 * questions + waits


def tasks():
    """What AWS bills for durable executions, without the invocations of the worker."""
    def row(what, count):
        return [what, str(count), money(count * PRICES["durable_million"])]

    rows = [
        row("a message of `contact`: one step", operations(steps=1)),
        row("three steps, one question and one report", operations(steps=3, questions=1, reports=1)),
        row("each further attempt of a step", 1),
        ["10 kB of arguments and results, kept for a day", "", money(
            1e6 * 10_000 / 1e9 * (PRICES["durable_gb"] + PRICES["durable_gb_month"] / 30))],
    ]
    return table(["a million tasks", "operations of each", "cost"], rows)


TABLES = {f.__name__.replace("_", "-"): f for f in (million_calls, small_portfolio, waiting_get, floods, idle, limits, tasks)}


def page(text):
    for name, make in TABLES.items():
        pattern = re.compile(rf"(<!-- cost: {name} -->\n).*?(<!-- /cost -->)", re.DOTALL)
        text, count = pattern.subn(lambda m, make=make: m[1] + make() + "\n" + m[2], text)
        if count != 1:
            sys.exit(f"cost: {PAGE.name} has {count} places for the table `{name}`, not one")
    return text


def main(arguments):
    if arguments == ["--write"]:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        return 0
    if arguments == ["--check"]:
        text = PAGE.read_text(encoding="utf-8")
        if page(text) != text:
            print("cost: docs/cost.md differs from the prices; `python3 infra/tools/cost.py --write` updates it", file=sys.stderr)
            return 1
        return 0
    for name, make in TABLES.items():
        print(f"{name}\n\n{make()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
