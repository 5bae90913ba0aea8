# Scan on Trial. `make help` lists the targets.
#
# kernels -> experiments -> results -> analysis -> figures and paper. Claims are discovered:
# experiments/<family>/<claim>/ has <claim>.cu and analysis.py. This file names no claim but the noise floor's.

.DEFAULT_GOAL := all
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules --no-print-directory
ifndef IN_PARALLEL
.NOTPARALLEL: # ninja uses every core
endif
.SECONDEXPANSION:

FOLDERS := $(patsubst %/,%,$(dir $(wildcard experiments/*/*/*.cu)))
CLAIMS  := $(sort $(notdir $(FOLDERS)))
COUNTED := $(CLAIMS:%=results/simt/%.jsonl)
FIGURES := $(CLAIMS:%=figures/%.json)
OVERVIEW := figures/staircase.json figures/findings.json
FURTHER := figures/gpus.json
LOCAL   := $(patsubst results/%.jsonl,build/%.json,$(wildcard $(CLAIMS:%=results/local/%.jsonl)))
TARGETS := $(wildcard experiments/*/*/targets.csv)
MACHINE := build/simt-run build/libcudart.so.13
PARTS   := kernels simt programs claims
PAPERS  := build/paper.pdf build/supplement.pdf
PAGE    := build/page.html
TRACED  := results/simt/page.traces.jsonl.gz results/simt/page.clock.json
RELEASED := paper.pdf page.html
HERE    := build/local/report.pdf
PYTHON  := .venv/bin/python

# Every recipe writes whole files or none, so what is there stays when one fails: most of it is committed.
.PRECIOUS: $(COUNTED) $(FIGURES) figures/agreement.json figures/log.json figures/model.json $(OVERVIEW) $(FURTHER) figures/paper.json

# This machine's GPU, if it has one. Queried once and exported to sub-makes.
ifeq ($(origin GPU_ARCH),undefined)
GPU_ARCH := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | \
              grep -oE '^[0-9]+\.[0-9]+$$' | head -n 1 | tr -d .)
endif
export GPU_ARCH
# Other code than sm_90's that the SIMT machine counts: what this machine's GPU runs, and in make generations all.
OTHER_ARCHS := $(filter-out 90,$(shell sed -n 's/^ *{\([0-9]*\), ".*/\1/p' simt/loader/architecture.cpp))
HERE_ARCH := $(if $(GPU_ARCH),$(filter $(GPU_ARCH),$(OTHER_ARCHS)))
COUNTED_HERE := $(if $(HERE_ARCH),$(CLAIMS:%=results/local/sm_$(HERE_ARCH)/%.jsonl))
GENERATIONS := $(foreach arch,$(OTHER_ARCHS),$(CLAIMS:%=build/generations/sm_$(arch)/%.counted))
GPU_MISSING := $(if $(GPU_ARCH),,no GPU here: times are those recorded in results/nvidia-h200)

# The user's own settings must not affect the figures.
export MPLCONFIGDIR := $(CURDIR)/build/matplotlib
export LC_ALL := C.UTF-8
# Compiled Python is kept, whatever the user's settings: compiling pandas takes a second of each start.
export PYTHONPYCACHEPREFIX := $(CURDIR)/.venv/pycache
unexport PYTHONDONTWRITEBYTECODE

# $(call timed,targets,result): make the targets. No output means that there was nothing to do.
timed = mkdir -p build; for target in $(1); do $(MAKE) -s $$target; done 2>&1 | tee build/make.log; \
        if [ -s build/make.log ]; then echo "done      in $$SECONDS s$(2)"; \
        else echo "done      nothing to do$(2)"; fi

# $(call place): "2 of 4" for the current claim.
place = $$(printf '%s\n' $(CLAIMS) | grep -nx $* | cut -d: -f1) of $(words $(CLAIMS))

