# make install          install pbem in .venv and get a working .venv/bin/pbem
# make demo             play a set with three players on this machine
# make test             run every check and test: style, types, and tests against real servers
# make examples         install and test the distributions in examples/, each in its own environment
# make check            run the checks and tests that need no server, in about a minute; run it before every commit
# make bench            measure the rules next to python-chess, and email next to its bare cost; print every aim and
#                       whether it is met. make bench BASE=COMMIT compares a move now with one at that commit
# make bench-bots       play bot-steady against bot-greedy on all processors, for the table in docs/bots.md
#                       (MATCHES=100 in each row)
# make bench-replies    compare pbem with libraries that read replies, on the emails of the tests
# make bench-mailman    measure GNU Mailman next to pbem, on the same emails
# make screenshots      draw the pictures of pages and emails in docs/screenshots, with Chromium
# make fuzz             try mutated emails on all code that reads email (FUZZ_SECONDS=600)
# make years            run random clubs for simulated years and compare their clocks with naive ones (YEARS_SECONDS=600)
# make faults           kill one process at every step, then kill and cut off many at random (SECONDS=600)
# make simulate         run months of a club in minutes and print the cost (MEMBERS=50 WORKERS=2 MONTHS=1)
# make decade           run ten years of a club and print how much it stores each year (YEARS=10)
# make deb              build a package for Debian 12 with systemd units, in dist/ (docs/operators.md)
# make walk             build and boot a Debian 12, and type docs/operators.md on it line by line
# make style            check style and declared dependencies
# make lint             check style, dependencies, types and import contracts
# make format           fix what ruff can fix
# make docs             generate docs/commands.md, docs/cli.md and the help of pbem from the declarations of the commands
# make docs-site        build the documentation as a website with search, in build/site-docs
# make release          build all files of a release in dist/, and print the next steps
# make audit            look up known weaknesses of the packages in requirements.lock; needs the network
# make coverage         show which lines and branches the tests reach, in build/coverage
# make man              build the manual page build/pbem.1 and completions for bash, zsh and fish in build/completion/
# make lock             update all lock files from pyproject.toml (UPGRADE=--upgrade takes the newest versions)
# make clean            remove all environments, caches and build results

PYTHON ?= python3
BIN := .venv/bin
# Keep compiled files, whatever the shell says: compiling the tests again takes longer than running most of them.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check install

.PHONY: install demo test examples check bench bench-bots bench-replies bench-mailman screenshots fuzz years faults simulate decade deb walk style lint format docs docs-site release audit coverage man lock clean

install: .venv/.installed

# Install pbem itself as editable: a change in pbem/, templates/ or db/ takes effect at once.
.venv/.installed: .venv/.locked pyproject.toml
	$(PIP) --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q pbem
	@touch $@

# Packages that run a club: only those in requirements.lock, checked by hash.
.venv/.locked: requirements.lock | .venv/bin/pip
	@echo "Installing the packages in requirements.lock. This takes about a minute."
	$(PIP) --require-hashes -r requirements.lock
	@touch $@

# Packages that also check and test it.
.venv/.developing: requirements-dev.lock | .venv/.installed
	@echo "Installing the packages in requirements-dev.lock."
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

# As root, this installs the servers that the tests talk to. Otherwise tests without a server are skipped,
# or fail if CI is set. While types are checked, the tests are compiled once for all processes that run them.
test: style
	sh tests/install-servers
	@$(BIN)/mypy & types=$$!; \
	$(BIN)/pytest --collect-only --quiet >/dev/null; \
	$(BIN)/pytest --numprocesses=auto --dist=worksteal; \
	tests=$$?; wait $$types && exit $$tests
	@$(MAKE) --no-print-directory examples

