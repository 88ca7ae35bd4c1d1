# Tests of the page for people and of the MCP App's view, in headless Chromium. Included by the Makefile, which
# defines TOOLS, `built`, SERVE, DEBUG and the rule for $(CARGO_LAMBDA).

PAGE  := $(TOOLS)/page
SHOTS := target/page
PAGE_TESTS := PAGE_TOOLS=$(PAGE) PAGE_SHOTS=$(SHOTS) node --test --test-reporter=spec --test-timeout=60000

.PHONY: test-page
test-page: built $(CARGO_LAMBDA) $(PAGE)/.installed ## Opens the page in Chromium; keeps screenshots in target/page (CHROMIUM=)
	@infra/tools/chromium.sh
	@$(SERVE) --port 0 --bin portfolio --prebuilt --quiet -- \
	  sh -c '$(PAGE_TESTS) tests/page/page.test.mjs tests/page/app.test.mjs'
	@API_KEYS="$$($(DEBUG)/portfolio new-key ada | tail -n 1)" CONTACT_AUTH=bearer RATE_LIMITS='get_manifest=1/1h' \
	  $(SERVE) --port 0 --bin portfolio --prebuilt --quiet -- sh -c '$(PAGE_TESTS) tests/page/origins.test.mjs'
	@CONTENT_DIR=tests/page/hostile $(SERVE) --port 0 --bin portfolio --prebuilt --quiet -- \
	  sh -c '$(PAGE_TESTS) tests/page/hostile.test.mjs'

$(PAGE)/.installed: tests/page/package-lock.json
	@mkdir -p $(@D)
	@cp $(addprefix tests/page/,package.json package-lock.json .npmrc) $(@D)
	@cd $(@D) && npm ci --loglevel=error
	@touch $@

.PHONY: pictures
pictures: built $(CARGO_LAMBDA) $(PAGE)/.installed ## Makes the pictures of README.md again, into docs/images
	@infra/tools/chromium.sh
	@$(SERVE) --port 0 --bin portfolio --prebuilt --quiet -- \
	  sh -c 'PAGE_TOOLS=$(PAGE) PAGE_SHOTS=docs/images node tests/page/pictures.mjs'
