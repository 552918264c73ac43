# make install   leaves a working .venv/bin/pbem
# make demo      three players, one set, all on this machine
# make test      everything that must hold: style, types, tests against real servers
# make check     what of it needs no server, in less than a minute: to run before every commit
# make bench     how fast the rules are, next to python-chess; and mail, next to its bare cost; every aim, and
#                whether it is met. make bench BASE=COMMIT: a move now, next to one at that commit
# make bench-bots    how strong bot-steady is, in docs/bots.md, on all processors (MATCHES=100 of each row)
# make bench-replies  libraries that read replies, next to pbem, on the mails of the tests
# make bench-mailman  GNU Mailman next to pbem, on the same mails
# make screenshots  pictures of pages and mails for docs/screenshots, with Chromium
# make fuzz      mutated mails against all that reads mail, for FUZZ_SECONDS=600
# make faults    one process killed at every step; then many killed and cut off at random, for SECONDS=600
# make simulate  months of a club in minutes, and what they cost (MEMBERS=50 WORKERS=2 MONTHS=1)
# make deb       a package for Debian 12 in dist/, with systemd's units (docs/operators.md)
# make walk      docs/operators.md typed line by line on a Debian 12 that is made for it and booted
# make decade    ten years of a club, and what is stored year by year (YEARS=10)
# make lint      style, dependencies, types and import contracts;  make format mends what it can
# make docs      docs/commands.md, docs/cli.md and the help of pbem, generated from the declarations of the commands
# make docs-site  the documentation as pages with a search, in build/site-docs
# make release   all that a release consists of, in dist/, and what to do next
# make audit     known weaknesses of what requirements.lock names; needs the network
# make coverage  which lines and branches the tests reach, in build/coverage
# make man       build/pbem.1, the manual page, and build/completion/, for bash, zsh and fish
# make lock      all lock files again from pyproject.toml (make lock UPGRADE=--upgrade: newest versions)

PYTHON ?= python3
BIN := .venv/bin
# What is compiled is kept, whatever the shell says: to compile the tests anew takes longer than most of them.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check install

.PHONY: install demo test check bench bench-bots bench-replies bench-mailman screenshots fuzz years faults simulate decade deb walk style lint format docs docs-site release audit coverage man lock clean

install: .venv/.installed

# The project itself, editable: a change in pbem/, templates/ or db/ is live at once.
.venv/.installed: .venv/.locked pyproject.toml
	$(PIP) --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q pbem
	@touch $@

# What runs a club: nothing but what requirements.lock names, checked by hash.
.venv/.locked: requirements.lock | .venv/bin/pip
	@echo "Installing what requirements.lock names; this takes about a minute."
	$(PIP) --require-hashes -r requirements.lock
	@touch $@

# What checks and tests it, beside that.
.venv/.developing: requirements-dev.lock | .venv/.installed
	@echo "Installing what requirements-dev.lock names."
	$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

.venv/bin/pip:
	@sh -c 'command -v $(PYTHON)' >/dev/null || { \
	  echo "$(PYTHON) is missing: as root, run apt-get install python3 python3-venv." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$$($(PYTHON) -V 2>&1) is too old: install Python 3.11 or newer and name it, as in make $(MAKECMDGOALS) PYTHON=python3.11." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make virtual environments: as root, run apt-get install python3-venv." >&2; exit 1; }
	$(PYTHON) -m venv .venv

demo: install
	@$(BIN)/pbem demo

# As root this installs the servers that the tests talk to. Elsewhere the tests say what they skip;
# with CI set a skip for want of a server is a failure.
test: style
	sh tests/install-servers
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses=auto --dist=worksteal

# Types beside the tests: each has a processor. Properties are tried with a tenth of their examples.
# New commits need a message that a stranger learns from.
check: style
	$(BIN)/python -m tests.docs.commit_messages
	@$(BIN)/mypy & types=$$!; \
	$(BIN)/pytest --numprocesses=auto --hypothesis-profile=check -m 'not servers and not thorough'; \
	tests=$$?; wait $$types && exit $$tests

# python-chess is no part of pbem and comes as source alone: it gets an environment of its own. The
# rules need nothing but the standard library. The path of a mail needs Dovecot, as the tests do.
# With BASE=COMMIT: that commit and this checkout by turns, and nothing else.
bench: .venv/.developing .venv-bench/.installed
	@sh tests/install-servers
