# Second opinions by moto, an emulator of AWS services. Included by the Makefile, which sets TOOLS and
# PYTHON.

MOTO := $(TOOLS)/moto/bin/moto_server

.PHONY: test-ses
test-ses: $(MOTO) ## Sends a message by Amazon SES, as moto emulates it
	$(PYTHON) infra/tools/with_moto.py $(MOTO) \
	  cargo test --locked --package portfolio --test it contact::ses -- --include-ignored

$(MOTO): infra/tools/requirements-moto.txt
	@$(PYTHON) -m venv $(TOOLS)/moto
	@$(TOOLS)/moto/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
