"""CloudFormation resources in the emulated account: what LocalStack 4.14 lacks, or does otherwise than AWS.

- Which properties CloudFormation can only replace is read from the schemas that AWS publishes (cfn-lint has
  them); LocalStack's own copies are older.
- LocalStack replaces a resource when such a property may change. Here, as on AWS, its value has to change.
- An update that LocalStack does not know is an error here. LocalStack reports success and keeps the old state.
- Services that LocalStack does not have (AppConfig, CodeDeploy, Budgets, WAF, CloudFront) keep their properties
  and get an identifier. The table is made in moto.
"""

import contextlib
import copy
import itertools
import json
import os
from pathlib import Path

import boto3
import cfnlint
from localstack.services.apigateway.resource_providers.aws_apigateway_restapi import ApiGatewayRestApiProvider
from localstack.services.apigateway.resource_providers.aws_apigateway_stage import ApiGatewayStageProvider
from localstack.services.cloudformation.engine.quirks import PHYSICAL_RESOURCE_ID_SPECIAL_CASES
from localstack.services.cloudformation.engine.v2.change_set_model import is_nothing
from localstack.services.cloudformation.engine.v2.change_set_model_executor import ChangeSetModelExecutor
from localstack.services.cloudformation.resource_provider import (
    OperationStatus,
    ProgressEvent,
    ResourceProvider,
    ResourceProviderExecutor,
)
from localstack.services.cloudwatch.resource_providers.aws_cloudwatch_alarm import CloudWatchAlarmProvider
from localstack.services.lambda_.resource_providers.aws_lambda_version import LambdaVersionProvider
from localstack.services.lambda_.resource_providers.lambda_alias import LambdaAliasProvider
from localstack.services.logs.resource_providers.aws_logs_loggroup import LogsLogGroupProvider

SCHEMAS = Path(cfnlint.__file__).parent / "data/schemas"
NUMBERS = itertools.count(1)


def schema_of(kind):
    """The schema that AWS publishes for a resource type, or None."""
    index = json.loads((SCHEMAS / "providers/us-east-1.json").read_text(encoding="utf-8"))
    file = SCHEMAS / f"resources/{index.get(kind)}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def done(model):
    return ProgressEvent(status=OperationStatus.SUCCESS, resource_model=model)


def failed(words):
    return ProgressEvent(status=OperationStatus.FAILED, resource_model={}, message=words)


def name(pointer):
    return pointer.removeprefix("/properties/")


class Kept(ResourceProvider):
    """A resource of a service that is not emulated: its properties, and identifiers for it."""

    def create(self, request):
        model = dict(request.desired_state)
        assigned = [*self.SCHEMA["primaryIdentifier"], *self.SCHEMA.get("readOnlyProperties", [])]
        for attribute in map(name, assigned):
            if "/" not in attribute:
                model.setdefault(attribute, f"{request.logical_resource_id}-{next(NUMBERS)}".lower())
        return done(model)

    def update(self, request):
        return done({**request.previous_state, **request.desired_state})

    def delete(self, request):
        return done({})


class HostedConfigurationVersion(Kept):
    """Versions of a hosted configuration count from 1."""

    numbers = itertools.count(1)

    def create(self, request):
        return done({**request.desired_state, "VersionNumber": str(next(self.numbers))})


class Table(Kept):
    """A table in moto, where the function counts."""

    @staticmethod
    def dynamodb(request):
        return boto3.client(
            "dynamodb", endpoint_url=os.environ["MOTO_URL"], region_name=request.region_name,
            aws_access_key_id="test", aws_secret_access_key="test",
        )

    def create(self, request):
        model = dict(request.desired_state)
        model["TableName"] = f"{request.stack_name}-{request.logical_resource_id}-{next(NUMBERS)}"
        wanted = {key: model[key] for key in ("TableName", "BillingMode", "AttributeDefinitions", "KeySchema")}
        model["Arn"] = self.dynamodb(request).create_table(**wanted)["TableDescription"]["TableArn"]
        return done(model)

    def delete(self, request):
        dynamodb = self.dynamodb(request)
        with contextlib.suppress(dynamodb.exceptions.ResourceNotFoundException):
            dynamodb.delete_table(TableName=request.previous_state["TableName"])
        return done({})


class Distribution(Kept):
    """A distribution in moto, so that its cache can be invalidated."""

    def create(self, request):
        cloudfront = boto3.client(
            "cloudfront", endpoint_url=os.environ["MOTO_URL"], region_name=request.region_name,
            aws_access_key_id="test", aws_secret_access_key="test",
        )
        origin = {"Id": "api", "DomainName": "api.example.com"}
        made = cloudfront.create_distribution(DistributionConfig={
            "CallerReference": f"{next(NUMBERS)}", "Comment": "", "Enabled": True,
            "Origins": {"Quantity": 1, "Items": [origin]},
            "DefaultCacheBehavior": {"TargetOriginId": "api", "ViewerProtocolPolicy": "https-only"},
        })["Distribution"]
        return done({**request.desired_state, "Id": made["Id"], "DomainName": made["DomainName"]})


class Version(LambdaVersionProvider):
    """Lambda publishes nothing while the function is unchanged, and CloudFormation then fails."""

    def create(self, request):
        client, function = request.aws_client_factory.lambda_, request.desired_state["FunctionName"]
        if request.custom_context:
            return super().create(request)
        known = {v["Version"] for v in client.list_versions_by_function(FunctionName=function)["Versions"]}
        event = super().create(request)
        if event.resource_model["Version"] in known:
            return failed(f"A version for this Lambda function exists ( {event.resource_model['Version']} ).")
        return event


