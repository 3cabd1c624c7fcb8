"""Texts of the rules about repositories, releases and packages."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "publish.repository-delete",
        reason="It deletes, archives or opens up a repository.",
        instead="{look}",
        do_not="reach the same by the API or the web.",
        intent="manual_only",
        pack="publish",
        denied=(
            "gh repo delete x --yes",
            "gh repo archive x",
            "gh api -X DELETE repos/o/r",
            "gh repo edit --visibility public",
        ),
        allowed=("gh repo view", "gh pr merge 7 --squash --delete-branch"),
    ),
    Rule(
        "publish.artifact-delete",
        reason="It deletes what others may rely on.",
        instead="{look}",
        do_not="reach the same by the API.",
        intent="manual_only",
        pack="publish",
        denied=("gh release delete v1", "gh secret delete S", "gh run delete 1"),
        allowed=("gh release view v1", "gh release list"),
    ),
    Rule(
        "publish.unpublish",
        reason="It takes a package away from those who use it.",
        instead="{look}",
        do_not="reach the same by the registry's API.",
        intent="manual_only",
        pack="publish",
        denied=("npm unpublish x --force", "gem yank x -v 1", "npm owner rm u x"),
        allowed=("npm deprecate x@1 old", "npm view x"),
    ),
    Rule(
        "publish.release",
        reason="It publishes a package for everybody; it can't be taken back.",
        instead="{look}",
        do_not="publish by another tool.",
        intent="manual_only",
        level="strict",
        pack="publish",
        denied=("npm publish", "cargo publish", "twine upload dist/x.whl"),
        allowed=("npm pack", "npm publish --dry-run"),
    ),
)
