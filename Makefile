# The only entry for people and for CI. `make` alone lists what there is.

PORT    ?= 9000
EXAMPLE ?= cases
PYTHON  ?= python3

TOOLS        := .tools
CARGO_LAMBDA := $(TOOLS)/cargo-lambda/bin/cargo-lambda
SERVE        := $(PYTHON) infra/tools/serve.py --cargo-lambda $(CARGO_LAMBDA)

.DEFAULT_GOAL := help
.PHONY: help
help: ## Lists these targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- Run it -----------------------------------------------------------------------------------

.PHONY: run run-example build setup
run: $(CARGO_LAMBDA) ## Serves the portfolio at http://127.0.0.1:9000/mcp (PORT=)
	@$(SERVE) --port $(PORT) --bin portfolio

run-example: $(CARGO_LAMBDA) ## Serves an example the same way (EXAMPLE=cases)
	@$(SERVE) --port $(PORT) --example $(EXAMPLE)

setup: $(CARGO_LAMBDA) ## Fetches the pinned tools into .tools (the others do it by themselves)

$(CARGO_LAMBDA): infra/tools/cargo-lambda.txt
	@$(PYTHON) -m venv $(TOOLS)/cargo-lambda || \
	  { echo "python3 cannot make a virtual environment (Debian: apt install python3-venv)" >&2; exit 1; }
	@$(TOOLS)/cargo-lambda/bin/pip install --quiet --disable-pip-version-check --no-deps \
	  --require-hashes --requirement $<
	@touch $@

# --- The official conformance suite --------------------------------------------------------------

CONFORMANCE := $(TOOLS)/conformance
# The scenarios that need tools alone.
SCENARIOS ?= server-stateless tools-list tools-call-simple-text tools-call-image tools-call-audio \
  tools-call-embedded-resource tools-call-mixed-content tools-call-error server-sse-multiple-streams \
  dns-rebinding-protection caching http-header-validation

.PHONY: conformance
conformance: $(CARGO_LAMBDA) $(CONFORMANCE)/.installed ## Runs the official MCP conformance suite
	@$(SERVE) --port 0 --example conformance --quiet -- \
	  $(PYTHON) tests/conformance/run.py --suite $(CONFORMANCE) --revision 2026-07-28 $(SCENARIOS)

# Node.js comes along where the machine's own is older than the suite needs.
$(CONFORMANCE)/.installed: tests/conformance/package-lock.json
	@mkdir -p $(CONFORMANCE)
	@cp tests/conformance/package.json tests/conformance/package-lock.json tests/conformance/.npmrc $(CONFORMANCE)
	@cd $(CONFORMANCE) && npm ci --silent \
	  $$(node -e 'process.exit(parseInt(process.versions.node) < 22 ? 1 : 0)' && echo --omit=optional)
	@touch $@
