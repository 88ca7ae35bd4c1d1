"""An AWS account in one process: LocalStack without Docker, and the function's own program in its Lambda.

Each version of the function runs as AWS runs it: the program of its package and the files of its layer, with
its environment and nothing else but what Lambda and the emulator add. Of LocalStack's Lambda only the start of
a container is replaced.
"""

import json
import os
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gateway"))

import resources
import transform
from function import Function
from localstack.aws.api.lambda_ import State
from localstack.runtime.main import main
from localstack.services.lambda_.invocation.lambda_models import InvocationResult, VersionState
from localstack.services.lambda_.invocation.version_manager import LambdaVersionManager

RUNNING = {}
LOCK = threading.Lock()


def environment(version):
    """What a version sees: its variables, credentials, and where the emulated services are."""
    config = version.config
    variables = dict(config.environment or {})
    for layer in config.layers:
        layer.code.prepare_for_execution()
        # Lambda unpacks layers into /opt.
        assert variables["CONTENT_DIR"] == "/opt"
        variables["CONTENT_DIR"] = str(layer.code.get_unzipped_code_location())
    listening = f"http://{os.environ['GATEWAY_LISTEN']}"
    return {
        **variables,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_ENDPOINT_URL": listening,
        "AWS_ENDPOINT_URL_DYNAMODB": os.environ["MOTO_URL"],
        "SECRETS_TTL_S": os.environ["SECRETS_TTL_S"],
        "AWS_LAMBDA_FUNCTION_NAME": version.id.function_name,
        "AWS_LAMBDA_FUNCTION_VERSION": version.id.qualifier,
    }


def started(manager):
    with LOCK:
        if manager.id not in RUNNING:
            code = manager.function_version.config.code
            code.prepare_for_execution()
            bootstrap = code.get_unzipped_code_location() / "bootstrap"
            RUNNING[manager.id] = Function(str(bootstrap), environment(manager.function_version))
        return RUNNING[manager.id]


def start(manager):
    manager.state = VersionState(state=State.Active)
    return manager.state


def stop(manager):
    manager.shutdown_event.set()
    function = RUNNING.pop(manager.id, None)
    if function:
        function.stop()


def invoke(manager, *, invocation):
    with manager.counting_service.get_invocation_lease(
        manager.function, manager.function_version, None
    ):
        answer = started(manager).invoke(json.loads(invocation.payload), manager.function_version.config.timeout)
    return InvocationResult(
        request_id=invocation.request_id,
        payload=json.dumps(answer or {"errorMessage": "Task timed out"}).encode(),
        is_error=answer is None,
        logs="",
        executed_version=manager.function_version.id.qualifier,
    )


LambdaVersionManager.start = start
LambdaVersionManager.stop = stop
LambdaVersionManager.invoke = invoke
resources.install()
transform.install()
main()
