#!/usr/bin/env python3
"""Runs a command beside moto, an emulator of AWS services.

    with_moto.py MOTO_SERVER CMD …    runs CMD with MOTO_URL set and exits with its status

Needs Python 3.9 or newer and no packages.
"""

import os
import socket
import subprocess
import sys
import time

HOST = "127.0.0.1"
START_SECONDS = 60


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    server, command = sys.argv[1], sys.argv[2:]
    port = free_port()
    moto = subprocess.Popen(
        [server, "--host", HOST, "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        await_start(moto, port)
        environment = {**os.environ, "MOTO_URL": f"http://{HOST}:{port}"}
        return subprocess.run(command, env=environment, check=False).returncode
    finally:
        moto.terminate()
        moto.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def await_start(moto, port):
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if moto.poll() is not None:
            sys.exit(f"with_moto: moto exited with status {moto.returncode} while starting")
        try:
            socket.create_connection((HOST, port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit(f"with_moto: moto did not answer within {START_SECONDS} s")


if __name__ == "__main__":
    sys.exit(main())