class Alias(LambdaAliasProvider):
    """CodeDeploy moves the alias; without alarms, all rollouts end at the new version."""

    def update(self, request):
        model = {**request.previous_state, **request.desired_state}
        request.aws_client_factory.lambda_.update_alias(
            FunctionName=model["FunctionName"], Name=model["Name"], FunctionVersion=model["FunctionVersion"],
        )
        return done(model)


class RestApi(ApiGatewayRestApiProvider):
    """An update imports the definition again. LocalStack's import leaves the gateway responses out."""

    def create(self, request):
        event = super().create(request)
        self.gateway_responses(request, event.resource_model)
        return event

    def update(self, request):
        model = {**request.previous_state, **request.desired_state}
        request.aws_client_factory.apigateway.put_rest_api(
            restApiId=model["RestApiId"], mode="overwrite", failOnWarnings=True,
            parameters={"basepath": "ignore"}, body=json.dumps(model["Body"]).encode(),
        )
        self.gateway_responses(request, model)
        return done(model)

    @staticmethod
    def gateway_responses(request, model):
        file = Path(os.environ["DEFINITIONS"]) / f"api-{model['RestApiId']}.json"
        file.write_text(json.dumps(model["Body"]), encoding="utf-8")
        for kind, said in model["Body"]["x-amazon-apigateway-gateway-responses"].items():
            status = {"statusCode": str(said["statusCode"])} if "statusCode" in said else {}
            request.aws_client_factory.apigateway.put_gateway_response(
                restApiId=model["RestApiId"], responseType=kind, **status,
            )


class Stage(ApiGatewayStageProvider):
    """An update shows another deployment of the API."""

    def update(self, request):
        model = {**request.previous_state, **request.desired_state}
        request.aws_client_factory.apigateway.update_stage(
            restApiId=model["RestApiId"], stageName=model["StageName"],
            patchOperations=[{"op": "replace", "path": "/deploymentId", "value": model["DeploymentId"]}],
        )
        return done(model)


class LogGroup(LogsLogGroupProvider):
    """The retention is set; LocalStack leaves it out."""

    def create(self, request):
        event = super().create(request)
        self.retain(request, event.resource_model)
        return event

    def update(self, request):
        model = {**request.previous_state, **request.desired_state}
        self.retain(request, model)
        return done(model)

    @staticmethod
    def retain(request, model):
        request.aws_client_factory.logs.put_retention_policy(
            logGroupName=model["LogGroupName"], retentionInDays=int(model["RetentionInDays"]))


class Alarm(CloudWatchAlarmProvider):
    """PutMetricAlarm replaces the alarm of that name."""

    def update(self, request):
        request.desired_state = {**request.desired_state, "AlarmName": request.previous_state["AlarmName"]}
        return done({**request.previous_state, **self.create(request).resource_model})


OWN = {
    "AWS::ApiGateway::Stage": Stage,
    "AWS::CloudFront::Distribution": Distribution,
    "AWS::CloudWatch::Alarm": Alarm,
    "AWS::Logs::LogGroup": LogGroup,
    "AWS::AppConfig::HostedConfigurationVersion": HostedConfigurationVersion,
    "AWS::ApiGateway::RestApi": RestApi,
    "AWS::DynamoDB::Table": Table,
    "AWS::Lambda::Alias": Alias,
    "AWS::Lambda::Version": Version,
}
# What `Ref` gives where a type has several identifiers, by the documentation of each type.
PHYSICAL_RESOURCE_ID_SPECIAL_CASES.update({
    "AWS::AppConfig::ConfigurationProfile": "/properties/ConfigurationProfileId",
    "AWS::AppConfig::HostedConfigurationVersion": "/properties/VersionNumber",
    "AWS::CodeDeploy::DeploymentGroup": "/properties/DeploymentGroupName",
    "AWS::Lambda::Alias": "/properties/Id",
    "AWS::Lambda::Version": "/properties/Id",
})
NOT_EMULATED = ("AWS::AppConfig::", "AWS::Budgets::", "AWS::CloudFront::", "AWS::CodeDeploy::", "AWS::Route53::",
                "AWS::WAFv2::")


def install():
    """Makes CloudFormation use these providers."""
    of_localstack = ResourceProviderExecutor.try_load_resource_provider

    def load(kind):
        if not isinstance(kind, str):
            # A reference to what SAM makes, before it is made.
            return None
        if kind in OWN:
            provider = OWN[kind]()
        elif kind.startswith(NOT_EMULATED):
            provider = Kept()
        else:
            provider = of_localstack(kind)
        if provider is None:
            return None
        published = schema_of(kind)
        schema = copy.deepcopy(getattr(provider, "SCHEMA", None) or published)
        if published:
            schema["createOnlyProperties"] = published.get("createOnlyProperties", [])
        provider.SCHEMA = schema
        provider.update = loud(provider)
        return provider

    ResourceProviderExecutor.try_load_resource_provider = staticmethod(load)
    replace_what_changed()


def replace_what_changed():
    """Replaces a resource only if a property that cannot be updated has another value than before."""
    of_localstack = ChangeSetModelExecutor._execute_resource_change

    def execute(self, name, before, after):
        if not is_nothing(before) and not is_nothing(after):
            schema = schema_of(after.resource_type) or {}
            fixed = [pointer.removeprefix("/properties/") for pointer in schema.get("createOnlyProperties", [])]
            old, new = before.properties.properties, after.properties.properties
            after.requires_replacement = any(old.get(key) != new.get(key) for key in fixed)
        of_localstack(self, name, before, after)

    ChangeSetModelExecutor._execute_resource_change = execute


def loud(provider):
    known = provider.update

    def update(request):
        try:
            return known(request)
        except NotImplementedError:
            return failed(f"the emulator cannot update {request.resource_type} {request.logical_resource_id}")

    return update
