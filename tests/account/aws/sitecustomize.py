"""Loaded by Python in the deployment's processes: the host name of an emulated API leads to loopback.

The smoke test calls the URL that the stack prints, which names a host of AWS.
"""

import os
import re
import urllib.request

API = re.compile(r"https://(([a-z0-9]+)\.execute-api\.[^/]+)(/.*)")
open_url = urllib.request.OpenerDirector.open


def open_emulated(self, request, *arguments, **more):
    found = API.fullmatch(request.full_url)
    if found:
        host, api, path = found.groups()
        headers = {**dict(request.header_items()), "Host": host.partition(":")[0]}
        request = urllib.request.Request(
            f"{os.environ['EMULATED_API']}/{api}{path}", request.data, headers, method=request.get_method())
    return open_url(self, request, *arguments, **more)


urllib.request.OpenerDirector.open = open_emulated
