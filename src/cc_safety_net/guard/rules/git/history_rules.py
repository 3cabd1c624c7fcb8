"""Texts of the rules about stash, reflog, unreachable objects and states in progress."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

_GIT_DIRECTORY = "delete the same data below .git."

RULES: tuple[Rule, ...] = (
    Rule(
        "git.stash-drop",
        reason="It deletes a stash entry, which may be the only copy of that work.",
        instead="{git} stash apply {entry} && {git} stash drop {entry}",
        do_not="clear the stash or delete its ref.",
        intent="use_alternative",
        denied=("git stash drop", "git stash drop stash@{1}"),
        allowed=("git stash pop", "git stash apply && git stash drop", "git stash drop --help"),
    ),
    Rule(
        "git.stash-clear",
        reason="It deletes all stash entries, which may be the only copies of that work.",
        instead="{git} stash list",
        do_not="drop the entries one by one or delete the stash ref.",
        intent="manual_only",
        denied=("git stash clear", "git -C src stash clear"),
        allowed=("git stash list", "git stash push -u -m clear"),
    ),
    Rule(
        "git.reflog-delete",
        reason="It deletes the record by which lost commits can be found again.",
        instead="{git} reflog",
        do_not=_GIT_DIRECTORY,
        intent="manual_only",
        denied=("git reflog delete HEAD@{1}", "git reflog delete --rewrite HEAD@{0}"),
        allowed=("git reflog", "git reflog show main"),
    ),
    Rule(
        "git.reflog-expire",
        reason="It deletes the record by which lost commits can be found again.",
        instead="{git} reflog",
        do_not=_GIT_DIRECTORY,
        intent="manual_only",
        denied=(
            "git reflog expire --expire=now --all",
            "git reflog expire --expire-unreachable=all --all",
        ),
        allowed=("git reflog expire --expire=90.days.ago --all", "git reflog"),
    ),
    Rule(
        "git.gc-prune",
        reason="It deletes the objects of lost commits at once; nothing brings them back.",
        instead="{git} gc",
        do_not=_GIT_DIRECTORY,
        intent="manual_only",
        denied=("git gc --prune=now", "git prune", "git gc --aggressive --prune=all"),
        allowed=("git gc", "git gc --auto", "git prune -n"),
    ),
    Rule(
        "git.history-rewrite",
        reason="It rewrites every commit: all clones and all branches built on them break.",
        instead="{git} log --oneline",
        do_not="rewrite the history by rebase, replace or fast-import instead.",
        intent="manual_only",
        denied=(
            "git filter-branch --tree-filter 'rm -f x' HEAD",
            "git filter-repo --path src",
            "bfg --delete-files x.bin",
        ),
        allowed=("git log", "git filter-repo --analyze"),
    ),
    Rule(
        "git.rebase-abort",
        reason="It throws away the conflict resolutions made so far.",
        instead="{git} rebase --quit",
        do_not="reset the branch instead.",
        intent="use_alternative",
        level="strict",
        denied=("git rebase --abort", "git -C src rebase --abort"),
        allowed=("git rebase --continue", "git rebase --skip"),
    ),
    Rule(
        "git.merge-abort",
        reason="It throws away the conflict resolutions made so far.",
        instead="{git} merge --quit",
        do_not="reset the branch instead.",
        intent="use_alternative",
        level="strict",
        denied=("git merge --abort", "git merge --abo"),
        allowed=("git merge --continue", "git merge --quit"),
    ),
    Rule(
        "git.sequence-abort",
        reason="It throws away the conflict resolutions made so far.",
        instead="{git} {command} --quit",
        do_not="reset the branch instead.",
        intent="use_alternative",
        level="strict",
        denied=("git cherry-pick --abort", "git am --abort", "git revert --abort"),
        allowed=("git cherry-pick --quit", "git am --skip"),
    ),
)