# $(call configure,folder,architectures): a folder in which nvcc compiles. With other options than before it is
# configured afresh.
configure = nvcc=$$(.setup/cuda.sh); options=(-DCMAKE_CUDA_COMPILER="$$nvcc" -DCMAKE_CUDA_ARCHITECTURES="$(2)"); \
    grep -qxsFe "$${options[*]}" $(1)/options || { rm -rf $(1); \
    cmake -S . -B $(1) -G Ninja "$${options[@]}" > /dev/null; echo "$${options[*]}" > $(1)/options; }

# What ninja prints of its own.
WITHOUT_NINJA := sed -u -e '/^ninja: /d' -e '/^-- /d' -e '/Re-checking globbed/d'

# $(call build,targets): what nvcc compiles, for sm_90, which the SIMT machine runs, and for this machine's GPU. ninja
# 1.13 takes make for its job server if MAKEFLAGS says so, and reports an error, as its pipe is closed.
define build
$(call configure,build/gpu,90$(addprefix ;,$(filter-out 90,$(GPU_ARCH))))
MAKEFLAGS= NINJA_STATUS='build     %f of %t: ' ninja -C build/gpu $(1) | $(WITHOUT_NINJA)
endef

.PHONY: all test test-rest test-full quick record counters gpu stale convert mutants figures paper release-paper claim
.PHONY: suites fuzz new bench-simt lint format clean help
.PHONY: try samples try-machine setup complete one-claim one-claim-timed simt programs tests tests-rest
.PHONY: gpu-experiments generations generations-built generations-counted
.PHONY: counted timed-here predict predicting
.PHONY: local-times recording counting counting-if-permitted drawn report quick-figures

all: ## set up, count, time this GPU if there is one, draw, write paper and supplement
	@$(call timed,counted timed-here report,: $(PAPERS); measured here: $(HERE)$(if $(GPU_MISSING), ($(GPU_MISSING))))

test: ## test machine, kernels, analysis and page; make test-rest has the other tests
	@$(call timed,tests)

test-rest: ## [PART=kernels, simt, programs or claims] run the tests that make test leaves out: more types, programs, whole runs
	@$(if $(filter-out $(PARTS),$(PART)),echo "make test-rest: PART is one of $(PARTS)" >&2; exit 1)
	@$(call timed,tests-rest)

test-full: ## run every test
	@$(call timed,tests tests-rest)

quick: ## the same as all at small sizes, under build/quick only
	@$(call timed,quick-figures,: build/quick)

predict: ## before make record on another GPU: take its prices alone and predict the times of all kernels
	@$(call timed,gpu-experiments predicting)

record: ## measure this machine's GPU anew, into results/<gpu>/; counters too, where they may be read
	@$(call timed,gpu-experiments recording counting-if-permitted)

counters: ## read this machine's GPU's own counters, into results/<gpu>/ (needs ncu)
	@$(call timed,gpu-experiments counting)

generations: ## count every claim in the code of the other architectures, into results/simt/generations.csv (half an hour)
	@$(call timed,counted generations-built generations-counted,: results/simt/generations.csv)

gpu: setup ## compile every GPU program, tests too (needs no GPU)
	@$(call build,timed tests tests_rest simt-run)

stale: setup ## name the recordings whose kernels have changed since (needs no GPU)
	@$(call build,timed)
	@$(PYTHON) -m experiments.record.stale

convert: setup ## rewrite recordings of earlier versions in today's form
	@$(PYTHON) -m experiments.record.convert results

simt: setup ## build the machine that runs CUDA programs without a GPU: build/simt-run
	@$(call build,simt-run)

bench-simt: setup ## time build/simt-run and Numba's simulator, on one core
	@$(call build,speed simt-run)
	@$(PYTHON) -m simt.bench.run --program build/gpu/speed --out results/simt/bench.csv

suites: simt ## check the programs of published suites that are in build/suites (simt/limits.md)
	@$(PYTHON) -m simt.test.hazards.record --simt build/simt-run --binary build/suites/scor build/suites/indigo \
	    --table suites --volatile-weak --journal build/suites/journal

mutants: setup ## remove each barrier and fence, swap each comparison: a test or a check must notice
	@$(call build,simt-run)
	@$(PYTHON) -m kernels.test.mutants.run

