"""awk programs: the commands that they run and the files that they open."""

from __future__ import annotations

import pytest
from tests.guard.interpret.projects import project, rule
from tests.guard.worlds import place

from cc_safety_net.guard.interpret.reader import read_shell
from cc_safety_net.guard.limits import Effort

SYSTEM = "rm.system-path"
DYNAMIC = "awk.system-dynamic"


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ('BEGIN{system("rm -rf /etc")}', SYSTEM),
        ('BEGIN{ system( "rm " "-rf" " /etc" ) }', SYSTEM),
        ('BEGIN{c = "rm -rf /etc"; system(c)}', SYSTEM),
        ('BEGIN{system(sprintf("rm -rf /%s", "etc"))}', SYSTEM),
        ('BEGIN{if (x) system("rm -rf /etc"); else print 1}', SYSTEM),
        ('BEGIN{r = system("rm -rf /etc")}', SYSTEM),
        ('{print | "rm -rf /etc"}', SYSTEM),
        ('{print $1 |& "rm -rf /etc"}', SYSTEM),
        ('BEGIN{print "rm -rf /etc" | "sh"}', SYSTEM),
        ('BEGIN{printf "rm -rf /%s\\n", "etc" | "/bin/bash"}', SYSTEM),
        ('BEGIN{print "/etc" | "xargs rm -rf"}', SYSTEM),
        ('BEGIN{"rm -rf /etc" | getline x}', SYSTEM),
        ('BEGIN{while (("rm -rf /etc" | getline line) > 0) print line}', SYSTEM),
        ('function f() { system("rm -rf /etc") }\n{f()}', SYSTEM),
        ('/x\\/"/ {system("rm -rf /etc")}', SYSTEM),
        ('{print "" > "/etc/passwd"}', "file.system-overwrite"),
        ('BEGIN{print "x" > ".git/config"}', "git.metadata-write"),
        ('BEGIN{system("git reset --hard")}', "git.reset-hard"),
        ('{system("rm -rf /usr/" $1)}', SYSTEM),
        ("{system($1)}", DYNAMIC),
        ('{system("echo " $1)}', DYNAMIC),
        ("{print $0 | $1}", DYNAMIC),
        ('{print "mv " $1 " x" | "sh"}', DYNAMIC),
        ("{cmd = $1; cmd | getline x}", DYNAMIC),
        ('{c = "a"; c = $2; system(c)}', DYNAMIC),
        ('BEGIN{print "rm -rf /etc"}', ""),
        ('# system("rm -rf /etc")\n{print}', ""),
        ("/system(.rm -rf .etc.)/ {print}", ""),
        ('{print "a" | "sort -u"}', ""),
        ('{print $1 | "sort | uniq -c"}', ""),
        ('BEGIN{system("date")}', ""),
        ('BEGIN{"date" | getline d; print d}', ""),
        ("$1 > 5 || $2 ~ /a|b/ {n++} END{print n}", ""),
        ("{print $1 > 2 ? 1 : 0}", ""),
        ('{print > "out.txt"}', ""),
        ('{print $1 > $2 ".txt"}', ""),
        ('{print "error" > "/dev/stderr"}', ""),
        ('BEGIN{print ENVIRON["HOME"]}', ""),
        ('BEGIN {FS = ":.*?## "}; {printf "%-20s %s\\n", $1, $2}', ""),
    ],
)
def test_a_program_is_judged_by_what_it_runs(program, expected):
    assert rule(f"awk '{program}' l", {}) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("awk -v c='rm -rf /etc' 'BEGIN{system(c)}'", SYSTEM),
        ("awk -f x.awk l", SYSTEM),
        ("gawk -e 'BEGIN{system(\"rm -rf /etc\")}'", SYSTEM),
        ("busybox awk 'BEGIN{system(\"rm -rf /etc\")}'", SYSTEM),
        ('D=/etc; awk "BEGIN{system(\\"rm -rf $D\\")}"', SYSTEM),
        ('awk "BEGIN{system(\\"rm -rf /usr/$X\\")}"', SYSTEM),
        ("awk -v n=$N '{print $n}' l", ""),
        ('awk "{print $1}" l', ""),
        ("awk -f missing.awk l", ""),
        ("seq 3 | awk '{print $1 * 2}'", ""),
    ],
)
def test_where_the_program_comes_from_does_not_matter(command, expected):
    files = {"x.awk": 'BEGIN {\n  system("rm -rf /etc")\n}\n'}

    assert rule(command, files) == expected


def test_a_command_made_from_data_is_refused_on_disk_from_strict():
    files = {"x.awk": "{system($1)}"}

    assert rule("awk -f x.awk l", files) == ""
    assert rule("awk -f x.awk l", files, "strict") == DYNAMIC
    assert rule("echo '{system($1)}' > y.awk; awk -f y.awk l", {}) == DYNAMIC


def _reading(command: str):
    return read_shell(command, "posix", place(), project({}), Effort())


def test_what_getline_reads_is_read():
    reading = _reading("awk 'BEGIN{while ((getline l < \".env\") > 0) print l}'")

    assert [(a.path.text, a.mode) for a in reading.accesses] == [(".env", "read")]


def test_a_program_that_shows_the_environment_prints_it():
    reading = _reading("awk 'BEGIN{for (k in ENVIRON) print k, ENVIRON[k]; print ENVIRON[\"A\"]}'")

    shown = [[word.text for word in e.argv] for e in reading.executions if e.program == "printenv"]
    assert ["printenv"] in shown
