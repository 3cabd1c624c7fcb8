"""Commands for other machines and boxes keep their scope and their mounts."""

from __future__ import annotations

import pytest
from tests.guard.interpret.words import execution
from tests.guard.interpret.wrappers.shapes import shapes

from cc_safety_net.guard.interpret.facts import Scope

CASES = [
    ("ssh -p 2222 -i k web1 rm -rf /srv/app", ["ssh: text rm -rf /srv/app in $? @remote web1"]),
    ("ssh h 'rm -rf /'", ["ssh: text rm -rf / in $? @remote h"]),
    ("ssh h", ["ssh: stdin shell in $? @remote h"]),
    ("ssh -N h", []),
    (
        "ssh -o ProxyCommand='nc %h' h uptime",
        ["ssh -o proxycommand: text nc %h", "ssh: text uptime in $? @remote h"],
    ),
    ("ssh h -p 2 ls", ["ssh: text ls in $? @remote h"]),
    ("mosh h -- rm -rf x", ["mosh: argv rm -rf x in $? @remote h"]),
    ("sshpass -p x ssh h rm", ["sshpass: argv ssh h rm"]),
    ("vagrant ssh -c 'rm -rf /'", ["vagrant ssh -c: text rm -rf / in $? @remote"]),
    ("docker exec -it db rm -rf /var", ["docker exec: argv rm -rf /var in $? @box db"]),
    (
        "docker run --rm -v /:/host alpine rm -rf /host/home",
        ["docker run: argv rm -rf /host/home in $? @fresh alpine /host=/"],
    ),
    (
        "docker run -v ./x:/src -w /src node:20 npm test",
        ["docker run: argv npm test in /src @fresh node:20 /src=/home/dev/proj/x"],
    ),
    (
        "docker run -v data:/d alpine rm -rf /d",
        ["docker run: argv rm -rf /d in $? @fresh alpine /d="],
    ),
    (
        "docker run --mount type=bind,src=./x,target=/y img rm /y",
        ["docker run: argv rm /y in $? @fresh img /y=/home/dev/proj/x"],
    ),
    (
        "docker run --entrypoint rm -v .:/w img -rf /w",
        ["docker run: argv rm -rf /w in $? @fresh img /w=/home/dev/proj"],
    ),
    (
        "docker compose -f a.yml exec web rm -rf /x",
        ["docker compose exec: argv rm -rf /x in $? @box web"],
    ),
    ("docker ps -a", []),
    (
        "kubectl -n a exec -it p -c c -- rm -rf /data",
        ["kubectl exec: argv rm -rf /data in $? @box p"],
    ),
    ("kubectl exec p sh", ["kubectl exec: argv sh in $? @box p"]),
    ("kubectl debug n -it --image=x -- rm", ["kubectl debug: argv rm in $? @box n"]),
    ("kubectl delete pod x", []),
    (
        "gcloud compute ssh vm --zone z --command 'rm'",
        ["gcloud compute ssh --command: text rm in $? @remote"],
    ),
    (
        "aws ssm send-command --parameters 'commands=[\"rm -rf /\"]'",
        ["aws ssm send-command: text rm -rf / in $? @remote"],
    ),
    (
        'aws ssm send-command --parameters \'{"commands": ["a", "b"]}\'',
        [
            "aws ssm send-command: text a in $? @remote",
            "aws ssm send-command: text b in $? @remote",
        ],
    ),
    (
        "az vm run-command invoke -g g --scripts 'rm' 'ls'",
        ["az run-command: text rm in $? @remote", "az run-command: text ls in $? @remote"],
    ),
    ("fly ssh console -a x -C 'rm'", ["fly ssh console -C: text rm in $? @remote"]),
    ("heroku run rm -a x", ["heroku run: text rm -a x in $? @remote"]),
    ("adb shell rm -rf /sdcard", ["adb shell: text rm -rf /sdcard in $? @remote"]),
    ("wsl rm -rf /etc", ["wsl: argv rm -rf /etc in $? @box wsl /mnt/c=/mnt/c /mnt/d=/mnt/d"]),
    ("wsl -e rm x", ["wsl: argv rm x in $? @box wsl /mnt/c=/mnt/c /mnt/d=/mnt/d"]),
    ("devcontainer exec --workspace-folder . rm x", ["devcontainer exec: argv rm x in $? @box"]),
    ("distrobox enter b -- rm x", ["distrobox enter: argv rm x in $? @box b"]),
]


@pytest.mark.parametrize(("command", "expected"), CASES)
def test_a_remote_command_is_handed_on_with_its_scope(command: str, expected: list[str]) -> None:
    assert shapes(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("bash /w/x.sh", ["script /w/x.sh: file shell /home/dev/proj/x.sh"]),
        ("bash /other/x.sh", []),
        ("./x.sh", ["script ./x.sh: file executable /home/dev/proj/sub/x.sh"]),
    ],
)
def test_in_a_box_only_scripts_below_a_mount_are_ours(command: str, expected: list[str]) -> None:
    inside = execution(command, cwd="/w/sub")
    inside.scope = Scope("fresh", "img", (("/w", "/home/dev/proj"),))
    assert shapes(inside) == expected