figures: ## count what is not counted, then draw
	@$(call timed,counted drawn,: figures)

paper: ## paper and supplement, and what they need
	@$(call timed,counted drawn $(PAPERS),: $(PAPERS))

release-paper: ## put paper and page as they are now into the tree: paper/paper.pdf, paper/page.html
	@$(call timed,counted drawn $(PAPERS) $(PAGE),: $(RELEASED:%=paper/%))
	@for name in $(RELEASED); do cp build/$$name paper/.$$name.part; mv paper/.$$name.part paper/$$name; done

claim: setup ## NAME=<claim>: count, time on a GPU, draw and judge one claim
	@printf '%s\n' $(CLAIMS) | grep -qxF -e "$${NAME-}" || { echo "make claim: no claim '$${NAME-}': NAME is one of" \
	    $(CLAIMS) >&2; exit 1; }
	@$(MAKE) -s one-claim

try: setup ## FILE=<path.cu> [OPTIONS="..." ARGS="..."]: run any CUDA program, counts by line (simt/try --help)
	@test -n "$${FILE-}" || { echo "make try: FILE=<path.cu>, a CUDA program; simt/try --help for more" >&2; exit 1; }
	@if test -f "$$FILE"; then set -- "$$FILE"; else set -- $$FILE; fi; simt/try "$$@" $${OPTIONS-} -- $${ARGS-}

samples: setup simt ## SAMPLES=<folder>: run NVIDIA's samples, CUB's and Thrust's examples, plant faults (simt/test/samples/README.md)
	@$(PYTHON) -m simt.test.samples.run --from "$${SAMPLES:?names the folder, see simt/test/samples/README.md}"

fuzz: setup simt ## [N=<programs> SEED=.. ARCH=90 GPU=1]: random kernels in six builds on the machine (simt/test/fuzz)
	@$(PYTHON) -m simt.test.fuzz --programs "$${N-0}" --seed "$${SEED-}" --arch "$${ARCH-90}" $${GPU:+--gpu}

new: setup ## NAME=<claim> [LIKE=<claim>, or FROM=<path.cu> KERNEL=<kernel>]: a new folder that passes every test
	@$(PYTHON) -m experiments.new.claim "$${NAME-}" --family "$${FAMILY-}" --like "$${LIKE-}" $${FROM:+--from "$$FROM"} --kernel "$${KERNEL-}"

lint: setup ## check the form of every source file
	@$(CLANG_FORMAT) --dry-run --Werror $(CXX_FILES)
	@! grep -nE '.{111}' $(CXX_FILES) || { echo "lint: these lines have more than 110 characters: wrap them" >&2; exit 1; }
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

