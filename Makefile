# Named tasks; `make` lists them. Programs are those of .venv, or of the PATH if there is none.
BIN := $(addsuffix /,$(wildcard .venv/bin))
CORES := 2
STUDY := config.yaml
BENCH := estimator.py
PLUGIN := workflow/plugins/snakemake-executor-plugin-dask
pytest := $(BIN)pytest -n $(CORES) --dist worksteal

.PHONY: help setup test exhaustive plugin lint docs bench study dist

help:  ## list the tasks
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

setup:  ## make .venv with altfs and all that its development needs
	python3 -m venv .venv
	.venv/bin/pip install -q uv
	.venv/bin/uv pip install -q --python .venv -r envs/develop.txt -e $(PLUGIN) -e .

test:  ## run the quick tests
	$(pytest)

exhaustive:  ## run the exhaustive tests, and all the examples of Hypothesis
	$(pytest) -m "exhaustive or hypothesis" --hypothesis-profile thorough --ignore-glob '$(PLUGIN)/*'

plugin:  ## test the Dask executor without altfs, with the newest versions and with the oldest
	python3 -m venv --clear build/newest && python3 -m venv --clear build/oldest
	$(BIN)uv pip install -q --python build/newest -e '$(PLUGIN)[slurm,test]'
	$(BIN)uv pip install -q --python build/oldest --resolution lowest-direct -e '$(PLUGIN)[test]'
	cd $(PLUGIN) && $(CURDIR)/build/newest/bin/pytest -n 3 --dist worksteal -m "" -o 'norecursedirs=slurm gridengine'
	cd $(PLUGIN) && $(CURDIR)/build/oldest/bin/pytest -n 3 --ignore tests/test_snakemake_suite.py

lint:  ## check format, lint, types, imports and the rules of Snakemake
	$(BIN)ruff check .
	$(BIN)ruff format --check .
	$(BIN)mypy
	cd $(PLUGIN) && $(addprefix $(CURDIR)/,$(BIN))mypy
	$(BIN)lint-imports --no-cache
	$(BIN)snakefmt --check workflow/Snakefile workflow/rules
	$(BIN)snakemake --lint

docs:  ## build the documentation site in build/docs; a warning is an error
	$(BIN)sphinx-build -W --keep-going -q -b html docs build/docs

bench:  ## run a benchmark: BENCH="exact_search.py ours"
	$(BIN)python benchmarks/$(BENCH)

study:  ## run a study: STUDY=config.yaml, on CORES=2
	$(BIN)snakemake --cores $(CORES) --configfile $(STUDY)

dist:  ## build wheel and sdist in dist/, and use each in a fresh environment
	rm -rf dist
	$(BIN)python -m hatchling build
	cd $(PLUGIN) && $(addprefix $(CURDIR)/,$(BIN))python -m hatchling build -d $(CURDIR)/dist
	for file in dist/altfs*; do \
	  $(BIN)python -m venv --clear build/fresh && build/fresh/bin/pip install -q $$file && \
	  (cd build && fresh/bin/altfs info && fresh/bin/python ../docs/gallery/1_which_features.py) || exit 1; \
	done
	for file in dist/snakemake*; do \
	  $(BIN)python -m venv --clear build/fresh && build/fresh/bin/pip install -q $$file && \
	  build/fresh/bin/snakemake --help | grep -q -- --dask-scheduler || exit 1; \
	done
