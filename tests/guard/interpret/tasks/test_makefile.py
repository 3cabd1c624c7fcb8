"""Makefiles: the recipes of the asked targets, with make's variables and functions."""

from __future__ import annotations

import pytest
from tests.guard.interpret.projects import rule

SYSTEM = "rm.system-path"
_MAKEFILE = r"""
SHELL := /bin/bash
BUILD ?= build
OBJ = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/*.c))
VERSION := $(shell git describe --tags)
ROOT := $(shell pwd)
.PHONY: all clean test evil
all: $(OBJ) ## build everything
	@echo done
$(BUILD)/%.o: src/%.c | $(BUILD)
	$(CC) $(CFLAGS) -c $< -o $@
$(BUILD):
	mkdir -p $@
test: all
	./run-tests --all
clean:
	-$(RM) -r $(BUILD) dist *.o
	rm -rf $(ROOT)/tmp
	for d in a b; do \
	rm -rf $$d; \
	done
help:
	@grep -E '^[a-zA-Z_-]+:.*?## ' $(MAKEFILE_LIST) | awk 'BEGIN {FS = ":.*?## "}; {print $$1}'
deep: sub
	@echo deep
sub:
	$(MAKE) -C subdir evil
evil: D = /etc
evil: other
	rm -rf $(D)
other:
ifeq ($(KIND),)
	echo other
else
	echo $(KIND)
endif
undefined:
	rm -rf $(UNDEFINED)/*
define RUN
rm -rf $(1)
endef
called:
	$(call RUN,/etc)
%.gone: ; rm -rf /$*
"""
_FILES = {"Makefile": _MAKEFILE, "subdir/Makefile": "evil:\n\trm -rf /etc\n"}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("make", ""),
        ("make clean all -j4", ""),
        ("make test", ""),
        ("make help", ""),
        ("make other", ""),
        ("make nothing", ""),
        ("make -n evil", ""),
        ("make --dry-run evil", ""),
        ("make evil", SYSTEM),
        ("make clean evil", SYSTEM),
        ("make deep", SYSTEM),
        ("make -C subdir evil", SYSTEM),
        ("make -C subdir", SYSTEM),
        ("cd subdir && make", SYSTEM),
        ("make -f subdir/Makefile", SYSTEM),
        ("make undefined", "rm.possibly-empty-prefix"),
        ("make called", SYSTEM),
        ("make etc.gone", SYSTEM),
        ("make clean BUILD=/etc", SYSTEM),
        ("BUILD=/etc make clean", SYSTEM),
        ("gmake SHELL=/bin/sh evil", SYSTEM),
    ],
)
def test_only_what_a_target_runs_is_judged(command, expected):
    assert rule(command, _FILES) == expected


@pytest.mark.parametrize(
    "text",
    [
        "include x.mk\nall: ; $(CMD)\n",
        "X := $(shell rm -rf /etc)\nall:\n\techo\n",
        "X != rm -rf /etc\nall:\n\techo\n",
        "$(shell rm -rf /etc)\nall:\n\techo\n",
        ".ONESHELL:\nall:\n\tcd /etc\n\trm -rf ssl\n",
        "all: $(addsuffix .t,a b)\n%.t:\n\t$(if $(filter a,$*),rm -rf /etc,true)\n",
        "all: a.o\na.o: a.c\n\trm -rf $(<:a.c=/etc)\n",
        "D := /\nD += etc\nall:\n\trm -rf $(subst $() ,,$(strip $(D)))/../etc\n",
        "ifdef UNKNOWN\nD = build\nelse\nD = /etc\nendif\nall:\n\trm -rf $(D)\n",
        "all: a b\na b:\n\trm -rf $(foreach d,e f,/$(d)tc)\n",
        "define LINES\nx:\n\trm -rf /etc\nendef\n$(eval $(LINES))\nall: x\n",
        "t = all\n$(t): ; @-rm -rf /etc\n",
        ".DEFAULT_GOAL := z\nall:\n\techo\nz:\n\trm -rf /etc\n",
        "all::\n\techo\nall::\n\trm -rf /etc\n",
        ".RECIPEPREFIX = >\nall:\n> rm -rf /etc\n",
        "objs = a.o\n$(objs): %.o: %.c\n\trm -rf /$(subst a,etc,$*)\nall2: $(objs)\n",
        "all:\n\trm -rf \\\n\t  /etc\n",
        "export D = /etc\nall:\n\trm -rf $$D /etc\n",
    ],
)
def test_make_expands_as_make_does(text):
    assert rule("make", {"Makefile": text, "x.mk": "CMD = rm -rf /etc\n"}) == SYSTEM


@pytest.mark.parametrize(
    "text",
    [
        "X = $(shell rm -rf /etc)\nall:\n\techo\n",
        "all:\n\tcd /etc\n\trm -rf build\n",
        "# rm -rf /etc\nall:\n\t# rm -rf /etc\n\techo 'rm -rf /etc'\n",
        "ifeq (a,b)\nX := $(shell rm -rf /etc)\nendif\nall:\n\techo\n",
        "all:\n\techo\nclean:\n\trm -rf /etc\n",
        "a: a\n\techo $(X)\nX = $(X)\n",
        "all:\n\t$(error stop)\n",
        "",
    ],
)
def test_what_make_does_not_run_passes(text):
    assert rule("make", {"Makefile": text}) == ""


@pytest.mark.parametrize(
    "command",
    [
        "make -f - <<'X'\nx:\n\trm -rf /etc\nX",
        "printf 'a:\\n\\techo\\nx:\\n\\trm -rf /etc\\n' | make -f - x",
    ],
)
def test_a_makefile_on_standard_input_is_read(command):
    assert rule(command, {}) == SYSTEM


def test_lines_of_eval_come_before_the_file():
    assert rule("make --eval 'x: ; rm -rf /etc' x", {}) == SYSTEM
    assert rule("make --eval 'D = /etc'", {"Makefile": "all:\n\trm -rf $(D)\n"}) == SYSTEM


def test_a_later_recipe_takes_the_place_of_an_earlier_one():
    assert rule("make", {"Makefile": "a:\n\trm -rf /etc\na:\n\techo\n"}) == ""
    assert rule("make", {"Makefile": "a:\n\techo\na:\n\trm -rf /etc\n"}) == SYSTEM