# Each example has an environment with the packages of its lock file, checked by hash, and the example itself. It
# finds pbem and the tools for tests in .venv, which never finds the example: pbem must not need it.
EXAMPLES := $(patsubst examples/%/pyproject.toml,%,$(wildcard examples/*/pyproject.toml))

examples: $(EXAMPLES:%=build/examples/%/.installed)
	@set -e; for name in $(EXAMPLES); do \
	  echo "Testing examples/$$name."; \
	  (cd examples/$$name && python=$(CURDIR)/build/examples/$$name/bin/python \
	    && $$python -m deptry . && $$python -m mypy \
	    && $$python -m pytest --numprocesses=auto --dist=worksteal); done

build/examples/%/.installed: examples/%/pyproject.toml examples/%/requirements.lock examples/build.lock .venv/.developing
	@echo "Installing examples/$*."
	@rm -rf build/examples/$*
	@$(PYTHON) -m venv build/examples/$*
	@set -e; pip="build/examples/$*/bin/python -m pip --quiet --disable-pip-version-check install --no-build-isolation"; \
	$$pip --require-hashes -r examples/build.lock; \
	$$pip --require-hashes -r examples/$*/requirements.lock; \
	$(BIN)/python -c 'import site; print("$(CURDIR)", *site.getsitepackages(), sep="\n")' \
	  >"$$(build/examples/$*/bin/python -c 'import site; print(site.getsitepackages()[0])')/pbem.pth"; \
	$$pip --no-deps --editable examples/$*
	@touch $@

# Check types beside the tests, each on a processor of its own. Properties get a tenth of their examples.
# The messages of new commits are checked too.
check: style
	$(BIN)/python -m tests.docs.commit_messages
	@$(BIN)/mypy & types=$$!; \
	$(BIN)/pytest --numprocesses=auto --hypothesis-profile=check -m 'not servers and not thorough'; \
	tests=$$?; wait $$types && exit $$tests

# python-chess is not part of pbem and comes only as source, so it gets its own environment. The rules
# need only the standard library. Measuring the path of an email needs Dovecot, as the tests do.
# Chess by email needs pbem-chess, in the environment of its tests. BASE=COMMIT runs that commit and this
# checkout in turns, and nothing else.
bench: .venv/.developing .venv-bench/.installed build/examples/pbem-chess/.installed
	@sh tests/install-servers
ifdef BASE
	$(BIN)/python -m bench.versus $(BASE)
else
	@rm -f build/aims.txt
	.venv-bench/bin/python -m bench.rules
	$(BIN)/python -m bench.modules
	$(BIN)/python -m bench.start
	$(BIN)/python -m bench.path
	build/examples/pbem-chess/bin/python -m bench.chess_moves
	$(BIN)/python -m bench.turns
	$(BIN)/python -m bench.plans
	$(BIN)/python -m bench.digests
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

# The libraries get their own environment too, followed by the packages that pbem needs.
bench-replies: .venv/.developing .venv-bench-replies/.installed
	.venv-bench-replies/bin/python -m bench.reply_libraries

.venv-bench-replies/.installed: bench/reply_libraries.txt
	$(PYTHON) -m venv .venv-bench-replies
	.venv-bench-replies/bin/pip --quiet --disable-pip-version-check install --no-deps -r $<
	@$(BIN)/python -c 'import site; print("$(CURDIR)", *site.getsitepackages(), sep="\n")' \
	  >"$$(.venv-bench-replies/bin/python -c 'import site; print(site.getsitepackages()[0])')/pbem.pth"
	@touch $@

# Mailman gets its own environment as well, without pbem's packages.
bench-mailman: .venv/.developing .venv-bench-mailman/.installed
	@sh tests/install-servers
	$(BIN)/python -m bench.mailman

.venv-bench-mailman/.installed: bench/mailman.txt
	$(PYTHON) -m venv .venv-bench-mailman
	.venv-bench-mailman/bin/pip --quiet --disable-pip-version-check install -r $<
	@touch $@

screenshots: build/examples/pbem-chess/.installed
	@sh tests/install-servers
	build/examples/pbem-chess/bin/python -m tests.screenshots

# Try mutated emails for FUZZ_SECONDS. Emails that break something go into tests/data/fuzz, which the
# tests replay. FUZZ_SEED repeats a run.
FUZZ_SECONDS ?= 600
fuzz: .venv/.developing
	$(BIN)/python -m tests.mail.fuzz $(FUZZ_SECONDS) $(FUZZ_SEED)

# Run random clubs for simulated years, and compare their clocks with naive ones. YEARS_SEED repeats a run.
YEARS_SECONDS ?= 600
years: .venv/.developing
	$(BIN)/python -m tests.years.soak $(YEARS_SECONDS) $(YEARS_SEED)

# Kill one process at every step of a day's email. Then kill and cut off three workers and two fetchers on
# PostgreSQL at random. FAULTS_SEED repeats a run.
SECONDS ?= 600
faults: .venv/.developing
	@sh tests/install-servers
	$(BIN)/pytest --numprocesses=auto --hypothesis-profile=every tests/faults/test_kills_and_drops.py
	$(BIN)/python -m tests.faults.many.soak $(SECONDS) $(FAULTS_SEED)

# Run a club on a simulated clock, with everything else real. WORKERS=0 is one process on SQLite; SITE=--site
# also writes the reading room. SITE=--competitions plays one competition of each kind, and
# compares their tables with an independent computation.
MEMBERS ?= 50
WORKERS ?= 2
MONTHS ?= 1
simulate: .venv/.developing
	@sh tests/install-servers
	$(BIN)/python -m bench.simulated --members $(MEMBERS) --workers $(WORKERS) --months $(MONTHS) $(SITE)

deb:
	@sh deploy/debian/make-package

# Needs Debian's mirrors. The first downloads are kept in build/.
walk: .venv/.developing
	@sh tests/install-servers
	$(BIN)/pytest -n 0 tests/deploy/test_walk.py

# Run a club of the same size for ten years and print how much it keeps. ON=--postgresql uses a server.
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

# Sphinx gets its own environment. The pages must load nothing from another host.
docs-site: .venv-docs/.installed
	@rm -rf build/site-docs && mkdir -p build/docs-source
	.venv-docs/bin/sphinx-build -q -W --keep-going -E -c docs -d build/docs-trees build/docs-source build/site-docs
	@! grep -rE '<(script|link|img|iframe)[^>]*(src|href)="(https?:)?//' build/site-docs --include='*.html'
	@echo "Open build/site-docs/index.html"

.venv-docs/.installed: requirements-docs.lock
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/pip --quiet --disable-pip-version-check install --require-hashes -r $<
	@touch $@

# Build each file of a release, their checksums, and an SBOM (CycloneDX) of the packages in requirements.lock.
VERSION = $$(sed -n 's/^version = "\(.*\)"$$/\1/p' pyproject.toml)
release: .venv/.installed .venv-release/.installed
	@rm -rf dist && mkdir -p dist
	$(BIN)/python -m hatchling build --directory dist
	@sh deploy/debian/make-package
	cp deploy/container/Containerfile dist/
	.venv-release/bin/cyclonedx-py requirements requirements.lock --output-reproducible --output-file dist/pbem-$(VERSION).cdx.json
	@cd dist && sha256sum -- * >SHA256SUMS && cat SHA256SUMS
	@sed "s/VERSION/$(VERSION)/g" deploy/release.txt

# pip-audit reads the advisories of PyPI.
audit: .venv-release/.installed
	@.venv-release/bin/pip-audit --strict --disable-pip --requirement requirements.lock || { \
	  echo "Not audited, or not clean. If no weakness is named above, the advisories could not be reached." >&2; exit 1; }

.venv-release/.installed: deploy/release-tools.txt
	$(PYTHON) -m venv .venv-release
	.venv-release/bin/pip --quiet --disable-pip-version-check install -r $<
	@touch $@

# No threshold: read the report to find code that no test reaches.
coverage: .venv/.developing
	@[ -d build/coverage-lib ] || $(PIP) --target build/coverage-lib 'coverage>=7.10'
	@mkdir -p build/coverage
	PYTHONPATH=build/coverage-lib $(BIN)/python -m coverage run --branch --source pbem --data-file build/coverage/data -m pytest -n 0 -m 'not servers and not thorough'
	PYTHONPATH=build/coverage-lib $(BIN)/python -m coverage report --data-file build/coverage/data --skip-covered
	PYTHONPATH=build/coverage-lib $(BIN)/python -m coverage html --data-file build/coverage/data --directory build/coverage/html

# Files that a package installs beside the program. SOURCE_DATE_EPOCH sets their date.
man: .venv/.installed
	$(BIN)/python -m tests.docs.man_page build/pbem.1
	@mkdir -p build/completion
	$(BIN)/pbem completion bash >build/completion/pbem
	$(BIN)/pbem completion zsh >build/completion/_pbem
	$(BIN)/pbem completion fish >build/completion/pbem.fish

format: .venv/.developing
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

# uv resolves for every supported Python at once, in its own environment. The second file includes the
# first, in the same versions.
LOCK := .venv-lock/bin/uv pip compile --universal --python-version 3.11 \
  --generate-hashes --only-binary :all: --emit-build-options \
  --no-emit-index-url --no-annotate --no-config --custom-compile-command 'make lock' --quiet
CLUB := pyproject.toml --extra postgresql --extra lmtp --extra embedded --extra swiss --extra print --group build

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