CXX_FILES    = $(shell find kernels simt experiments -name '*.cu' -o -name '*.cuh' -o -name '*.h' -o -name '*.cpp') \
               $(wildcard paper/page/scripts/*.js)
CLANG_FORMAT = .venv/bin/clang-format

# --- Set-up and build -------------------------------------------------------------------------------

setup:
	@$(if $(PREPARED),:,.setup/setup.sh)

.venv/requirements.txt: setup
	@:

complete:
	@$(if $(PREPARED),exit 0;) for folder in $(FOLDERS); do test -f $$folder/analysis.py || { echo "$$folder has no" \
	    "analysis.py: every claim needs one (make new NAME=... writes it)" >&2; exit 1; }; done

# The experiments, and the SIMT machine that runs them where there is no GPU.
programs: setup complete
	@$(if $(PREPARED),:,$(call build,experiments traces one_tile simt-run))

$(CLAIMS:%=build/gpu/experiments/%) build/gpu/traces build/gpu/one_tile $(MACHINE): programs
	@:

# $(call begin,stage): for experiments/test/time_of_tests.py, which says where the time went.
begin = mkdir -p build; echo "$(1),$$EPOCHREALTIME" >> build/tests.csv

# $(call run-tests,target of the build,which tests by ctest,which by pytest,where). A GPU runs one test at a time.
define run-tests
@rm -f build/tests.*
@$(call begin,build)
@$(call build,$(1) programs_of_tests)
@$(call begin,machine and kernels)
@$(if $(2),,exit 0;) echo "test      1 of 2: the SIMT machine, and the kernels $(if $(GPU_MISSING),on it,on this GPU)"; \
    ctest --test-dir build/gpu --output-on-failure --no-tests=error --parallel $(if $(GPU_MISSING),2,1) $(2) \
    --output-junit "$(CURDIR)/build/tests.ctest.xml"
@$(call begin,analysis and whole runs)
@echo "test      2 of 2: the analysis, the page and the machine"
@.setup/browser.sh
@$(PYTHON) -m pytest --numprocesses 3 --dist loadgroup -m $(3) --junit-xml build/tests.pytest.xml $(4)
@$(call begin,end)
@$(PYTHON) -m experiments.test.time_of_tests
endef

tests: setup complete
	$(call run-tests,tests,--label-exclude full,'not full')

# Its parts; what ctest runs is of kernels.
REST_kernels  := kernels/test
REST_simt     := simt --ignore=simt/try_cuda
REST_programs := simt/try_cuda
REST_claims   := experiments/test analysis/test paper/test .setup/test

tests-rest: counted
	$(call run-tests,tests_rest$(PART:%=_%),$(if $(filter-out kernels,$(PART)),,--label-regex full),full,$(REST_$(PART)))

gpu-experiments: setup
	@$(call build,timed)

# --- Evidence ---------------------------------------------------------------------------------------

# Without name and date: the same table gives the same bytes.
COMPRESS = gzip -9n

# $(call count,claim,folder,options,of which architecture,built where): what the program writes becomes a recording,
# one line a case, and tables of what each step did, which nobody reads line by line. Digests of machine code are of
# sm_90 and of this machine's GPU, in build/gpu alone.
count = made=build/counted/$(4)/$(1); rm -rf $$made; \
        build/simt-run $(4:%=--arch %) --counts-only $(or $(5),build/gpu)/experiments/$(1) --out=$$made $(3); \
        for table in steps trace shared; do find $$made -name "*.$$table.csv" -exec $(COMPRESS) {} +; done; \
        $(PYTHON) -m experiments.record.convert $$made --out $(2) \
            $(if $(5),,--code build/gpu/experiments/$(1).machine_code)

# Two at a time: what one does on a single core runs beside the other.
counted: programs
	@$(MAKE) -s --jobs=2 IN_PARALLEL=1 PREPARED=1 $(COUNTED) $(COUNTED_HERE) $(TRACED)

$(COUNTED): results/simt/%.jsonl: build/gpu/experiments/% $(MACHINE)
	@echo "count     $* ($(call place))"; mkdir -p build/times; start=$$EPOCHREALTIME; \
	    $(call count,$*,results/simt); \
	    awk "BEGIN { printf \"{\\\"seconds\\\": %.1f}\\n\", $$EPOCHREALTIME - $$start }" > build/times/$*.new; \
	    mv build/times/$*.new build/times/$*.json

# The report of this machine must be built even if a claim has a kernel that cannot be counted in the code of its GPU.
$(COUNTED_HERE): results/local/sm_$(HERE_ARCH)/%.jsonl: build/gpu/experiments/% $(MACHINE)
	@echo "count     $* as this GPU runs it, sm_$(HERE_ARCH) ($(call place))"; mkdir -p $(@D); \
	    { $(call count,$*,$(@D),,$(HERE_ARCH)); } || { rm -f $@; \
	    echo "count     $*: failed, see above: the report of this machine has the counts of sm_90"; }

results/simt/page.traces.jsonl.gz: build/gpu/traces $(MACHINE)
	@echo "trace     block scans and reductions, for the page"
	@mkdir -p $(@D); build/simt-run --counts-only $< | $(COMPRESS) > $@.new.part
	@mv $@.new.part $@

results/simt/page.clock.json: build/gpu/one_tile $(MACHINE) results/nvidia-h200/clock.csv
	@echo "trace     one block by the clock, for the page"
	@build/simt-run --counts-only --clock nvidia-h200 --trace 1 --json build/one_tile.json $<
	@$(PYTHON) -m experiments.traces.clock build/one_tile.json --out $@

# One claim, always counted anew: its binary alone is built. A GPU times it if its kernels have changed.
one-claim: CLAIMS := $(NAME)
one-claim: complete
	@$(call build,counted_$(NAME) simt-run)
	@echo "count     $(NAME)"; $(call count,$(NAME),results/simt)
	@$(if $(GPU_MISSING),:,$(MAKE) -s one-claim-timed)
	@$(PYTHON) -m analysis $(NAME) --verdict

one-claim-timed: setup
	@$(call build,counted_$(NAME) harness_cub)
	@$(PYTHON) -m experiments.record.times --local $(NAME)
	@$(PYTHON) -m analysis $(NAME) --local
	@echo "draw      build/local/$(NAME).svg: the times of this machine"

build/quick/results/simt/%.jsonl: build/gpu/experiments/% $(MACHINE)
	@echo "count     $* ($(call place))"; $(call count,$*,build/quick/results/simt,--quick)

# The report must be built even if the GPU is busy or too old for the compiler.
timed-here:
	@$(if $(GPU_MISSING),:,$(MAKE) -s local-times || echo "record    failed, see above: the report of this machine lacks its times")

local-times: gpu-experiments
	@$(PYTHON) -m experiments.record.times --local

predicting: setup
	$(if $(GPU_MISSING),$(error make predict: $(GPU_MISSING)))
	@$(PYTHON) -m experiments.record.times --ahead
	@$(PYTHON) -m analysis --predict

recording: setup
	$(if $(GPU_MISSING),$(error make record: $(GPU_MISSING)))
	@$(PYTHON) -m experiments.record.times

counting: setup
	$(if $(GPU_MISSING),$(error make counters: $(GPU_MISSING)))
	@$(PYTHON) -m experiments.record.counters

counting-if-permitted:
	@$(MAKE) -s counting || echo "counters  not read, see above; the times are recorded"

# --- Report -----------------------------------------------------------------------------------------

# The page's own modules, the tests, and what writes recordings and new claims are no part of any drawing.
SHARED_ANALYSIS = $(wildcard paper/sentences.md paper/*.csv) \
    $(filter-out analysis/report/page/% analysis/test/% $(addprefix experiments/,test/% record/% new/% traces/%), \
    $(wildcard analysis/*.py analysis/*/*.py analysis/*/*/*.py experiments/*/*.py))

# $(call draw,documents,options): those that are out of date, side by side in one Python, whose libraries take a
# second to load. With LIST=1 their rules print its arguments and do nothing. Set-up and build are those of the make
# that calls it: PREPARED.
draw = out_of_date=$$($(MAKE) -s LIST=1 PREPARED=1 $(1)) || exit; \
       [ -z "$$out_of_date" ] || $(PYTHON) -m analysis $$out_of_date --jobs=$$(nproc) $(2)

# A rule's part in that: name or options of a document.
analysis = $(if $(LIST),echo $(1),$(PYTHON) -m analysis $(1))

drawn:
	@$(call draw,figures/model.json figures/agreement.json figures/log.json)
	@touch build/model
	@$(call draw,$(FIGURES))
	@$(call draw,$(OVERVIEW) $(FURTHER) figures/paper.json)
	@$(if $(LOCAL),$(MAKE) -s --jobs=$$(nproc) IN_PARALLEL=1 PREPARED=1 $(LOCAL))

report: drawn
	@$(call draw,$(PAPERS) $(PAGE) build/readme $(HERE))
	@touch build/readme

# $(call recordings,names): these files of every machine, but for what only this one has measured.
recordings = $(filter-out results/local/%,$(wildcard $(1:%=results/*/%)))

