"""Builds the event that a REST API (payload version 1.0) hands to the function."""

from urllib.parse import parse_qsl

# Headers that API Gateway keeps to itself.
DROPPED = {
    "connection", "content-length", "content-md5", "expect", "max-forwards", "proxy-authenticate",
    "server", "te", "trailer", "transfer-encoding", "upgrade", "www-authenticate",
}


def rest_event(request, method, resource, path_parameters, stage):
    """The event for a request to a stage's own address."""
    multi = {}
    for name, value in request.headers:
        if name.lower() not in DROPPED:
            multi.setdefault(name, []).append(value)
    multi["X-Amzn-Trace-Id"] = ["Root=1-5e66d96f-7491f09xmpl79d18acf3d050"]
    multi["X-Forwarded-For"] = [request.source_ip]
    multi["X-Forwarded-Port"] = ["443"]
    multi["X-Forwarded-Proto"] = ["https"]
    query = {}
    for name, value in parse_qsl(request.query, keep_blank_values=True):
        query.setdefault(name, []).append(value)
    host = next((v[0] for k, v in multi.items() if k.lower() == "host"), "")
    return {
        "resource": resource,
        "path": request.path,
        "httpMethod": method,
        # Of a header that is sent twice, the last one is here.
        "headers": {name: values[-1] for name, values in multi.items()},
        "multiValueHeaders": multi,
        "queryStringParameters": {k: v[-1] for k, v in query.items()} or None,
        "multiValueQueryStringParameters": query or None,
        "pathParameters": path_parameters or None,
        "stageVariables": None,
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "a1b2c3d4e5",
            "domainName": host,
            "domainPrefix": host.split(".")[0],
            "extendedRequestId": "JKJaXmPLvHcESHA=",
            "httpMethod": method,
            "identity": {"sourceIp": request.source_ip, "userAgent": None},
            "path": f"/{stage}{request.path}",
            "protocol": "HTTP/1.1",
            "requestId": "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
            "requestTime": "10/Mar/2026:00:03:59 +0000",
            "requestTimeEpoch": 1773101039195,
            "resourceId": "0000",
            "resourcePath": resource,
            "stage": stage,
        },
        # Without binaryMediaTypes every body is taken as text.
        "body": request.body.decode("utf-8", "replace") if request.body else None,
        "isBase64Encoded": False,
    }
