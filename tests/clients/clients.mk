# Runs other implementations' clients against the server. Included by the Makefile, which defines TOOLS,
# PYTHON, `built` and the rule for $(CARGO_LAMBDA).

# --- Clients -------------------------------------------------------------------------------------

CLIENTS := $(TOOLS)/clients
CLIENTS_READY := $(addprefix $(CLIENTS)/,typescript/.installed python-newest/.installed \
  python-2025/.installed rmcp/.built)
FRAMEWORKS_READY := $(addprefix $(CLIENTS)/,python-langchain/.installed python-frameworks/.installed)
FRAMEWORKS := $(PYTHON) tests/clients/frameworks/run.py --tools $(CLIENTS) --cargo-lambda $(CARGO_LAMBDA)
# For example `--server travel --client rmcp`.
CLIENTS_ARGS ?=

.PHONY: clients clients-all
clients: built $(CARGO_LAMBDA) $(CLIENTS_READY) ## Runs the clients of the official SDKs, the Inspector, mcp-remote and the AI SDK
	@$(PYTHON) tests/clients/run.py --tools $(CLIENTS) --cargo-lambda $(CARGO_LAMBDA) $(CLIENTS_ARGS)
	@$(PYTHON) tests/clients/over_stdio.py --tools $(CLIENTS) --programs $(DEBUG)
	@$(FRAMEWORKS) --only mcp-remote ai-sdk

# Installing them takes more than a minute.
clients-all: clients $(FRAMEWORKS_READY) ## Runs `make clients`, the Python agent frameworks, and clients of a server that requires a handshake
	@$(FRAMEWORKS) --only langchain fastmcp llama-index pydantic-ai openai-agents
	@echo "With LEGACY_HANDSHAKE=required:"
	@LEGACY_HANDSHAKE=required REQUEST_STATE_KEY=0123456789abcdef0123456789abcdef \
	  $(PYTHON) tests/clients/run.py --tools $(CLIENTS) --cargo-lambda $(CARGO_LAMBDA) --server portfolio

# The optional dependencies are Node.js itself, for machines whose own version is older than 22.19.
$(CLIENTS)/typescript/.installed: tests/clients/typescript/package-lock.json
	@mkdir -p $(@D)
	@cp $(addprefix tests/clients/typescript/,package.json package-lock.json .npmrc) $(@D)
	@cd $(@D) && npm ci --loglevel=error \
	  $$(node -e 'const [a, b] = process.versions.node.split("."); \
	    process.exit(a > 22 || (a == 22 && b >= 19) ? 0 : 1)' && echo --omit=optional)
	@touch $@

$(CLIENTS)/python-%/.installed: tests/clients/python/requirements-%.txt
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps \
	  --require-hashes --requirement $<
	@touch $@

$(CLIENTS)/rmcp/.built: $(addprefix tests/clients/rmcp/,Cargo.toml Cargo.lock src/main.rs src/bin/server.rs)
	@cargo build --locked --quiet --manifest-path $< --target-dir $(@D)
	@touch $@

# Claude Code has 400 MB, and the source of VS Code 70 MB.
.PHONY: test-configurations
test-configurations: built $(CARGO_LAMBDA) $(CLIENTS)/configurations/.installed ## Checks the configurations of clients in README.md, with the clients that npm has
	@$(SERVE) --port 0 --bin portfolio --prebuilt --quiet -- $(PYTHON) tests/clients/configurations/check.py \
	  --installed $(CLIENTS)/configurations --program $(DEBUG)/portfolio

$(CLIENTS)/configurations/.installed: tests/clients/configurations/package-lock.json
	@mkdir -p $(@D)
	@cp $(addprefix tests/clients/configurations/,package.json package-lock.json .npmrc) $(@D)
	@cd $(@D) && npm ci --loglevel=error
	@touch $@

.PHONY: test-differential
test-differential: $(CLIENTS)/typescript/.installed $(CLIENTS)/rmcp/.built ## Compares the answers to generated requests with those of rmcp and the TypeScript SDK
	@GENERATED_REQUESTS=$(abspath $(CLIENTS))/requests.jsonl \
	  cargo test --quiet $(ALL) --test it generated::the_requests_are_written_down -- --ignored
	@$(PYTHON) tests/clients/differential/compare.py --requests $(CLIENTS)/requests.jsonl --tools $(CLIENTS)