# The noise floor is part of every verdict.
NOISE = $(filter-out results/simt/%,$(call recordings,noise.jsonl))

figures/%.json: $$(wildcard experiments/*/$$*/*.*) $$(call recordings,$$*.jsonl $$*.counters.jsonl) $(NOISE) figures/model.json $(SHARED_ANALYSIS) .venv/requirements.txt
	@$(call analysis,$*)

# What limits each kernel, which every claim's document quotes. The file is left alone if its content would be the
# same: then no claim is drawn anew.
figures/model.json: build/model
	@:

build/model: $(COUNTED) $(call recordings,*.jsonl *.launches.csv metrics.csv model.rounds.csv programs*.csv stalls.csv clock.predicted.csv clock.again.csv clock.csv) \
    $(call recordings,wavefronts.csv) $(wildcard results/predicted/*.csv results/predicted/*/*.csv) \
    $(wildcard experiments/*/*/analysis.py experiments/*/*/text.md) $(SHARED_ANALYSIS) .venv/requirements.txt
	@$(call analysis,--model)
	@$(if $(LIST),:,mkdir -p build; touch $@)

figures/agreement.json: $(COUNTED) $(call recordings,*.counters.jsonl metrics.csv) $(SHARED_ANALYSIS) .venv/requirements.txt
	@$(call analysis,--agreement)

