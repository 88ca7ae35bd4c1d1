"""LocalStack in one process, with the function's binary in the place of its Lambda service.

LocalStack would run a function in Docker. Here its `AWS_PROXY` integration hands the event to the
binary of this project, through the Runtime API of tests/gateway/function.py; each invocation is a
line in the file named by INVOCATIONS.
"""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gateway"))

from function import Function
from localstack.runtime.main import main
from localstack.services.apigateway.next_gen.execute_api.integrations.aws import (
    RestApiAwsProxyIntegration,
)

function = Function(os.environ["PORTFOLIO_BIN"], json.loads(os.environ["FUNCTION_ENVIRONMENT"]))


def call_lambda(function_arn, event, source_arn, credentials=None):
    with open(os.environ["INVOCATIONS"], "a", encoding="utf-8") as counted:
        counted.write(f"{function_arn}\n")
    return json.dumps(function.invoke(json.loads(event), 10)).encode()


RestApiAwsProxyIntegration.call_lambda = staticmethod(call_lambda)
main()
