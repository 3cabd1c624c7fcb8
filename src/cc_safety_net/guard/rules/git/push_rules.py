"""Texts of the rules about `git push`."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "git.push-force",
        reason="It overwrites the remote branch, whatever others have pushed to it meanwhile.",
        instead="{git} push --force-with-lease{arguments}",
        do_not="delete and push the branch anew, and do not use a + in front of the ref.",
        intent="use_alternative",
        denied=(
            "git push --force",
            "git push -uf origin main",
            "git push origin +main",
            "git push --force-with-lease --force",
        ),
        allowed=(
            "git push --force-with-lease",
            "git push --force-if-includes",
            "git push -u origin main",
            "git push --dry-run --force origin main",
        ),
    ),
    Rule(
        "git.push-delete",
        reason="It deletes a branch or tag of the remote, for everybody.",
        instead="{git} ls-remote {remote}",
        do_not="delete it by an API call or by pushing an empty ref.",
        intent="manual_only",
        denied=("git push origin :x", "git push --delete origin x", "git push -d origin x"),
        allowed=("git push origin x", "git push origin :"),
    ),
    Rule(
        "git.push-mirror",
        reason="It makes the remote equal to this clone: what is only there is deleted.",
        instead="{git} push --all {remote}",
        do_not="reach the same by --prune, --force or deleting refs one by one.",
        intent="manual_only",
        denied=("git push --mirror", "git push --mirror origin"),
        allowed=("git push --all", "git clone --mirror u"),
    ),
    Rule(
        "git.push-prune",
        reason="It deletes the remote's branches that this clone does not have.",
        instead="{git} push --all {remote}",
        do_not="delete the branches one by one instead.",
        intent="manual_only",
        denied=("git push --prune origin", "git push --prune origin 'refs/heads/*'"),
        allowed=("git fetch --prune", "git push --all"),
    ),
)