figures/log.json: $(call recordings,log.csv $(patsubst %,%.jsonl,$(notdir $(patsubst %/targets.csv,%,$(TARGETS))))) \
    $(TARGETS) $(SHARED_ANALYSIS) .venv/requirements.txt
	@$(call analysis,--log)

$(OVERVIEW) &: $(FIGURES) figures/model.json paper/findings.md $(SHARED_ANALYSIS) .venv/requirements.txt
	@$(call analysis,--overview)

# Further GPUs beside the first: from the claims' documents, and what was predicted there.
$(FURTHER): $(FIGURES) figures/model.json figures/agreement.json $(call recordings,*.jsonl *.launches.csv predicted.csv) \
    $(SHARED_ANALYSIS) .venv/requirements.txt
	@$(call analysis,--gpus)

# The times of this machine, beside those recorded: neither figures/ nor README.md change by them, and the report
# must be built even if a GPU has too little memory for some cases that an analysis needs.
build/local/%.json: $$(wildcard results/*/$$*.jsonl results/local/*/$$*.jsonl) $$(wildcard experiments/*/$$*/*.*) $(SHARED_ANALYSIS) .venv/requirements.txt
	@$(if $(LIST),exit 0;) echo "draw      $* ($(call place)), timed on this machine"; \
	$(PYTHON) -m analysis --local $* || { rm -f $@; \
	    echo "draw      $*: failed, see above: the report of this machine lacks it"; }

build/quick/figures/%.json: build/quick/results/simt/%.jsonl $$(wildcard experiments/*/$$*/*.*) $(SHARED_ANALYSIS) .venv/requirements.txt
	@$(call analysis,$*$(if $(LIST),, $(IN_QUICK)))

IN_QUICK = --results build/quick/results --figures build/quick/figures
quick-figures: $(CLAIMS:%=build/quick/results/simt/%.jsonl)
	@$(call draw,$(CLAIMS:%=build/quick/figures/%.json),$(IN_QUICK))

build/readme: $(FIGURES) figures/agreement.json figures/model.json figures/paper.json $(OVERVIEW) $(FURTHER) \
    $(call recordings,suites.csv) paper/readme.md README.md
	@$(call analysis,--readme)
	@$(if $(LIST),:,touch $@)

# What the paper alone shows: its traces are counted with the claims.
figures/paper.json: $(FIGURES) figures/agreement.json figures/model.json $(call recordings,metrics.csv hazards.csv peers.csv log.csv) $(SHARED_ANALYSIS)
	@$(call analysis,--paper-figures)

# Paper and supplement show the recorded times: they depend on nothing that this machine measured.
$(PAPERS) &: $(FIGURES) $(OVERVIEW) $(FURTHER) figures/agreement.json figures/log.json figures/model.json figures/paper.json \
    $(call recordings,mutants.csv seconds.csv hazards.csv suites.csv samples.csv samples.findings.csv generations.csv fuzz.csv) \
    $(call recordings,samples.launches.csv samples.counters.csv planted.csv bench.csv) simt/test/suites.csv simt/test/museum/exhibits.csv $(wildcard simt/test/fuzz/compiler/*) $(wildcard kernels/textbook/block/*.cuh kernels/fast/detail/*.cuh) \
    $(filter-out paper/local.typ paper/page/% paper/test/% %.pdf %.html,$(wildcard paper/*.* paper/*/*.*))
	@$(call analysis,--paper)

