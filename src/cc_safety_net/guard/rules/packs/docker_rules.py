"""Texts of the rules about containers and virtual machines."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "docker.prune",
        reason="It deletes volumes, or everything unused, with the data in them.",
        instead="{look}",
        do_not="delete the volumes one by one, or through the API.",
        intent="manual_only",
        pack="docker",
        denied=(
            "docker system prune -af --volumes",
            "docker volume rm v",
            "docker compose down -v",
            "docker rm -v c",
        ),
        allowed=(
            "docker image prune",
            "docker builder prune",
            "docker compose down",
            "docker compose -f docker-compose.test.yml down -v",
            "docker system prune -af",
        ),
    ),
    Rule(
        "docker.container-remove-force",
        reason="It kills a running container and deletes what only it holds.",
        instead="{program} stop {name}",
        do_not="kill the container first to remove it then.",
        intent="use_alternative",
        level="strict",
        pack="docker",
        denied=("docker rm -f c", "docker container rm --force c"),
        allowed=("docker stop c", "docker rm c"),
    ),
    Rule(
        "docker.swarm-remove",
        reason="It takes running services away.",
        instead="{look}",
        do_not="remove the services one by one instead.",
        intent="manual_only",
        pack="docker",
        denied=("docker stack rm s", "docker service rm s", "docker swarm leave --force"),
        allowed=("docker stack ls", "docker service ls"),
    ),
    Rule(
        "docker.vm-destroy",
        reason="It deletes a virtual machine with its disks.",
        instead="{look}",
        do_not="delete the machine's files instead.",
        intent="manual_only",
        pack="docker",
        denied=("vagrant destroy -f", "multipass purge", "podman machine rm"),
        allowed=("vagrant halt", "vagrant status"),
    ),
)
