"""The transforms of the emulated CloudFormation: AWS::Include, then SAM, as in the documented order.

LocalStack 4.14 follows the references of a template before it transforms it. So it refuses references to what SAM
makes, such as `McpFunction.Alias`, and the function and its alarm, which SAM parts, look like a circle.
"""

from urllib.parse import urlsplit

import yaml
from localstack.aws.connect import connect_to
from localstack.services.cloudformation.engine.v2.change_set_model_transform import (
    SERVERLESS_TRANSFORM,
    ChangeSetModelTransform,
)
from localstack.services.cloudformation.v2.provider import CloudformationProviderV2
from localstack.services.cloudformation.v2.types import engine_parameter_value


def included(node, s3):
    if isinstance(node, list):
        return [included(item, s3) for item in node]
    if not isinstance(node, dict):
        return node
    if "Fn::Transform" in node:
        location = urlsplit(node["Fn::Transform"]["Parameters"]["Location"])
        found = s3.get_object(Bucket=location.netloc, Key=location.path[1:])
        return yaml.safe_load(found["Body"].read())
    return {key: included(value, s3) for key, value in node.items()}


def expanded(template, parameters, change_set):
    """A template after its transforms; one without them as it is."""
    if not template or template.get("Transform") != SERVERLESS_TRANSFORM:
        return template
    s3 = connect_to(aws_access_key_id=change_set.account_id, region_name=change_set.region_name).s3
    values = {
        name: value.get("resolved_value") or engine_parameter_value(value)
        for name, value in (parameters or {}).items()
    }
    made = ChangeSetModelTransform._apply_global_serverless_transformation(
        region_name=change_set.region_name, template=included(template, s3), parameters=values)
    made.pop("Transform", None)
    return made


def install():
    of_localstack = CloudformationProviderV2._setup_change_set_model.__func__

    def setup(cls, change_set, before_template, after_template, before_parameters, after_parameters, **more):
        stack = change_set.stack
        resolved = after_parameters if after_parameters is None else cls._resolve_parameters(
            after_template, after_parameters, stack.account_id, stack.region_name, before_parameters)
        of_localstack(
            cls,
            change_set=change_set,
            # What was deployed. Another expansion would differ: `AlwaysDeploy` puts the time into a name.
            before_template=before_template and (stack.processed_template or before_template),
            after_template=expanded(after_template, resolved, change_set),
            before_parameters=before_parameters,
            after_parameters=after_parameters,
            **more,
        )

    CloudformationProviderV2._setup_change_set_model = classmethod(setup)
