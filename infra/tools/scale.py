#!/usr/bin/env python3
"""Simulates a stage under 10 to 10,000 requests a second, and writes the tables of docs/scale.md.

    scale.py          prints the tables
    scale.py --write  puts them into docs/scale.md, between the lines `<!-- scale: NAME -->`
    scale.py --check  ends with 1 if the page differs from the model

A model, not a measurement: requests arrive at random times from a fixed seed, pass the throttles of API
Gateway, and take an instance of Lambda, which serves one request at a time. The same seed gives the same
tables. The prices and the duration of a call are those of cost.py. Only the standard library.
"""

import collections
import heapq
import pathlib
import random
import re
import sys

import cost

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/scale.md"
SEED = 20261130
SECONDS = 20
RATES = (10, 100, 1_000, 10_000)

# The default quotas of an account and a Region, 2026. All can be raised but the last.
QUOTAS = {
    "gateway_rate": 10_000,  # requests a second, API Gateway
    "gateway_burst": 5_000,
    "concurrency": 1_000,  # instances of all functions
    "scaling": 1_000,  # new instances of one function in ten seconds
    "item_writes": 1_000,  # write units a second of one partition of a table
}
# The defaults of template.yaml.
STAGE = {"rate": 50, "burst": 100}

WARM_S = cost.CALL_S  # a warm invocation as Lambda bills it
COLD_S = 0.060  # the same for a new instance: Lambda prepares it, and the function starts
WRITE_S = 0.006  # a round trip to DynamoDB
# Dollars for a million calls, without the duration and the writes.
CALL_MILLION = sum(price for part, price in cost.call_parts("rest", 1e6).items() if part != "duration")
GB_SECOND, WRITE_MILLION = cost.PRICES["lambda_gb_second_arm"], cost.PRICES["dynamodb_write_million"]


class Bucket:
    """A token bucket, as API Gateway throttles."""

    def __init__(self, rate, burst):
        self.rate, self.burst, self.tokens, self.at = rate, burst, burst, 0.0

    def admits(self, now):
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class Fleet:
    """The instances of the function. The one that became idle last is used first."""

    def __init__(self, concurrency):
        self.concurrency, self.busy, self.idle = concurrency, [], []
        self.started, self.most = Bucket(QUOTAS["scaling"] / 10, QUOTAS["scaling"]), 0
        self.count = 0

    def take(self, now):
        """An instance and whether it is new, or `None`: the request is throttled."""
        while self.busy and self.busy[0][0] <= now:
            self.idle.append(heapq.heappop(self.busy)[1])
        if self.idle:
            return self.idle.pop(), False
        if len(self.busy) >= self.concurrency or not self.started.admits(now):
            return None
        self.count += 1
        return self.count, True

    def release(self, instance, at):
        heapq.heappush(self.busy, (at, instance))
        self.most = max(self.most, len(self.busy))


class Limit:
    """A rule of a tool: calls of one caller in a window. An instance remembers whom it saw denied."""

    def __init__(self, calls, window_s):
        self.calls, self.window_s = calls, window_s
        self.counts, self.denied = collections.Counter(), set()
        self.writes, self.per_second = 0, collections.Counter()

    def check(self, instance, caller, now):
        """Whether the call is admitted, and whether it asked the table."""
        window = int(now / self.window_s)
        if (instance, caller, window) in self.denied:
            return False, False
        self.writes += 1
        self.per_second[caller, int(now)] += 1
        # A denied write does not count, but is billed.
        if self.counts[caller, window] >= self.calls:
            self.denied.add((instance, caller, window))
            return False, True
        self.counts[caller, window] += 1
        return True, True

    def hottest(self):
        return max(self.per_second.values(), default=0)


def arrivals(rate, callers, seconds, seed):
    """Requests at random times: the time and the caller of each. Few callers make most of the calls."""
    chance, now = random.Random(seed), 0.0
    while (now := now + chance.expovariate(rate)) < seconds:
        yield now, int(chance.paretovariate(1.0)) % callers if callers > 1 else 0


def simulate(rate, stage=None, limit=None, callers=1, concurrency=None, seconds=SECONDS, seed=SEED):
    """Requests at random times for some seconds, on a function without instances."""
    stage = Bucket(stage["rate"], stage["burst"]) if stage else Bucket(QUOTAS["gateway_rate"], QUOTAS["gateway_burst"])
    fleet = Fleet(concurrency or QUOTAS["concurrency"])
    return serve(arrivals(rate, callers, seconds, seed), stage, fleet, limit, duration)


def duration(cold, asked):
    return (COLD_S if cold else WARM_S) + WRITE_S * asked


