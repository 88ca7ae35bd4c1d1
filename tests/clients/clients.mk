# Clients that others wrote, tried against the server. Included by the Makefile, which sets TOOLS,
# PYTHON and the rule for $(CARGO_LAMBDA).

CLIENTS := $(TOOLS)/clients

.PHONY: clients
clients: $(CARGO_LAMBDA) $(CLIENTS)/typescript/.installed $(CLIENTS)/python-newest/.installed $(CLIENTS)/python-2025/.installed $(CLIENTS)/rmcp/.built ## Tries the server with the official SDKs' clients and the Inspector
	@cargo build --locked --quiet --bin portfolio \
	  --example resources_and_prompts --example ask_the_user --example progress
	@$(PYTHON) tests/clients/run.py --tools $(CLIENTS) --cargo-lambda $(CARGO_LAMBDA) $(CLIENTS_ARGS)

# Node.js comes along where the machine's own is older than the Inspector needs.
$(CLIENTS)/typescript/.installed: tests/clients/typescript/package-lock.json
	@mkdir -p $(@D)
	@cp tests/clients/typescript/package.json tests/clients/typescript/package-lock.json tests/clients/typescript/.npmrc $(@D)
	@cd $(@D) && npm ci --loglevel=error \
	  $$(node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 19) ? 0 : 1)' && echo --omit=optional)
	@touch $@

$(CLIENTS)/python-%/.installed: tests/clients/python/requirements-%.txt
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement $<
	@touch $@

$(CLIENTS)/rmcp/.built: tests/clients/rmcp/Cargo.lock tests/clients/rmcp/Cargo.toml $(wildcard tests/clients/rmcp/src/*.rs)
	@cargo build --locked --quiet --manifest-path tests/clients/rmcp/Cargo.toml --target-dir $(@D)
	@touch $@
