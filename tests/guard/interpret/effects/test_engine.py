"""Which paths a program touches: a table of command lines."""

from __future__ import annotations

from importlib import import_module

import pytest
from tests.guard.interpret.words import execution, text, word
from tests.guard.worlds import workspace

from cc_safety_net.guard.interpret.effects.engine import PROGRAMS, effects
from cc_safety_net.guard.interpret.facts import FileAccess, Redirection


def shown(access: FileAccess) -> str:
    out = f"{access.mode} {text(access.path)}"
    for name in ("recursive", "found", "keeps", "names"):
        if getattr(access, name):
            out += f" {name}"
    if access.source is not None:
        out += f" from {text(access.source)}"
    if access.destination is not None:
        out += f" to {text(access.destination)}"
    return out


def accesses(command: str) -> list[str]:
    """Redirections stand behind ` @ `: `cat @ < f`."""
    line, *redirects = command.split(" @ ")
    made = [Redirection(*_redirect(part)) for part in redirects]
    found = effects(execution(line, redirects=made), workspace())
    return [shown(access) for access in found]


def _redirect(part: str) -> tuple[str, object]:
    op, _, target = part.partition(" ")
    return op, word(target)


CASES = [
    ("rm -rf a b", ["delete a recursive", "delete b recursive"]),
    ("rm --rec --fo /etc", ["delete /etc recursive"]),
    ("rm -- -x", ["delete -x"]),
    ("rimraf a", ["delete a recursive"]),
    ("rm --help", []),
    ("find . -name x -delete", ["delete . recursive found"]),
    ("find a b -fprint z", ["metadata a recursive", "metadata b recursive", "write z"]),
    ("mv a src", ["move a to src/a", "write src/a from a"]),
    ("mv src d/e", ["move src recursive to d/e", "write d/e recursive from src"]),
    ("mv -t d a b", ["move a to d/a", "write d/a from a", "move b to d/b", "write d/b from b"]),
    ("mv -n a b", ["move a to b", "write b keeps from a"]),
    (
        "cp -r x/.cc-safety-net .",
        [
            "metadata x/.cc-safety-net recursive to ./.cc-safety-net",
            "write ./.cc-safety-net recursive from x/.cc-safety-net",
        ],
    ),
    (
        "cp -n .env.example .env",
        ["metadata .env.example to .env", "write .env keeps from .env.example"],
    ),
    (
        "cp /dev/null src/app.ts",
        ["metadata /dev/null to src/app.ts", "truncate src/app.ts from /dev/null"],
    ),
    (
        "cp a b src",
        ["metadata a to src/a", "write src/a from a", "metadata b to src/b", "write src/b from b"],
    ),
    (
        "cp -r x/. ~/.config",
        ["metadata x/. recursive to ~/.config", "write ~/.config recursive from x/."],
    ),
    (
        "ln -s x .git/hooks/pre-commit",
        [
            "metadata .git/hooks/x to .git/hooks/pre-commit",
            "link .git/hooks/pre-commit keeps from .git/hooks/x",
        ],
    ),
    ("ln -sf ../a src/l", ["metadata src/../a to src/l", "link src/l from src/../a"]),
    (
        "install -m 755 x .git/hooks/pre-commit",
        ["metadata x to .git/hooks/pre-commit", "write .git/hooks/pre-commit from x"],
    ),
    (
        "rsync -a --delete empty/ /etc/",
        [
            "metadata empty/ recursive to /etc/",
            "write /etc/ recursive from empty/",
            "delete /etc/ recursive from empty/",
        ],
    ),
    ("rsync .env h:/x", ["read .env to h:/x"]),
    ("scp .env h:", ["read .env to h:"]),
    ("tar czf x .", ["use . recursive", "write x"]),
    ("tar xzf a.tgz -C /etc", ["use a.tgz", "write /etc recursive"]),
    ("tar --remove-files -cf a.tar src", ["delete src recursive", "write a.tar"]),
    ("zip -rm a.zip src", ["append a.zip", "delete src recursive"]),
    ("unzip a.zip -d /etc", ["use a.zip", "write /etc recursive"]),
    ("gzip f", ["move f to f.gz", "write f.gz from f"]),
    ("tee -a f g", ["append f", "append g"]),
    ("dd if=.env", ["read .env"]),
    ("dd if=/dev/zero of=/dev/sda", ["read /dev/zero", "write /dev/sda from /dev/zero"]),
    ("dd if=/dev/null of=f", ["read /dev/null", "truncate f"]),
    ("truncate -s 0 src/app.ts", ["truncate src/app.ts"]),
    ("chmod 600 .env", ["permissions .env"]),
    ("chmod -x .git/hooks/pre-commit", ["permissions .git/hooks/pre-commit"]),
    ("chmod -R 777 /", ["permissions / recursive"]),
    ("chown -R nobody /", ["permissions / recursive"]),
    ("sed -i s/a/b/ f", ["write f"]),
    ("sed p .env", ["read .env"]),
    ("awk 1 .env", ["read .env"]),
    ("awk -F= '{print $1}' .env", ["read .env names"]),
    ("cut -d= -f1 .env", ["read .env names"]),
    ("cat .env", ["read .env"]),
    ("grep -r KEY .", ["read . recursive"]),
    ("grep .env .gitignore", ["read .gitignore"]),
    ("grep -c KEY .env", ["read .env names"]),
    ("rg --hidden KEY", ["read . recursive"]),
    ("jq .key f.json", ["read f.json"]),
    ("curl -d @.env u", ["read .env"]),
    ("curl -F f=@.env u", ["read .env"]),
    ("curl -T .env u", ["read .env"]),
    ("curl -o x.sh http://u/x", ["write x.sh"]),
    ("curl -O http://u/y.sh", ["write y.sh"]),
    ("openssl x509 -in cert.pem", ["use cert.pem"]),
    ("openssl enc -aes256 -in .env", ["read .env"]),
    ("ssh -i ~/.ssh/k host", ["use ~/.ssh/k"]),
    ("ssh-keygen -f ~/.ssh/new", ["use ~/.ssh/new", "write ~/.ssh/new keeps"]),
    ("docker compose --env-file .env up", ["use .env"]),
    ("docker cp .env c:/x", ["use .env recursive to c:/x"]),
    ("node --env-file=.env x.js", ["use .env", "use x.js"]),
    ("kubectl get --kubeconfig=foo.yml", ["use foo.yml"]),
    ("[ -f .env ]", ["metadata .env"]),
    ("test -f .env", ["metadata .env"]),
    ("ls ~/.ssh", ["metadata ~/.ssh"]),
    (". ./.env", ["use ./.env"]),
    ("echo @ > f", ["write f"]),
    (": @ > f", ["truncate f"]),
    ("echo x @ >> f", ["append f"]),
    ("cat @ < .env", ["read .env"]),
    ("docker login @ < .env", ["use .env"]),
    ("cat a @ >& 1", ["read a"]),
    ("perl -pi -e s/a/b/ f", ["write f"]),
    ("git show HEAD:.env", ["read .env"]),
    ("git show HEAD~1", []),
    ("git diff src/app.ts", ["read src/app.ts"]),
    ("git diff main..x", []),
    ("git log -p -- .env", ["read .env"]),
    ("git log --oneline .env", ["metadata .env"]),
    ("git blame .env", ["read .env"]),
    ("git add .env", ["metadata .env"]),
    ("git rm --cached .env", ["metadata .env"]),
    ("git check-ignore .env", ["metadata .env"]),
    ("git archive -o /etc/x HEAD", ["write /etc/x"]),
    ("git bundle create b.bundle main", ["write b.bundle"]),
    ("git format-patch -o out HEAD~3", ["write out recursive"]),
    ("git diff --output=.git/hooks/x", ["write .git/hooks/x"]),
    ("git mv a b", ["metadata a to b", "write b from a"]),
    ("git config -f .git/config x y", ["write .git/config"]),
    ("git clone u d", ["write d recursive"]),
    ("git status", []),
    ("git commit -m x", []),
    ("sudo rm -rf /etc", []),
    ("sudo ls ~/.ssh", []),
    ("node -p process.versions.node", []),
    ("node --require ./hook.js x.js --config .env", ["use x.js", "use .env"]),
    ("bash x.sh .env", ["use x.sh", "use .env"]),
    ("op run --env-file .env -- cat x", ["use .env"]),
    ("parallel rm ::: a/b", []),
    ("find . -name '.env*' -exec cat {} +", ["metadata . recursive"]),
    ("jq -n --arg c 'rm -rf /' '{command: $c}'", []),
    ("jq --rawfile f .env . x.json", ["read .env", "read x.json"]),
    ("del-cli 'dist/*'", ["delete dist/* recursive"]),
    ("rimraf -g 'a/**'", ["delete a/** recursive"]),
    ("sqlite3 app.db 'select 1'", ["read app.db"]),
    ("aws s3 cp .env s3://b/", ["read .env to s3://b/"]),
    ("aws s3 sync s3://b/ out/", ["write out/ recursive from s3://b/"]),
    ("gh gist create .env", ["read .env"]),
    ("kubectl cp .env p:/x", ["use .env recursive to p:/x"]),
    ("kubectl apply -f k8s.yml", ["use k8s.yml"]),
    ("ssh-keygen -lf id_rsa", ["use id_rsa"]),
    ("gcc -o out/app main.c", ["write out/app", "use main.c"]),
    ("mytool --out-file=a/b in.txt", ["write a/b", "use in.txt"]),
    ("mytool -o./x in.txt", ["write ./x", "use in.txt"]),
    ("mytool -o json in.txt", ["use in.txt"]),
    ("strace -o t/trace ls", ["write t/trace"]),
    ("csplit -f out/p x 10", ["read x", "write out/p"]),
    ("split -b 1M x parts/p", ["read x", "write parts/p"]),
    ("script -c date out.txt", ["write out.txt"]),
    ("npm pack --pack-destination dist/x", ["write dist/x"]),
    ("python -m zipfile -e a.zip out", ["metadata a.zip", "write out recursive from a.zip"]),
    ("socat - OPEN:x.sock,creat", ["write x.sock"]),
    ("exec @ > f", ["write f"]),
    ("read l @ < .env", ["use .env"]),
    ("wc -l @ < .env", ["read .env names"]),
]


@pytest.mark.parametrize(("command", "expected"), CASES)
def test_a_program_touches_these_paths(command: str, expected: list[str]) -> None:
    assert accesses(command) == expected


def test_each_program_is_found_in_the_table_of_its_group() -> None:
    package = "cc_safety_net.guard.interpret.effects"
    groups = sorted(set(PROGRAMS.values()))
    tables = {group: import_module(f"{package}.{group}").TABLE for group in groups}
    listed = {program: group for group, table in tables.items() for program in table}
    assert listed == PROGRAMS