def serve(requests, stage, fleet, limit, took):
    """What becomes of requests, each of which has a time and a caller."""
    seen, busy_s = collections.Counter(), 0.0
    for now, caller in requests:
        seen["requests"] += 1
        if not stage.admits(now):
            seen["refused by the stage"] += 1
            continue
        taken = fleet.take(now)
        if taken is None:
            seen["throttled by Lambda"] += 1
            continue
        instance, cold = taken
        seen["cold"] += cold
        asked = False
        if limit:
            admitted, asked = limit.check(instance, caller, now)
            seen["limited"] += not admitted
        seen["served"] += 1
        lasts = took(cold, asked)
        busy_s += lasts
        fleet.release(instance, now + lasts)
    return {**dict.fromkeys(("refused by the stage", "throttled by Lambda", "cold", "limited", "served"), 0), **seen,
            "instances": fleet.most, "busy_s": busy_s}


def small_scale(case):
    """The numbers of tests/data/scale.json, which the test `limit::scale` finds with real processes as well.

    A wave is requests that arrive at once, and the next wave comes when all of them are answered.
    """
    stage, fleet, rule = Bucket(10_000, 5_000), Fleet(QUOTAS["concurrency"]), Limit(case["limit"], 1_000_000)
    seen = [
        serve([(now, caller) for caller in wave], stage, fleet, rule, lambda cold, asked: 0.5)
        for now, wave in enumerate(case["waves"])
    ]
    writes = collections.Counter()
    for (_, now), count in rule.per_second.items():
        writes[now] += count
    return {"instances": fleet.count, "denied": [wave["limited"] for wave in seen],
            "writes": [writes[now] for now in range(len(seen))]}


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def share(part, whole):
    return f"{part / whole:.1%}" if whole else "-"


def stage():
    rows = []
    for title, settings in (("template's defaults", STAGE), ("account's quota alone", None)):
        for rate in RATES:
            seen = simulate(rate, settings)
            rows.append([f"{rate:,}, {title}", share(seen["refused by the stage"], seen["requests"]),
                         share(seen["throttled by Lambda"], seen["requests"]), seen["instances"],
                         f"{seen['busy_s'] / SECONDS:.1f}", share(seen["cold"], seen["served"])])
    return table(["requests a second, throttle", "refused by API Gateway", "throttled by Lambda", "most instances at once",
                  "busy on average", "new instances among the served"], rows)


def reserved():
    rows = []
    for concurrency in (5, 10, 50, 200):
        for rate in (1_000, 10_000):
            seen = simulate(rate, concurrency=concurrency)
            rows.append([f"{concurrency}, {rate:,}", share(seen["throttled by Lambda"], seen["requests"]),
                         f"{seen['served'] / SECONDS:,.0f}"])
    return table(["concurrency, requests a second", "throttled by Lambda", "served a second"], rows)


def limits():
    rows = []
    for title, callers, calls in (("60 a minute for each of 1,000 callers", 1_000, 60), ("100 in all, one counter", 1, 100),
                                  ("1,000,000 in all, one counter", 1, 1_000_000)):
        for rate in RATES:
            rule = Limit(calls, 60)
            seen = simulate(rate, limit=rule, callers=callers)
            hot = rule.hottest()
            duration, writes = seen["busy_s"] * cost.MEMORY_GB * GB_SECOND, rule.writes * WRITE_MILLION / 1e6
            dollars = CALL_MILLION + 1e6 * (duration + writes) / seen["served"]
            rows.append([f"{rate:,}, {title}", share(seen["limited"], seen["served"]), f"{rule.writes / SECONDS:,.0f}",
                         f"{hot:,}" + (" (above its quota)" if hot > QUOTAS["item_writes"] else ""), f"{dollars:.2f}"])
    return table(["requests a second, rule", "denied", "writes a second", "writes of the hottest item in a second",
                  "dollars a million"], rows)


TABLES = {f.__name__: f for f in (stage, reserved, limits)}


def page(text):
    for name, make in TABLES.items():
        pattern = re.compile(rf"(<!-- scale: {name} -->\n).*?(<!-- /scale -->)", re.DOTALL)
        text, count = pattern.subn(lambda m, made=make(): m[1] + made + "\n" + m[2], text)
        if count != 1:
            sys.exit(f"scale: {PAGE.name} has {count} places for the table `{name}`, not one")
    return text


def main(arguments):
    if arguments == ["--write"]:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    elif arguments == ["--check"]:
        text = PAGE.read_text(encoding="utf-8")
        if page(text) != text:
            print("scale: docs/scale.md differs from the model; `infra/tools/scale.py --write` updates it", file=sys.stderr)
            return 1
    else:
        for name, make in TABLES.items():
            print(f"{name}\n\n{make()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
