#!/bin/sh
# Sends tool calls to an endpoint with hey. Usage: load.sh https://…/mcp
#
# Environment: REQUESTS (default 2000), CONCURRENCY (default 20), TOOL (default get_manifest).
set -eu

url=${1:-}
case $url in
http://* | https://*) ;;
*)
  echo "usage: make load URL=https://…/mcp (the output McpEndpoint)" >&2
  exit 2
  ;;
esac
if ! command -v hey >/dev/null; then
  echo "hey is not installed (Debian: apt install hey; macOS: brew install hey)" >&2
  exit 2
fi

tool=${TOOL:-get_manifest}
body='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"'$tool'","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"hey","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}'

# Fails here if a single call is refused.
status=$(curl -sS -o /dev/null -w '%{http_code}' -X POST "$url" -d "$body" \
  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \
  -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H "Mcp-Name: $tool")
if [ "$status" != 200 ]; then
  echo "a call of $tool is answered with $status; run \`make smoke URL=$url\`" >&2
  exit 1
fi

hey -n "${REQUESTS:-2000}" -c "${CONCURRENCY:-20}" -m POST -d "$body" \
  -T application/json -A 'application/json, text/event-stream' \
  -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H "Mcp-Name: $tool" "$url"
echo
echo "If the status is 429, the throttle of the stage refused requests. Raise ThrottleRate to measure more."