ifdef BASE
	$(BIN)/python -m bench.versus $(BASE)
else
	@rm -f build/aims.txt
	.venv-bench/bin/python -m bench.rules
	$(BIN)/python -m bench.modules
	$(BIN)/python -m bench.start
	$(BIN)/python -m bench.path
	$(BIN)/python -m bench.turns
	$(BIN)/python -m bench.site
	$(BIN)/python -m bench.sweep
	$(BIN)/python -m bench.workers
	$(BIN)/python -m bench.latency
	@echo; cat build/aims.txt
endif

.venv-bench/.installed: bench/requirements.lock
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/pip --quiet --disable-pip-version-check install --require-hashes --no-deps -r $<
	@echo "$(CURDIR)" >"$$(.venv-bench/bin/python -c 'import site; print(site.getsitepackages()[0])')/pbem.pth"
	@touch $@

MATCHES ?= 100
bench-bots: .venv/.installed
	$(BIN)/python -m bench.bots $(MATCHES)

# The libraries get an environment of their own too, with what pbem itself needs behind it.
bench-replies: .venv/.developing .venv-bench-replies/.installed
	.venv-bench-replies/bin/python -m bench.reply_libraries

.venv-bench-replies/.installed: bench/reply_libraries.txt
	$(PYTHON) -m venv .venv-bench-replies
	.venv-bench-replies/bin/pip --quiet --disable-pip-version-check install --no-deps -r $<
	@$(BIN)/python -c 'import site; print("$(CURDIR)", *site.getsitepackages(), sep="\n")' \
	  >"$$(.venv-bench-replies/bin/python -c 'import site; print(site.getsitepackages()[0])')/pbem.pth"
	@touch $@

# Mailman gets an environment of its own as well, and nothing of pbem's.
bench-mailman: .venv/.developing .venv-bench-mailman/.installed
	@sh tests/install-servers
	$(BIN)/python -m bench.mailman

.venv-bench-mailman/.installed: bench/mailman.txt
	$(PYTHON) -m venv .venv-bench-mailman
	.venv-bench-mailman/bin/pip --quiet --disable-pip-version-check install -r $<
	@touch $@

screenshots: .venv/.developing
	@sh tests/install-servers
	$(BIN)/python -m tests.screenshots

# Mutated mails for as long as it is told; what breaks something goes into tests/data/fuzz, which the
# tests replay. FUZZ_SEED repeats a run.
FUZZ_SECONDS ?= 600
fuzz: .venv/.developing
	$(BIN)/python -m tests.mail.fuzz $(FUZZ_SECONDS) $(FUZZ_SEED)

# Random clubs for years of their own, clocks held against naive ones. YEARS_SEED repeats a run.
YEARS_SECONDS ?= 600
years: .venv/.developing
	$(BIN)/python -m tests.years.soak $(YEARS_SECONDS) $(YEARS_SEED)

# One process killed at every step of a day's mail; then three workers and two fetchers on PostgreSQL, killed
# and cut off at random. FAULTS_SEED repeats a run.
SECONDS ?= 600
faults: .venv/.developing
	@sh tests/install-servers
	$(BIN)/pytest --numprocesses=auto --hypothesis-profile=every tests/faults/test_kills_and_drops.py
	$(BIN)/python -m tests.faults.many.soak $(SECONDS) $(FAULTS_SEED)

# A club by a clock that is told, everything else as in earnest. WORKERS=0 is one process on SQLite; SITE=--site
# writes the reading room, too.
MEMBERS ?= 50
WORKERS ?= 2
MONTHS ?= 1
simulate: .venv/.developing
	@sh tests/install-servers
	$(BIN)/python -m bench.simulated --members $(MEMBERS) --workers $(WORKERS) --months $(MONTHS) $(SITE)

deb:
	@sh deploy/debian/make-package

# Debian's mirrors must be reachable. What is downloaded first is kept in build/.
walk: .venv/.developing
	@sh tests/install-servers
	$(BIN)/pytest -n 0 tests/deploy/test_walk.py

# A club of the same size for ten years, and what it keeps; ON=--postgresql on a server.
YEARS ?= 10
decade: .venv/.developing
	@sh tests/install-servers
	$(BIN)/python -m bench.simulated.decade --years $(YEARS) $(ON)

