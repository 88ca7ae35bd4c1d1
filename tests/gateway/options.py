"""Values of the parameters of template.yaml, for tests that need options turned on."""

EVERY_OPTION = {
    "TaskFunction": "arn:aws:lambda:us-east-1:123456789012:function:portfolio-tasks-Worker-1:live",
    "AlarmEmail": "owner@example.com",
    "AccessLogs": "true",
    "Tracing": "Active",
    "PublicUrl": "https://mcp.example.com",
    "ContactProvider": "ses",
    "ContactTo": "owner@example.com",
    "ContactFrom": "Portfolio <portfolio@example.com>",
    "SesIdentity": "example.com",
    "ApiKeys": "on",
}
CONTACT = {
    "ContactProvider": "resend",
    "ContactTo": "owner@example.com",
    "ContactFrom": "portfolio@example.com",
    "ContactAuth": "none",
}
