"""Starts AWS's emulator of durable executions with two changes.

AWS repeats a failed invocation with growing pauses. The emulator always waits 5 s, so that 200 crashes would take an hour.

A wake-up of the emulator completes a wait and then invokes the worker. Another thread that arms the next wake-up cancels
the last one, also between these two: the execution then waits for ever. It happens with `--skip-time`, whose wake-ups are
immediate. Here a wake-up that has begun is not cancelled.

The arguments are those of `dex-local-runner`.
"""

import asyncio
import os
import sys

from aws_durable_execution_sdk_python_testing import cli, executor

executor.Executor.RETRY_BACKOFF_SECONDS = float(os.environ.get("RETRY_PAUSE_SECONDS", "0.2"))

wake_up = executor.Executor._fire_due_and_invoke_handler
# The event loop has weak references to its tasks only.
begun = set()


def uninterrupted(self, execution_arn):
    fire = wake_up(self, execution_arn)

    async def fire_to_the_end():
        task = asyncio.ensure_future(fire())
        begun.add(task)
        task.add_done_callback(begun.discard)
        await asyncio.shield(task)

    return fire_to_the_end


executor.Executor._fire_due_and_invoke_handler = uninterrupted

if __name__ == "__main__":
    sys.exit(cli.main())