style: .venv/.developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/deptry .

lint: style
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/.developing
	$(BIN)/python -m tests.docs.commands_page
	$(BIN)/python -m tests.docs.cli_page
	$(BIN)/python -m pbem.cli.declared

# Sphinx gets an environment of its own. The pages must load nothing from another host.
docs-site: .venv-docs/.installed
	@rm -rf build/site-docs && mkdir -p build/docs-source
	.venv-docs/bin/sphinx-build -q -W --keep-going -E -c docs -d build/docs-trees build/docs-source build/site-docs
	@! grep -rE '<(script|link|img|iframe)[^>]*(src|href)="(https?:)?//' build/site-docs --include='*.html'
	@echo "Open build/site-docs/index.html"

.venv-docs/.installed: requirements-docs.lock
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/pip --quiet --disable-pip-version-check install --require-hashes -r $<
	@touch $@

# Each file of a release, their checksums, and an SBOM (CycloneDX) of what requirements.lock names.
VERSION = $$(sed -n 's/^version = "\(.*\)"$$/\1/p' pyproject.toml)
release: .venv/.installed .venv-release/.installed
	@rm -rf dist && mkdir -p dist
	$(BIN)/python -m hatchling build --directory dist
	@sh deploy/debian/make-package
	cp deploy/container/Containerfile dist/
	.venv-release/bin/cyclonedx-py requirements requirements.lock --output-reproducible --output-file dist/pbem-$(VERSION).cdx.json
	@cd dist && sha256sum -- * >SHA256SUMS && cat SHA256SUMS
	@sed "s/VERSION/$(VERSION)/g" deploy/release.txt

# pip-audit asks PyPI's list of advisories.
audit: .venv-release/.installed
	@.venv-release/bin/pip-audit --strict --disable-pip --requirement requirements.lock || { \
	  echo "Not audited, or not clean. If no weakness is named above, the advisories could not be reached." >&2; exit 1; }

.venv-release/.installed: deploy/release-tools.txt
	$(PYTHON) -m venv .venv-release
	.venv-release/bin/pip --quiet --disable-pip-version-check install -r $<
	@touch $@

# No threshold: read the report to find what no test reaches.
coverage: .venv/.developing
	@[ -d build/coverage-lib ] || $(PIP) --target build/coverage-lib 'coverage>=7.10'
	@mkdir -p build/coverage
	PYTHONPATH=build/coverage-lib $(BIN)/python -m coverage run --branch --source pbem --data-file build/coverage/data -m pytest -n 0 -m 'not servers and not thorough'
	PYTHONPATH=build/coverage-lib $(BIN)/python -m coverage report --data-file build/coverage/data --skip-covered
	PYTHONPATH=build/coverage-lib $(BIN)/python -m coverage html --data-file build/coverage/data --directory build/coverage/html

# What a package installs beside the program; SOURCE_DATE_EPOCH says of when it is.
man: .venv/.installed
	$(BIN)/python -m tests.docs.man_page build/pbem.1
	@mkdir -p build/completion
	$(BIN)/pbem completion bash >build/completion/pbem
	$(BIN)/pbem completion zsh >build/completion/_pbem
	$(BIN)/pbem completion fish >build/completion/pbem.fish

format: .venv/.developing
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

# uv resolves for every supported Python at once; it has an environment of its own. The second file holds
# the first, in the same versions.
LOCK := .venv-lock/bin/uv pip compile --universal --python-version 3.11 \
  --generate-hashes --only-binary :all: --emit-build-options \
  --no-emit-index-url --no-annotate --no-config --custom-compile-command 'make lock' --quiet
CLUB := pyproject.toml --all-extras --group build

lock: .venv-lock/bin/uv
	$(LOCK) $(CLUB) --output-file requirements.lock $(UPGRADE)
	$(LOCK) $(CLUB) --group dev --constraint requirements.lock --output-file requirements-dev.lock $(UPGRADE)
	$(LOCK) --group docs --output-file requirements-docs.lock $(UPGRADE)

.venv-lock/bin/uv:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip --quiet --disable-pip-version-check install 'uv>=0.9'

clean:
	rm -rf .venv .venv-bench .venv-bench-mailman .venv-bench-replies .venv-docs .venv-lock .venv-release build dist
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
