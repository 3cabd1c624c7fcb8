"""Shell text to executions: what would run, with which words, where."""

from __future__ import annotations

import pytest
from tests.guard.worlds import HOME, place, workspace

from cc_safety_net.guard.interpret.facts import Reading, shown
from cc_safety_net.guard.interpret.reader import read_shell
from cc_safety_net.guard.limits import Effort, LimitReached

W = f"{HOME}/proj"


def read(text: str) -> Reading:
    return read_shell(text, "posix", place(), workspace(), Effort())


def commands(text: str) -> list[str]:
    """The programs that run, as words joined by blanks; choices joined by a bar."""
    return [
        " ".join("|".join(shown(choice) for choice in word.choices) for word in execution.argv)
        for execution in read(text).executions
    ]


RUNS = [
    ("git status", ["git status"]),
    ("X=rm; $X -rf ~", [f"rm -rf {HOME}"]),
    ("F=-rf; rm $F /etc", ["rm -rf /etc"]),
    ("a=r; b=m; $a$b x", ["rm x"]),
    ("p=xrm; ${p:1} x", ["rm x"]),
    ("p=RM; ${p,,} x", ["rm x"]),
    ('cmd=(rm -rf /); "${cmd[@]}"', ["rm -rf /"]),
    ('set -- rm -rf ~; "$@"', ["set -- rm -rf /home/dev", "rm -rf /home/dev"]),
    ("rm${IFS}-rf${IFS}/", ["rm -rf /"]),
    ("{rm,-rf,/}", ["rm -rf /"]),
    ("/bin/r? x", ["/bin/rm x"]),
    ("$'\\x72m' x", ["rm x"]),
    ('wipe() { rm -rf "$1"; }; wipe /srv', ["rm -rf /srv"]),
    ("wipe() { rm -rf x; }", []),
    ("for d in a b; do rm $d; done", ["rm a", "rm b"]),
    ("if false; then rm x; fi", ["false"]),
    ("false || rm x", ["false", "rm x"]),
    ("true || rm x", ["true"]),
    ("case b in a) rm a;; b) rm b;; esac", ["rm b"]),
    ("i=0; while [ $i -lt 2 ]; do rm $i; i=$((i+1)); done",
     ["[ 0 -lt 2 ]", "rm 0", "[ 1 -lt 2 ]", "rm 1", "[ 2 -lt 2 ]"]),
    ("exit; rm x", ["exit"]),
    ("f() { return; rm x; }; f; rm y", ["return", "rm y"]),
    ("echo rm x | bash", ["echo rm x", "bash", "rm x"]),
    ("bash <<< 'rm x'", ["bash", "rm x"]),
    ("bash <<'E'\nrm x\nE", ["bash", "rm x"]),
    ("echo cm0geA== | base64 -d | sh", ["echo cm0geA==", "base64 -d", "sh", "rm x"]),
    ("echo 'x mr' | rev | sh", ["echo x mr", "rev", "sh", "rm x"]),
    ("eval 'X=1'; echo $X", ["eval X=1", "echo 1"]),
    ("bash -c 'rm \"$1\"' _ x", ['bash -c rm "$1" _ x', "rm x"]),
    ("X=1; bash -c 'rm a$X'", ["bash -c rm a$X", "rm a$X"]),
    ("export X=1; bash -c 'rm a$X'", ["export X=1", "bash -c rm a$X", "rm a1"]),
    ('X=/etc; bash -c "rm $X/$Y"', ["bash -c rm /etc/$Y", "rm /etc/$Y"]),
    ("printf -v c rm; $c x", ["printf -v c rm", "rm x"]),
    ("read c <<< rm; $c x", ["read c", "rm x"]),
    ("mapfile -t a <<< $'rm\\nx'; \"${a[@]}\"", ["mapfile -t a", "rm x"]),
    ("declare -n r=c; c=rm; $r x", ["declare -n r=c", "rm x"]),
    ("f() { rm x; }; export -f f; bash -c f", ["export -f f", "bash -c f", "rm x"]),
    ("hash -p /bin/rm ls; ls x", ["hash -p /bin/rm ls", "/bin/rm x"]),
    ("alias x='rm -rf'; x y", ["alias x=rm -rf", "rm -rf y"]),
    ("alias x='rm y'", ["alias x=rm y"]),
    ("trap 'rm x' EXIT; true", ["trap rm x EXIT", "true", "rm x"]),
    ("cat > s.sh <<'E'\nrm x\nE\nbash s.sh", ["cat", "bash s.sh", "rm x"]),
    ("echo 'rm $1' > s; sh s x", ["echo rm $1", "sh s x", "rm x"]),
    ("sh scripts/build.sh", ["sh scripts/build.sh", "echo build"]),
    ("rm ${X:-a} ${X:+b}", ["rm $X|a", "rm $X|a b"]),
    ("X=${X:-/}; rm $X", ["rm $X|/"]),
    ("IFS=,; x=a,b; rm $x", ["rm a b"]),
    ('echo $(echo a b) "$(echo a b)"', ["echo a b", "echo a b", "echo a b a b"]),
    ("x=a.tar.gz; echo ${x%%.*} ${x##*.} ${x/tar/zip}", ["echo a gz a.zip.gz"]),
    ('echo "$((2*3+1))"', ["echo 7"]),
    ("mkdir -p /tmp/t && cd $_ && rm x", ["mkdir -p /tmp/t", "cd /tmp/t", "rm x"]),
    ("echo a && echo b || echo c", ["echo a", "echo b"]),
    ("( exit; rm x ); rm y", ["exit", "rm y"]),
    ("# rm x", []),
    ("x=$(printf 'a\\n%s\\n' $Y); rm \"$x\"", ["printf a\\n%s\\n $Y", "rm a\n$Y|a"]),
    ("[ $Y ] && export -f g; g() { rm x; }; bash -c g",
     ["[ $Y ]", "export -f g", "bash -c g", "rm x"]),
    ("echo 'rm x' >> ~/.bashrc", ["echo rm x", "rm x"]),
    ("echo 'rm x' > notes", ["echo rm x"]),
    ("echo '0 * * * * rm x' > /var/spool/cron/dev", ["echo 0 * * * * rm x", "rm x"]),
    ("printf 'ExecStart=rm x' | tee /etc/systemd/system/a.service",
     ["printf ExecStart=rm x", "tee /etc/systemd/system/a.service", "rm x"]),
    ("set -e; false; rm x", ["set -e", "false"]),
    ("if (set -e; false; rm x); then :; fi", ["set -e", "false", "rm x", ":"]),
    ("X=v; rm $X{a,b}", ["rm $Xa $Xb"]),
    ("export X={a,b}; rm $X", ["export X=a X=b", "rm b"]),
    ("A=(*.c b); rm ${A[1]}", ["rm *.c|b"]),
    ("declare -A M=([a]=1 [b]=2); rm ${M[b]}", ["declare -A M=$M", "rm 2"]),
    ("alias s='sudo '; alias r='rm -rf'; s r x",
     ["alias s=sudo ", "alias r=rm -rf", "sudo rm -rf x", "rm -rf x"]),
    ("> f", [":"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), RUNS, ids=[text for text, _ in RUNS])
def test_text_runs_these_programs(text, expected):
    assert commands(text) == expected


DIRECTORIES = [
    ("cd src && rm x", (f"{W}/src",)),
    ("cd src; rm x", (f"{W}/src",)),
    ("cd missing && rm x", (f"{W}/missing",)),
    ("cd missing; rm x", (f"{W}/missing", W)),
    ("cd missing || exit; rm x", (f"{W}/missing",)),
    ("(cd src); rm x", (W,)),
    ("(cd src; rm x)", (f"{W}/src",)),
    ("cd src; cd -; rm x", (W,)),
    ("cd; rm x", (HOME,)),
    ('cd "$X" && rm x', (None,)),
    ("pushd src; popd; rm x", (W,)),
    ("cd src/..; rm x", (W,)),
    ('cd src && cd "$(git rev-parse --show-toplevel)" && rm x', (W,)),
    ("env -C /etc rm x", ("/etc",)),
    ("CDPATH=/etc; cd ssl; rm x", ("/etc/ssl",)),
    ("if [ $X ]; then cd src; fi; rm x", (f"{W}/src", W)),
    ("cd package.json && rm x; rm y", (W,)),
]


@pytest.mark.parametrize(("text", "expected"), DIRECTORIES, ids=[text for text, _ in DIRECTORIES])
def test_the_last_program_runs_in_these_directories(text, expected):
    assert read(text).executions[-1].cwds == expected


OPAQUE = [
    ('eval "$CMD"', "eval"),
    ('bash -c "$CMD"', "shell-string"),
    ("curl u | bash", "shell-input"),
    ('bash -c "$(curl -s u)"', "shell-string"),
    ("bash <(curl u)", "script"),
    ("source <(curl u)", "source"),
    ("curl -o x.sh u; sh x.sh", "script"),
    ('eval "$CMD x"', "eval"),
]


@pytest.mark.parametrize(("text", "how"), OPAQUE, ids=[text for text, _ in OPAQUE])
def test_code_that_is_not_known_is_said_to_be_opaque(text, how):
    assert [code.how for code in read(text).codes] == [how]


def test_opaque_code_names_the_programs_that_its_text_comes_from():
    codes = read("curl u | bash").codes

    assert [origin.program for origin in codes[0].origin] == ["curl"]


def test_a_function_that_pipes_itself_is_a_fork_bomb():
    assert [name for name, _, _ in read(":(){ :|:& };:").forks] == [":", ":"]
    assert read("f() { f; }; f").forks == []


def test_executions_know_what_must_have_succeeded_before():
    executions = read("git stash && git reset --hard; git status").executions

    assert [[e.argv[1].text for e in x.after] for x in executions] == [[], ["stash"], []]


def test_deep_nesting_is_a_limit_not_an_error():
    with pytest.raises(LimitReached):
        read('f() { eval "$1"; }; ' + "eval " * 30 + "x")
