#!/usr/bin/env python3
"""Serves one function of the workspace at http://127.0.0.1:PORT, as AWS Lambda does.

`cargo lambda watch --only-lambda-apis` emulates Lambda's Runtime API and turns HTTP requests into
Function URL events. This script builds the function and starts it as a separate process, so that any
binary or example can answer at `/mcp`. It stops both processes when it ends.

    serve.py --bin portfolio                     serves until Ctrl-C
    serve.py --example cases --port 9001         serves an example
    serve.py --watch                             runs plain `cargo lambda watch` instead
    serve.py --bin portfolio --port 0 -- CMD …   runs CMD with MCP_URL set and exits with its status
    serve.py --bin portfolio --logs FILE …       writes the function's logs to FILE (`--quiet`: discards)

Needs Python 3.9 or newer and no packages.
"""

import argparse
import contextlib
import http.client
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

HOST = "127.0.0.1"
START_SECONDS = 30
# `cargo lambda watch` compiles before it answers.
WATCH_SECONDS = 900
STOP_SECONDS = 3


class Interrupted(Exception):
    """Ctrl-C, a closed terminal, or a supervisor that stops this script."""


def main():
    args = arguments()
    name = args.bin or args.example or "cargo lambda watch"
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    try:
        port = free_port() if args.port == 0 else args.port
        refuse_taken(port, args)
        with contextlib.ExitStack() as processes:
            if args.watch:
                server = start_watch(processes, args, port)
            else:
                program = path_of(args) if args.prebuilt else build(args)
                start_emulator(processes, args, port)
                server = start_function(processes, args, program, name, port)
            if args.command:
                return run(args.command, port)
            announce(name, port)
            print(f"serve: {name} exited with status {server.wait()}", file=sys.stderr)
            return 1
    except Interrupted:
        return 130 if args.command else 0


def arguments():
    parser = argparse.ArgumentParser(description="Serves a function of the workspace locally.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--bin", help="a binary of the workspace")
    what.add_argument("--example", help="an example of the workspace")
    what.add_argument("--watch", action="store_true", help="run plain `cargo lambda watch`")
    parser.add_argument("--port", type=int, default=9000, help="0 selects a free port")
    parser.add_argument("--cargo-lambda", default="cargo-lambda", help="path of cargo-lambda")
    parser.add_argument("--prebuilt", action="store_true", help="use the existing build")
    parser.add_argument("--quiet", action="store_true", help="discard the function's logs")
    parser.add_argument("--logs", help="write the function's logs to this file")
    parser.add_argument("command", nargs="*", help="run this command against the server, then stop")
    return parser.parse_args()


def interrupted(_number, _frame):
    raise Interrupted


def target_directory():
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"))


def path_of(args):
    folder = target_directory() / "debug"
    path = folder / args.bin if args.bin else folder / "examples" / args.example
    if not path.exists():
        sys.exit(f"serve: {path} does not exist; build it first, or omit --prebuilt")
    return path


def build(args):
    what = ["--bin", args.bin] if args.bin else ["--example", args.example]
    # The features of every other make target, so that Cargo compiles nothing twice.
    command = ["cargo", "build", "--locked", "--workspace", "--all-features", *what]
    built = subprocess.run(command, check=False)
    if built.returncode != 0:
        sys.exit(built.returncode)
    return path_of(args)


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def refuse_taken(port, args):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            target = f"run-example EXAMPLE={args.example}" if args.example else "run"
            sys.exit(f"serve: port {port} is in use; try `make {target} PORT={port + 1}`")


def start_watch(processes, args, port):
    """Starts `cargo lambda watch` as a user does; it builds and runs the default binary itself."""
    command = [args.cargo_lambda, "lambda", "watch"]
    command += ["--invoke-address", HOST, "--invoke-port", str(port)]
    watch = start(processes, command, dict(os.environ), args.quiet, args.logs)
    await_until(watch, "cargo lambda watch", lambda: answers(port), WATCH_SECONDS)
    return watch


def start_emulator(processes, args, port):
    environment = {**os.environ, "RUST_LOG": "error", "RUST_BACKTRACE": "0"}
    command = [args.cargo_lambda, "lambda", "watch", "--only-lambda-apis", "--disable-cors"]
    command += ["--invoke-address", HOST, "--invoke-port", str(port)]
    emulator = start(processes, command, environment, quiet=True)
    await_until(emulator, "cargo lambda watch", lambda: accepts(port))


def start_function(processes, args, program, name, port):
    names = ["localhost", HOST, "[::1]"]
    environment = {
        # Refuses what a web page makes the browser send by DNS rebinding.
        "ALLOWED_HOSTS": ",".join(names),
        # Only this machine can call, and messages go to a file.
        "CONTACT_PROVIDER": "log",
        "CONTACT_OUTBOX": str(target_directory() / "outbox.jsonl"),
        "CONTACT_AUTH": "none",
        **os.environ,
        "AWS_LAMBDA_RUNTIME_API": f"http://{HOST}:{port}/.rt",
        "AWS_LAMBDA_FUNCTION_NAME": name,
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
        "AWS_LAMBDA_LOG_GROUP_NAME": f"/aws/lambda/{name}",
        "AWS_LAMBDA_LOG_STREAM_NAME": "local",
    }
    function = start(processes, [str(program)], environment, args.quiet, args.logs)
    await_until(function, name, lambda: answers(port))
    return function


def start(processes, command, environment, quiet, logs=None):
    # In a new session, so that Ctrl-C reaches this script only, which stops the processes in order.
    output = subprocess.DEVNULL if quiet else None
    if logs:
        output = processes.enter_context(open(logs, "wb"))
    try:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=output, start_new_session=True
        )
    except FileNotFoundError:
        sys.exit(f"serve: {command[0]} is not installed; run `make setup`")
    processes.callback(stop, process)
    return process


def stop(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        pass
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def await_until(process, name, ready, seconds=START_SECONDS):
    deadline = time.monotonic() + seconds
    pause = 0.02
    while not ready():
        if process.poll() is not None:
            sys.exit(f"serve: {name} exited with status {process.returncode} while starting")
        if time.monotonic() > deadline:
            sys.exit(f"serve: {name} did not answer within {seconds} s")
        time.sleep(pause)
        pause = min(2 * pause, 1)


def accepts(port):
    try:
        socket.create_connection((HOST, port), timeout=1).close()
        return True
    except OSError:
        return False


def answers(port):
    """Whether the function answers: it refuses a GET on the endpoint with 405."""
    connection = http.client.HTTPConnection(HOST, port, timeout=2)
    try:
        connection.request("GET", "/mcp")
        return connection.getresponse().status == 405
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def run(command, port):
    url = f"http://{HOST}:{port}/mcp"
    process = subprocess.Popen(command, env={**os.environ, "MCP_URL": url})
    try:
        return process.wait()
    except Interrupted:
        process.terminate()
        process.wait()
        raise


def announce(name, port):
    url = f"http://{HOST}:{port}/mcp"
    print(f"\n{name} listens at {url} (press Ctrl-C to stop)\n")
    print("List its tools:\n")
    print(f"  curl -sS {url} -H 'Content-Type: application/json' \\")
    print("""    -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'\n""", flush=True)


if __name__ == "__main__":
    sys.exit(main())
