# make run    the product on the simulated table        make test   every check
VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.ready

.PHONY: run test lint types imports tests bench screenshots test-pi test-arm64 lock clean

run: $(READY)
	@$(VENV)/bin/otys-companion demo

# The stamp makes a second start immediate: set-up runs again only when a list of packages changes.
$(READY): deploy/requirements.txt deploy/requirements-dev.txt deploy/requirements-picamera2.txt pyproject.toml deploy/setup.sh
	@deploy/setup.sh $(VENV)
	@touch $@

test: lint types imports tests

lint: $(READY)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: $(READY)
	$(VENV)/bin/mypy

imports: $(READY)
	$(VENV)/bin/lint-imports

tests: $(READY)
	$(PY) -m pytest -n auto --dist worksteal

bench: $(READY)
	$(VENV)/bin/otys-companion bench --plots docs/pictures

# Where a screen shows the table, the pictures are the demo's: photographs of its simulated table.
screenshots: $(READY)
	$(PY) -m companion.ui.gallery docs/pictures --best
	$(VENV)/bin/otys-companion demo --headless --turns 4 --out out/screenshots
	cp "$$(ls out/screenshots/*-played.png | head -n 1)" docs/pictures/verdict.png
	cp "$$(ls out/screenshots/*-fault.png | head -n 1)" docs/pictures/fault.png

# The camera process with the real picamera2 and the kiosk, in a Debian root; needs root and, the first time, the network.
test-pi: $(READY)
	deploy/test-pi/run.sh

# Install, read a simulated frame, draw a screen and uninstall on an emulated arm64 machine; needs root and, the first time,
# the network.
test-arm64: $(READY)
	deploy/test-arm64/run.sh

# Pinned with hashes for every Python we support; the list names no host.
lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet \
	  pyproject.toml -o deploy/requirements.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet \
	  --extra dev -c deploy/requirements.txt pyproject.toml -o deploy/requirements-dev.txt
	uv pip compile --python-version 3.11 --python-platform aarch64-manylinux_2_36 --generate-hashes \
	  --no-emit-index-url --no-header --quiet -c deploy/constraints-bookworm.txt pyproject.toml \
	  -o deploy/requirements-bookworm.txt

clean:
	rm -rf $(VENV) out build
