# Tests against moto, an emulator of AWS services. Included by the Makefile, which defines TOOLS, ALL
# and install-wheels.

# --- Emulators -----------------------------------------------------------------------------------

MOTO := $(TOOLS)/moto/bin/moto_server

.PHONY: test-ses
test-ses: $(MOTO) ## Sends a message through Amazon SES, emulated by moto
	@$(PYTHON) infra/tools/with_moto.py $(MOTO) \
	  cargo test --quiet $(ALL) --test it contact::ses -- --include-ignored

$(MOTO): infra/tools/requirements-moto.txt
	$(call install-wheels,moto)
