# Scan on Trial. `make help` lists the targets.
#
# kernels -> experiments -> results -> analysis -> figures and paper. Claims are discovered:
# experiments/<family>/<claim>/ has <claim>.cu and analysis.py. ninja knows what a program is compiled from
# (CMakeLists.txt); digests tell which counts and documents are out of date (analysis/core/steps.py).

.DEFAULT_GOAL := all
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules --no-print-directory
.NOTPARALLEL: # every command below uses every core

CLAIMS   := $(sort $(basename $(notdir $(wildcard experiments/*/*/*.cu))))
PARTS    := kernels simt programs claims
PAPERS   := build/paper.pdf build/supplement.pdf
HERE     := build/local/report.pdf
RELEASED := paper.pdf page.html

PYTHON    := .venv/bin/python
BUILD     := .setup/build.sh
BUILD_ALL := $(BUILD) experiments traces one_tile simt-run
COUNT     := $(PYTHON) -m experiments.record.count
RECORD    := $(PYTHON) -m experiments.record.times
DRAW      := $(PYTHON) -m analysis.make
TEST      := .setup/browser.sh; $(PYTHON) -m experiments.test.run

# This machine's GPU, if it has one. Queried once, for all commands.
ifeq ($(origin GPU_ARCH),undefined)
GPU_ARCH := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | \
              grep -oE '^[0-9]+\.[0-9]+$$' | head -n 1 | tr -d .)
endif
export GPU_ARCH
GPU_MISSING := $(if $(GPU_ARCH),,no GPU here: times are those recorded in results/nvidia-h200)

# The user's own settings must not affect the figures.
export MPLCONFIGDIR := $(CURDIR)/build/matplotlib
export LC_ALL := C.UTF-8
# Compiled Python is kept, whatever the user's settings: compiling pandas takes a second of each start.
export PYTHONPYCACHEPREFIX := $(CURDIR)/.venv/pycache
unexport PYTHONDONTWRITEBYTECODE

# The report must be built even if the GPU is busy or too old for the compiler, and times without counters.
TIME_HERE = [ -z "$$GPU_ARCH" ] || { $(BUILD) timed && $(RECORD) --local; } || \
            echo "record    failed, see above: the report of this machine lacks its times"
READ_COUNTERS = $(PYTHON) -m experiments.record.counters
READ_IF_PERMITTED = $(READ_COUNTERS) || echo "counters  not read, see above; the times are recorded"

# $(call timed,commands,result). No output means that there was nothing to do.
timed = mkdir -p build; { $(1); } 2>&1 | tee build/make.log; \
        if [ -s build/make.log ]; then echo "done      in $$SECONDS s$(2)"; \
        else echo "done      nothing to do$(2)"; fi

.PHONY: all test test-rest test-full quick predict record counters generations gpu stale convert simt
.PHONY: bench-simt suites mutants figures paper release-paper claim try samples architectures fuzz new lint format
.PHONY: clean help setup

all: setup ## set up, count, time this GPU if there is one, draw, write paper and supplement
	@$(call timed,$(BUILD_ALL); $(COUNT); $(TIME_HERE); $(DRAW) figures paper page readme here,: $(PAPERS); \
	    measured here: $(HERE)$(if $(GPU_MISSING), ($(GPU_MISSING))))

test: setup ## test machine, kernels, analysis and page; make test-rest has the other tests
	@$(call timed,$(TEST))

test-rest: setup ## [PART=kernels, simt, programs or claims] run the tests that make test leaves out
	@$(if $(filter-out $(PARTS),$(PART)),echo "make test-rest: PART is one of $(PARTS)" >&2; exit 1)
	@$(call timed,$(BUILD_ALL); $(COUNT); $(TEST) --rest $(PART))

test-full: setup ## run every test
	@$(call timed,$(TEST); $(BUILD_ALL); $(COUNT); $(TEST) --rest)

quick: setup ## the same as all at small sizes, under build/quick only
	@$(call timed,$(BUILD_ALL); $(COUNT) --quick; $(DRAW) quick,: build/quick)

predict: setup ## GPU=nvidia-h100 [CLAIM=..]: predict by the clock what its kernels take there (needs no GPU)
	@$(if $(GPU),,echo "make predict: GPU=<folder of results with a table of prices, clock.csv>" >&2; exit 1)
	@$(call timed,$(BUILD_ALL); $(PYTHON) -m simt.clock.predict --gpu $(GPU) $(CLAIM))

record: setup ## measure this machine's GPU anew, into results/<gpu>/; counters too, where they may be read
	@$(call timed,$(BUILD) timed; $(RECORD); $(READ_IF_PERMITTED))

counters: setup ## read this machine's GPU's own counters, into results/<gpu>/ (needs ncu)
	@$(call timed,$(BUILD) timed; $(READ_COUNTERS))

generations: setup ## count every claim in the code of the other architectures (half an hour)
	@$(call timed,$(BUILD_ALL); $(COUNT); $(COUNT) --generations $(CLAIMS); $(DRAW) generations,: results/simt/generations.csv)

gpu: setup ## compile every GPU program, tests too (needs no GPU)
	@$(BUILD) timed tests tests_rest simt-run

stale: setup ## name the recordings whose kernels have changed since (needs no GPU)
	@$(BUILD) timed
	@$(PYTHON) -m experiments.record.stale

