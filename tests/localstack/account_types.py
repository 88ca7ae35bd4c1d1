"""What the emulated account lacks."""

# Types of resources that are accepted and do nothing, with the reason. The test run prints them.
EXCLUDED = {
    "AWS::Budgets::Budget": "LocalStack has no AWS Budgets",
    "AWS::CodeDeploy::Application": "LocalStack has no CodeDeploy: an alias moves at once",
    "AWS::CodeDeploy::DeploymentGroup": "LocalStack has no CodeDeploy: an alias moves at once",
    "AWS::DynamoDB::Table": "LocalStack's DynamoDB needs Java and a download",
}

# Commands of the runbook, with what they would need.
NOT_EMULATED = {
    "detect-stack-drift": "drift detection",
    "describe-stack-drift-detection-status": "drift detection",
    "describe-stack-resource-drifts": "drift detection",
    "delete-item": "DynamoDB",
    "create-invalidation": "CloudFront",
}
