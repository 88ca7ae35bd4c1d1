# Clients that others wrote, tried against the server. Included by the Makefile, which sets TOOLS
# and PYTHON and has the rules `built` and $(CARGO_LAMBDA).

CLIENTS := $(TOOLS)/clients
CLIENTS_READY := $(addprefix $(CLIENTS)/,typescript/.installed python-newest/.installed \
  python-2025/.installed rmcp/.built)
# Such as `--server travel --client rmcp`.
CLIENTS_ARGS ?=

.PHONY: clients
clients: built $(CARGO_LAMBDA) $(CLIENTS_READY) ## Tries the server with the official SDKs' clients and the Inspector
	@$(PYTHON) tests/clients/run.py --tools $(CLIENTS) --cargo-lambda $(CARGO_LAMBDA) $(CLIENTS_ARGS)

# Node.js comes along where the machine's own is older than the Inspector needs.
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

$(CLIENTS)/rmcp/.built: $(addprefix tests/clients/rmcp/,Cargo.toml Cargo.lock src/main.rs)
	@cargo build --locked --quiet --manifest-path $< --target-dir $(@D)
	@touch $@