convert: setup ## rewrite recordings of earlier versions in today's form
	@$(PYTHON) -m experiments.record.convert results

simt: setup ## build the machine that runs CUDA programs without a GPU: build/simt-run
	@$(BUILD) simt-run

bench-simt: setup ## time build/simt-run and Numba's simulator, on one core
	@$(BUILD) speed simt-run
	@$(PYTHON) -m simt.bench.run --program build/gpu/speed --out results/simt/bench.csv

suites: simt ## check the programs of published suites that are in build/suites (simt/limits.md)
	@$(PYTHON) -m simt.test.hazards.record --simt build/simt-run --binary $(addprefix build/suites/,scor indigo indigo3 ecl) \
	    --table suites --volatile-weak --journal build/suites/journal

mutants: simt ## remove each barrier and fence, swap each comparison: a test or a check must notice
	@$(PYTHON) -m kernels.test.mutants.run

figures: setup ## count what is not counted, then draw
	@$(call timed,$(BUILD_ALL); $(COUNT); $(DRAW) figures,: figures)

paper: setup ## paper and supplement, and what they need
	@$(call timed,$(BUILD_ALL); $(COUNT); $(DRAW) figures paper,: $(PAPERS))

release-paper: setup ## put paper and page as they are now into the tree: paper/paper.pdf, paper/page.html
	@$(call timed,$(BUILD_ALL); $(COUNT); $(DRAW) figures paper page,: $(RELEASED:%=paper/%))
	@for name in $(RELEASED); do cp build/$$name paper/.$$name.part; mv paper/.$$name.part paper/$$name; done

claim: setup ## NAME=<claim>: count, time on a GPU, draw and judge one claim
	@printf '%s\n' $(CLAIMS) | grep -qxF -e "$${NAME-}" || \
	    { echo "make claim: no claim '$${NAME-}': NAME is one of $(CLAIMS)" >&2; exit 1; }
	@$(BUILD) counted_$(NAME) simt-run $(if $(GPU_ARCH),harness_cub)
	@$(COUNT) $(NAME)
	@[ -z "$$GPU_ARCH" ] || { $(RECORD) --local $(NAME) && $(PYTHON) -m analysis --local $(NAME); }
	@$(DRAW) $(NAME)

try: setup ## FILE=<path.cu> [OPTIONS=".." ARGS=".."]: run any CUDA program, counts by line (simt/try --help)
	@test -n "$${FILE-}" || \
	    { echo "make try: FILE=<path.cu>, a CUDA program; simt/try --help for more" >&2; exit 1; }
	@if test -f "$$FILE"; then set -- "$$FILE"; else set -- $$FILE; fi; \
	    simt/try "$$@" $${OPTIONS-} -- $${ARGS-}

samples: simt ## SAMPLES=<folder>: run NVIDIA's samples, CUB's and Thrust's examples, plant faults
	@$(PYTHON) -m simt.test.samples.run --from "$${SAMPLES:?names the folder, see simt/test/samples/README.md}"

architectures: simt ## [SCOR=.. INDIGO=..] [SAMPLES=..] run programs as every GPU that the machine can be (an hour)
	@$(PYTHON) -m simt.test.architectures $${SCOR:+--scor "$$SCOR" --indigo "$$INDIGO"} \
	    $${SAMPLES:+--samples "$$SAMPLES"}

fuzz: simt ## [N=<programs> SEED=.. ARCH=90 GPU=1]: random kernels in six builds on the machine
	@$(PYTHON) -m simt.test.fuzz --programs "$${N-0}" --seed "$${SEED-}" --arch "$${ARCH-90}" $${GPU:+--gpu}

new: setup ## NAME=<claim> [LIKE=<claim>, or FROM=<path.cu> KERNEL=<kernel>]: a folder that passes every test
	@$(PYTHON) -m experiments.new.claim "$${NAME-}" --family "$${FAMILY-}" --like "$${LIKE-}" \
	    $${FROM:+--from "$$FROM"} --kernel "$${KERNEL-}"

CLANG_FORMAT = .venv/bin/clang-format
CXX_FILES    = $(shell find kernels simt experiments -regex '.*\.\(cu\|cuh\|h\|cpp\)') \
               $(wildcard paper/page/scripts/*.js)

lint: setup ## check the form of every source file
	@$(CLANG_FORMAT) --dry-run --Werror $(CXX_FILES)
	@! grep -nE '.{111}' $(CXX_FILES) || { echo "lint: wrap these lines at 110 characters" >&2; exit 1; }
	@$(PYTHON) -m ruff check --quiet .
	@$(PYTHON) -m ruff format --check --quiet . || { echo "ruff format: run make format" >&2; exit 1; }
	@$(PYTHON) -m compileall -q analysis experiments kernels paper simt
	@! command -v shellcheck > /dev/null || shellcheck .setup/*.sh .ci/*.sh .ci/run kernels/*/*.sh simt/try
	@! command -v actionlint > /dev/null || actionlint

format: setup ## rewrite the source files into that form
	@$(CLANG_FORMAT) -i $(CXX_FILES)
	@$(PYTHON) -m ruff check --quiet --fix --exit-zero .
	@$(PYTHON) -m ruff format --quiet .

clean: ## remove all that is built; recorded results, committed figures and papers stay
	@rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup:
	@.setup/setup.sh