# What this machine measured, beside what is recorded.
$(HERE): $(LOCAL) $(COUNTED) $(wildcard results/simt/seconds.csv paper/local.typ paper/supplement/*.typ)
	@$(call analysis,--here)

# Its traces are committed.
.PRECIOUS: $(TRACED)

$(PAGE): $(COUNTED) $(TRACED) $(FIGURES) $(OVERVIEW) figures/agreement.json figures/log.json \
    $(wildcard figures/model.json analysis/report/page/*.py paper/page/* paper/page/*/*)
	@$(call analysis,--page)

# --- Other architectures ----------------------------------------------------------------------------

# Each claim is compiled for all of them at once, and for sm_90. If nvcc fails, experiments/<claim>.log says why; then,
# or if the machine stops, sm_<n>/<claim>.why has that in place of the counts, sm_<n>/<claim>.jsonl.
in-generations = MAKEFLAGS= ninja -C build/generations

# $(call left,done,all): how long the rest takes if it goes on as since $start.
left = about $$(( (EPOCHSECONDS - start) * ($(2) - $(1)) / $(1) / 60 + 1 )) min left

generations-built: setup complete
	@trap 'exit 130' INT TERM; start=$$EPOCHSECONDS; \
	    $(call configure,build/generations,$(subst $() ,;,$(OTHER_ARCHS) 90)); \
	    rm -f build/generations/experiments/*.log; \
	    NINJA_STATUS='%f %t ' $(in-generations) -k 0 $(CLAIMS:%=counted_%) | $(WITHOUT_NINJA) -e '/^ptxas warning/d' | \
	    while read -r k all what; do \
	        [ "$$k$$all" -gt 0 ] 2> /dev/null || { echo "$$k $$all $$what"; continue; }; \
	        echo "build     $$k of $$all, $(call left,k,all): $$what"; done || \
	    for claim in $(CLAIMS); do made=build/generations/experiments/$$claim; \
	        if $(in-generations) experiment_$$claim > $$made.new; then rm $$made.new; \
	        else rm -f $$made; mv $$made.new $$made.log; fi; done

$(CLAIMS:%=build/generations/experiments/%):
	@:

generations-counted:
	@todo=$$($(MAKE) -s LIST=1 PREPARED=1 $(GENERATIONS)) || exit; \
	    start=$$EPOCHSECONDS $(MAKE) -s --jobs=2 IN_PARALLEL=1 PREPARED=1 TODO="$$(echo $$todo)" build/generations/compared

$(GENERATIONS): build/generations/sm_%.counted: build/generations/experiments/$$(notdir $$*) $(MACHINE)
	@$(if $(LIST),echo $@; exit;) trap 'exit 130' INT TERM; mkdir -p $(@D); rm -f $(basename $@).*; \
	    k=$$(printf '%s\n' $(TODO) | grep -nxF $@ | cut -d: -f1); \
	    echo "count     $(<F) in the code of sm_$(*D) ($$k of $(words $(TODO)), $(call left,k,$(words $(TODO))))"; \
	    log=$(basename $@).log; if [ -e $< ]; then \
	        { $(call count,$(<F),$(@D),,$(*D),build/generations); } > $$log 2>&1 || true; else cp $<.log $$log; fi; \
	    [ -e $(basename $@).jsonl ] && rm $$log || mv $$log $(basename $@).why; \
	    touch $@

# Made by make generations alone: make all takes the table as it is committed.
build/generations/compared: $(GENERATIONS) $(COUNTED) $(SHARED_ANALYSIS) $(wildcard experiments/*/*/analysis.py)
	@$(PYTHON) -m analysis --generations
	@touch $@
