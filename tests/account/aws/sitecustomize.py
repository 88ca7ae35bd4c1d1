"""Loaded by Python in the deployment's processes: the host names of emulated URLs lead to loopback.

The smoke test calls the URL that the stack prints, which names a host of AWS: of an API, which the tests answer, or
of a Function URL, which LocalStack answers.
"""

import os
import re
import urllib.request

API = re.compile(r"https://(([a-z0-9]+)\.execute-api\.[^/]+)(/.*)")
FUNCTION = re.compile(r"https?://([a-z0-9-]+\.lambda-url\.[^/]+)(/.*)")
open_url = urllib.request.OpenerDirector.open


def moved(request, url, host):
    headers = {**dict(request.header_items()), "Host": host}
    return urllib.request.Request(url, request.data, headers, method=request.get_method())


def open_emulated(self, request, *arguments, **more):
    if found := API.fullmatch(request.full_url):
        host, api, path = found.groups()
        request = moved(request, f"{os.environ['EMULATED_API']}/{api}{path}", host.partition(":")[0])
    elif found := FUNCTION.fullmatch(request.full_url):
        host, path = found.groups()
        request = moved(request, f"{os.environ['AWS_ENDPOINT_URL']}{path}", host)
    return open_url(self, request, *arguments, **more)


urllib.request.OpenerDirector.open = open_emulated
