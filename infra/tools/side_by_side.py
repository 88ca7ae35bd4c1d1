#!/usr/bin/env python3
"""Runs two groups of make targets at the same time, and the targets of a group one after the other.

The output of a target is printed when it ends, with how long it took and how much time of processors it
used. After a failure no further target is started. Started by `make test-all`: one group mostly compiles, the
other mostly waits for programs.
"""

import os
import subprocess
import sys
import threading
import time


class Checks:
    def __init__(self, make):
        self.make = make
        self.lock = threading.Lock()
        self.failed = []

    def run(self, targets):
        for target in targets:
            if self.failed:
                return
            started = time.monotonic()
            process = subprocess.Popen(
                [self.make, "--no-print-directory", target],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            written = process.stdout.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            took = f"{time.monotonic() - started:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of processors"
            with self.lock:
                if process.returncode:
                    self.failed.append(target)
                outcome = "FAILED" if process.returncode else "ok"
                print(f"\n=== {target}: {outcome}, {took}", flush=True)
                sys.stdout.buffer.write(written)
                sys.stdout.flush()


def main():
    make, *groups = sys.argv[1:]
    checks = Checks(make)
    threads = [threading.Thread(target=checks.run, args=[group.split()]) for group in groups]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if checks.failed:
        sys.exit(f"failed: {', '.join(checks.failed)}")


if __name__ == "__main__":
    main()
