"""Starts AWS's emulator of durable executions with a short pause before a failed invocation is repeated.

AWS repeats with growing pauses. The emulator always waits 5 s, so that 200 crashes would take an hour.
The arguments are those of `dex-local-runner`.
"""

import os
import sys

from aws_durable_execution_sdk_python_testing import cli, executor

executor.Executor.RETRY_BACKOFF_SECONDS = float(os.environ.get("RETRY_PAUSE_SECONDS", "0.2"))

if __name__ == "__main__":
    sys.exit(cli.main())
