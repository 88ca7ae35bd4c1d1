"""An AWS account in one LocalStack process, in which `make deploy` can deploy, and the aws CLI be used.

LocalStack's CloudFormation, API Gateway, Lambda, S3, IAM, SSM, SNS, CloudWatch and Logs answer. This file adds what it
lacks, after the documentation of the resources:

- an executor for Lambda that starts the binary of this project with the environment and the layers of the version
  that is invoked (LocalStack would use Docker);
- the resources of AppConfig: a hosted configuration version is replaced when its content changes;
- updates of an alias, as CodeDeploy makes them for `AllAtOnce`, of an API and of a stage, which LocalStack leaves out;
- versions: a changed description replaces them (LocalStack's schema lacks that).

EXCLUDED has the resources that are accepted and do nothing.
"""

import itertools
import json
import os
import sys
import tempfile
import uuid
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gateway"))

from account_types import EXCLUDED
from function import Function
from localstack.services.apigateway.resource_providers.aws_apigateway_deployment import (
    ApiGatewayDeploymentProvider,
)
from localstack.services.apigateway.resource_providers.aws_apigateway_restapi import (
    ApiGatewayRestApiProvider,
)
from localstack.services.apigateway.resource_providers.aws_apigateway_stage import ApiGatewayStageProvider
from localstack.services.cloudformation.engine.v2.change_set_model_transform import (
    ChangeSetModelTransform,
)
from localstack.services.cloudformation.resource_provider import (
    OperationStatus,
    ProgressEvent,
    ResourceProvider,
    ResourceProviderExecutor,
)
from localstack.services.cloudformation.v2.provider import CloudformationProviderV2
from localstack.services.cloudformation.v2.types import engine_parameter_value
from localstack.services.lambda_.invocation import execution_environment, version_manager
from localstack.services.lambda_.invocation.lambda_models import InvocationResult
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor
from localstack.services.lambda_.resource_providers.aws_lambda_version import LambdaVersionProvider
from localstack.services.lambda_.resource_providers.lambda_alias import LambdaAliasProvider

def done(model):
    return ProgressEvent(status=OperationStatus.SUCCESS, resource_model=model)


class Recorded(ResourceProvider):
    """A resource that is only recorded, with an identifier."""

    NAME = "Name"
    SCHEMA = {"primaryIdentifier": ["/properties/Name"], "createOnlyProperties": []}

    def create(self, request):
        model = request.desired_state
        model.setdefault(self.NAME, self.identifier(request))
        model["Arn"] = f"arn:aws:recorded:{request.region_name}:{request.account_id}:{model[self.NAME]}"
        return done(model)

    def identifier(self, request):
        return f"{request.stack_name}-{request.logical_resource_id}-{uuid.uuid4().hex[:8]}"

    def update(self, request):
        return done({**request.previous_state, **request.desired_state})

    def delete(self, request):
        return done({})


class ConfigApplication(Recorded):
    NAME = "ApplicationId"
    SCHEMA = {"primaryIdentifier": ["/properties/ApplicationId"], "createOnlyProperties": []}


class ConfigProfile(Recorded):
    NAME = "ConfigurationProfileId"
    SCHEMA = {
        "primaryIdentifier": ["/properties/ConfigurationProfileId"],
        "createOnlyProperties": [],
    }


class ConfigVersion(Recorded):
    """`Ref` is the version number. It has no updates."""

    NAME = "VersionNumber"
    SCHEMA = {
        "primaryIdentifier": ["/properties/VersionNumber"],
        "createOnlyProperties": ["/properties/Content", "/properties/ContentType"],
    }
    numbers = itertools.count(1)

    def identifier(self, request):
        return str(next(self.numbers))


# LocalStack takes a reference to a changed resource for a changed value. A function and an API keep their names when they
# are updated, so that what refers to them is not replaced.


class Alias(LambdaAliasProvider):
    SCHEMA = {**LambdaAliasProvider.SCHEMA, "createOnlyProperties": []}

    def update(self, request):
        model = {**request.previous_state, **request.desired_state}
        request.aws_client_factory.lambda_.update_alias(
            FunctionName=model["FunctionName"], Name=model["Name"], FunctionVersion=model["FunctionVersion"]
        )
        return done(model)


class Version(LambdaVersionProvider):
    SCHEMA = {
        **LambdaVersionProvider.SCHEMA,
        "createOnlyProperties": ["/properties/Description", "/properties/CodeSha256"],
    }


class RestApi(ApiGatewayRestApiProvider):
    def create(self, request):
        event = super().create(request)
        self.put_gateway_responses(request, event.resource_model)
        return event

    def update(self, request):
        model = {**request.previous_state, **request.desired_state}
        request.aws_client_factory.apigateway.put_rest_api(
            restApiId=model["RestApiId"], mode="overwrite", failOnWarnings=True, body=json.dumps(model["Body"])
        )
        self.put_gateway_responses(request, model)
        return done(model)

    @staticmethod
    def put_gateway_responses(request, model):
        """LocalStack's import leaves them out, and its gateway knows only their status."""
        for kind, said in model["Body"]["x-amazon-apigateway-gateway-responses"].items():
            status = {"statusCode": said["statusCode"]} if "statusCode" in said else {}
            request.aws_client_factory.apigateway.put_gateway_response(
                restApiId=model["RestApiId"], responseType=kind, **status
            )


class Deployment(ApiGatewayDeploymentProvider):
    def delete(self, request):
        # LocalStack has forgotten its identifier by then. It is deleted with the API.
        return done({})


