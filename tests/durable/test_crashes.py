"""200 kills at named points: each message is delivered once, none is lost, and no task hangs."""

import random
import threading
import time
import urllib.error
from collections import Counter

from conftest import ENDED, Client, Refused, eventually

KILLS = 200
# In a client that calls them side by side.
CLIENTS = 4
SEED = 20261130
# Of the worker, in the order in which a task reaches them.
POINTS = ["start", "before_send", "after_send", "after_step", "before_return"]
# Of the MCP function: before and after the execution exists.
STARTS = ["before_start", "after_start"]


def plans(rng):
    """For each task: where its worker and where its function is killed. At most three in a row."""
    planned, kills = [], 0
    while kills < KILLS:
        worker = sorted((rng.choice(POINTS) for _ in range(rng.randint(0, 3))), key=POINTS.index)
        function = [rng.choice(STARTS)] if rng.random() < 0.25 else []
        while kills + len(worker) + len(function) > KILLS:
            (worker or function).pop()
        kills += len(worker) + len(function)
        planned.append((worker, function))
    return planned


def test_each_message_is_delivered_once(service, provider):
    began = time.monotonic()
    provider.kills, provider.calls = {}, 0
    before = set(provider.delivered)
    work = list(enumerate(plans(random.Random(SEED))))
    planned = Counter(point for _, (worker, function) in work for point in worker + function)
    lock, ends, retried = threading.Lock(), [], Counter()

    def run(number, worker, function):
        client = Client(service.url)

        def repeated(call):
            try:
                return call()
            except (Refused, urllib.error.URLError, ConnectionError):
                # The function was killed. A client calls again; a call for a task finds the same one.
                with lock:
                    retried[number] += 1
                return None

        def ended():
            view = repeated(lambda: client.get(task))
            return view if view and view["status"] in ENDED else None

        task = eventually(lambda: repeated(lambda: client.task("deliver", text=f"message {number}")))
        view = eventually(ended, 90, 0.1)
        with lock:
            ends.append((number, view["status"], view.get("result", view.get("error"))))

    def next_task():
        while True:
            with lock:
                if not work:
                    return
                number, (worker, function) = work.pop(0)
            run(number, worker, function)

    # A task is known by its first point: it has the plan of the next one in line.
    waiting = [worker for _, (worker, _) in work]
    assign = threading.Lock()
    known = {}

    class Plans(dict):
        def get(self, task, _default=None):
            with assign:
                if task not in known:
                    known[task] = waiting.pop(0)
                return known[task]

    provider.plans = Plans()
    service.kills = [kill for _, (_, function) in work for kill in function]
    threads = [threading.Thread(target=next_task) for _ in range(CLIENTS)]
    tasks = len(work)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=300)
        assert not thread.is_alive(), "a task hangs"

    new = {key: text for key, (_, text) in provider.delivered.items() if key not in before}
    texts = Counter(new.values())
    killed = Counter(provider.kills) + Counter({"function": service.killed})
    print(f"\n  {tasks} tasks, {sum(killed.values())} kills {dict(sorted(killed.items()))}")
    print(f"  the provider was called {provider.calls} times, and delivered {len(new)} messages")
    print(f"  {dict(Counter(end for _, end, _ in ends))}, {sum(retried.values())} requests repeated, "
          f"{time.monotonic() - began:.0f} s")
    failed = [end for end in ends if end[1] != "completed" or end[2].get("isError")]
    assert not failed, failed
    assert sum(killed.values()) == sum(planned.values()) == KILLS, planned
    assert texts == Counter({f"message {number}": 1 for number in range(tasks)})
    # Kills between the delivery and its record make repeated calls, which the keys recognize.
    assert provider.calls > len(new)
