"""The types of resources that the emulated account accepts without doing anything."""

# Type, and the reason. The tests print them.
EXCLUDED = {
    "AWS::Budgets::Budget": "LocalStack has no AWS Budgets",
    "AWS::CodeDeploy::Application": "LocalStack has no CodeDeploy: an alias moves at once",
    "AWS::CodeDeploy::DeploymentGroup": "LocalStack has no CodeDeploy: an alias moves at once",
    "AWS::DynamoDB::Table": "LocalStack's DynamoDB needs Java and a download",
}
