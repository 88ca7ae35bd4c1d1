#!/usr/bin/env python3
"""Serves one function of this package at http://127.0.0.1:PORT, as AWS Lambda would.

`cargo lambda watch` plays Lambda's Runtime API and turns HTTP requests into Function URL events; the
function is the ordinary binary, built before and started beside it. Starting it ourselves
(`--only-lambda-apis`) is what lets any one binary or example of the package answer at the root path,
reuses whatever is built, and leaves nothing behind: both processes are ours to end.

    serve.py --bin portfolio                     serve until Ctrl-C
    serve.py --example cases --port 9001         serve an example
    serve.py --bin portfolio --port 0 -- CMD …   run CMD with MCP_URL set, then stop; exit as CMD did
    serve.py --bin portfolio --logs FILE …       the function's logs go to FILE (`--quiet`: nowhere)

Only the standard library, Python 3.9 or newer.
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
STOP_SECONDS = 3


class Interrupted(Exception):
    """Ctrl-C, or the terminal or a supervisor asking us to stop."""


def main():
    args = arguments()
    name = args.bin or args.example
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    try:
        program = path_of(args) if args.prebuilt else build(args)
        port = free_port() if args.port == 0 else args.port
        refuse_taken(port, args)
        with contextlib.ExitStack() as processes:
            start_emulator(processes, args, port)
            function = start_function(processes, args, program, name, port)
            if args.command:
                return run(args.command, port)
            announce(name, port)
            status = function.wait()
            print(f"serve: the function ended by itself with status {status}", file=sys.stderr)
            return 1
    except Interrupted:
        return 130 if args.command else 0


def arguments():
    parser = argparse.ArgumentParser(description="Serve a function of this package locally.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--bin", help="a binary of the package")
    what.add_argument("--example", help="an example of the package")
    parser.add_argument("--port", type=int, default=9000, help="0 takes any free one")
    parser.add_argument("--cargo-lambda", default="cargo-lambda", help="path of cargo-lambda")
    parser.add_argument("--prebuilt", action="store_true", help="do not build, it is done")
    parser.add_argument("--quiet", action="store_true", help="keep the function's logs back")
    parser.add_argument("--logs", help="write the function's logs to this file")
    parser.add_argument("command", nargs="*", help="run this against the server, then stop")
    return parser.parse_args()


def interrupted(_number, _frame):
    raise Interrupted


def target_directory():
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"))


def path_of(args):
    folder = target_directory() / "debug"
    path = folder / args.bin if args.bin else folder / "examples" / args.example
    if not path.exists():
        sys.exit(f"serve: {path} is not built")
    return path


def build(args):
    what = ["--bin", args.bin] if args.bin else ["--example", args.example]
    # With the features that every other target builds with: nothing is compiled twice.
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
            name = "run" if args.bin else f"run-example EXAMPLE={args.example}"
            sys.exit(f"serve: port {port} is taken; try `make {name} PORT={port + 1}`")


def start_emulator(processes, args, port):
    environment = {**os.environ, "RUST_LOG": "error", "RUST_BACKTRACE": "0"}
    command = [args.cargo_lambda, "lambda", "watch", "--only-lambda-apis", "--disable-cors"]
    command += ["--invoke-address", HOST, "--invoke-port", str(port)]
    emulator = start(processes, command, environment, quiet=True)
    await_until(emulator, "cargo lambda watch", lambda: accepts(port))


def start_function(processes, args, program, name, port):
    names = ["localhost", HOST, "[::1]"]
    environment = {
        # What a browser is made to send here must not get through (DNS rebinding).
        "ALLOWED_HOSTS": ",".join(names),
        "ALLOWED_ORIGINS": ",".join(f"http://{name}:*" for name in names),
        # Nobody but this machine calls, and nothing leaves it: messages go to a file.
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
    # A session of its own: the terminal's Ctrl-C reaches this script alone, which then ends the
    # processes in order, and nobody prints a farewell of its own.
    output = subprocess.DEVNULL if quiet else None
    if logs:
        output = processes.enter_context(open(logs, "wb"))
    try:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=output, start_new_session=True
        )
    except FileNotFoundError:
        sys.exit(f"serve: {command[0]} is not installed; `make setup` installs it")
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


def await_until(process, name, ready):
    deadline = time.monotonic() + START_SECONDS
    pause = 0.02
    while not ready():
        if process.poll() is not None:
            sys.exit(f"serve: {name} did not start (status {process.returncode})")
        if time.monotonic() > deadline:
            sys.exit(f"serve: {name} did not answer within {START_SECONDS} s")
        time.sleep(pause)
        pause = min(2 * pause, 1)


def accepts(port):
    try:
        socket.create_connection((HOST, port), timeout=1).close()
        return True
    except OSError:
        return False


def answers(port):
    """True once the function itself answers: a GET on the endpoint is refused at once."""
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
    print(f"\n{name} answers at {url}    (Ctrl-C ends it)\n")
    print("Ask it for its tools:\n")
    print(f"  curl -sS {url} -H 'Content-Type: application/json' \\")
    print("""    -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'\n""", flush=True)


if __name__ == "__main__":
    sys.exit(main())
