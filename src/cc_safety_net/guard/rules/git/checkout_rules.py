"""Texts of the rules about `git checkout` and `git switch`."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

_DO_NOT = "overwrite the same files by restore, reset, show with a redirect or cp."

RULES: tuple[Rule, ...] = (
    Rule(
        "git.checkout-force",
        reason="It switches by throwing away every uncommitted change that is in the way.",
        instead="{git} stash push{then}",
        do_not="force the switch by reset, clean or git switch instead.",
        intent="use_alternative",
        denied=("git checkout -f main", "git checkout --force", "git checkout -qf x"),
        allowed=("git checkout main", "git checkout -b topic"),
    ),
    Rule(
        "git.checkout-double-dash",
        reason="It overwrites the named files from the index; their edits are lost.",
        instead="{saving}",
        do_not=_DO_NOT,
        intent="use_alternative",
        denied=("git checkout .", "git checkout -- f", "git checkout f", "git checkout '*.ts'"),
        allowed=(
            "git checkout -p",
            "git checkout main",
            "git checkout feature/x",
            "git checkout -- package-lock.json",
            "git stash && git checkout .",
        ),
    ),
    Rule(
        "git.checkout-ref-path",
        reason="It overwrites the named files with another commit's version; edits are lost.",
        instead="{saving}",
        do_not=_DO_NOT,
        intent="use_alternative",
        denied=("git checkout HEAD -- f", "git checkout x -- src"),
        allowed=("git show HEAD:f", "git checkout main --", "git checkout x -- yarn.lock"),
    ),
    Rule(
        "git.checkout-pathspec-from-file",
        reason="It overwrites every file of a list; their edits are lost.",
        instead="{git} stash push --pathspec-from-file={file}",
        do_not=_DO_NOT,
        intent="use_alternative",
        denied=(
            "git checkout --pathspec-from-file=list.txt",
            "git checkout HEAD --pathspec-from-file list.txt",
        ),
        allowed=("git checkout main", "git add --pathspec-from-file=list.txt"),
    ),
    Rule(
        "git.checkout-ambiguous",
        reason="Two or more names make git overwrite files: a commit and paths, or paths alone.",
        instead="{saving}",
        do_not=_DO_NOT,
        intent="use_alternative",
        denied=("git checkout HEAD~1 f", "git checkout f l"),
        allowed=("git checkout -b topic origin/main", "git checkout main package-lock.json"),
    ),
    Rule(
        "git.checkout-conflict-side",
        reason="It overwrites files with one side of the merge; resolved parts are lost.",
        instead="{saving}",
        do_not="take the side by restore, merge -X or a script over all files.",
        intent="use_alternative",
        denied=("git checkout --ours x", "git checkout --theirs ."),
        allowed=("git show :2:x > x.ours", "git checkout --theirs package-lock.json"),
    ),
    Rule(
        "git.switch-discard-changes",
        reason="It switches by throwing away every uncommitted change.",
        instead="{git} stash push{then}",
        do_not="force the switch by checkout -f, reset or clean.",
        intent="use_alternative",
        denied=("git switch --discard-changes main", "git switch --disc main"),
        allowed=("git switch main", "git switch -c topic"),
    ),
    Rule(
        "git.switch-force",
        reason="It switches by throwing away every uncommitted change.",
        instead="{git} stash push{then}",
        do_not="force the switch by checkout -f, reset or clean.",
        intent="use_alternative",
        denied=("git switch -f x", "git switch --force main"),
        allowed=("git switch -c topic", "git switch -"),
    ),
)