class Stage(ApiGatewayStageProvider):
    SCHEMA = {**ApiGatewayStageProvider.SCHEMA, "createOnlyProperties": []}

    def update(self, request):
        model = {**request.previous_state, **request.desired_state}
        (throttle,) = model["MethodSettings"]
        values = {
            "/deploymentId": model["DeploymentId"],
            "/*/*/throttling/rateLimit": throttle["ThrottlingRateLimit"],
            "/*/*/throttling/burstLimit": throttle["ThrottlingBurstLimit"],
        }
        request.aws_client_factory.apigateway.update_stage(
            restApiId=model["RestApiId"], stageName=model["StageName"],
            patchOperations=[{"op": "replace", "path": k, "value": str(v)} for k, v in values.items()],
        )
        return done(model)


PROVIDERS = {
    "AWS::ApiGateway::Deployment": Deployment,
    "AWS::ApiGateway::Stage": Stage,
    "AWS::ApiGateway::RestApi": RestApi,
    "AWS::AppConfig::Application": ConfigApplication,
    "AWS::AppConfig::ConfigurationProfile": ConfigProfile,
    "AWS::AppConfig::HostedConfigurationVersion": ConfigVersion,
    "AWS::Lambda::Alias": Alias,
    "AWS::Lambda::Version": Version,
    **dict.fromkeys(EXCLUDED, Recorded),
}


class LocalProcess(RuntimeExecutor):
    """An execution environment: the binary, with the environment and the layers of its version."""

    def start(self, env_vars):
        config = self.function_version.config
        environment = dict(config.environment or {})
        assert environment["CONTENT_DIR"] == "/opt"
        # Lambda unpacks layers into /opt.
        (layer,) = config.layers
        layer.code.prepare_for_execution()
        environment["CONTENT_DIR"] = str(layer.code.get_unzipped_code_location())
        environment |= {
            "AWS_ENDPOINT_URL": os.environ["ACCOUNT_URL"],
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            # The least that the function accepts, so that the test does not wait for five minutes.
            "SECRETS_TTL_S": "10",
            "AWS_LAMBDA_FUNCTION_NAME": self.function_version.id.function_name,
        }
        self.function = Function(os.environ["PORTFOLIO_BIN"], environment)

    def stop(self):
        self.function.stop()

    def get_address(self):
        return "127.0.0.1"

    def get_endpoint_from_executor(self):
        return "127.0.0.1"

    def get_runtime_endpoint(self):
        return "http://127.0.0.1"

    def invoke(self, payload):
        answer = self.function.invoke(json.loads(payload["payload"]), self.function_version.config.timeout)
        with open(os.environ["INVOCATIONS"], "a", encoding="utf-8") as counted:
            counted.write(f"{self.function_version.id.qualifier}\n")
        return InvocationResult(
            request_id=payload["invoke-id"], payload=json.dumps(answer).encode(), is_error=False,
            logs="", executed_version=self.function_version.id.qualifier,
        )

    def get_logs(self):
        return "".join(self.function.log)

    @classmethod
    def prepare_version(cls, function_version):
        pass

    @classmethod
    def cleanup_version(cls, function_version):
        pass


def transform_first():
    """Expands AWS::Include and the SAM transform before anything else, as CloudFormation does.

    LocalStack follows references before it runs these transforms, when what they make does not exist yet.
    """
    setup = CloudformationProviderV2._setup_change_set_model.__func__

    def included(node, change_set):
        if isinstance(node, list):
            return [included(item, change_set) for item in node]
        if not isinstance(node, dict):
            return node
        if "Fn::Transform" in node:
            reader = SimpleNamespace(_change_set=change_set)
            parameters = node["Fn::Transform"]["Parameters"]
            return ChangeSetModelTransform._compute_include_transform(reader, parameters, {})
        return {key: included(value, change_set) for key, value in node.items()}

    def transformed(template, parameters, change_set):
        if not template or "Transform" not in template:
            return template
        assert template["Transform"] == "AWS::Serverless-2016-10-31"
        values = {
            name: value if isinstance(value, str) else engine_parameter_value(value)
            for name, value in (parameters or {}).items()
        }
        made = ChangeSetModelTransform._apply_global_serverless_transformation(
            change_set.region_name, included(template, change_set), values
        )
        return {key: value for key, value in made.items() if key != "Transform"}

    def set_up(cls, change_set, before_template, after_template, before_parameters, after_parameters, *more, **named):
        setup(
            cls, change_set=change_set, before_parameters=before_parameters, after_parameters=after_parameters,
            before_template=transformed(before_template, before_parameters, change_set),
            after_template=transformed(after_template, after_parameters, change_set), *more, **named,
        )

    CloudformationProviderV2._setup_change_set_model = classmethod(set_up)


def install():
    transform_first()
    load = ResourceProviderExecutor.try_load_resource_provider

    def provider(resource_type):
        # A reference to what the SAM transform will make has no type yet.
        known = PROVIDERS.get(resource_type) if isinstance(resource_type, str) else None
        return known() if known else load(resource_type)

    ResourceProviderExecutor.try_load_resource_provider = staticmethod(provider)
    for module in (execution_environment, version_manager):
        module.get_runtime_executor = lambda: LocalProcess


if __name__ == "__main__":
    tempfile.tempdir = os.environ["TMPDIR"]
    install()
    from localstack.runtime.main import main

    main()
