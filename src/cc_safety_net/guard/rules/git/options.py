"""The options of git's sub-commands, read as git's own parser reads them.

Clusters of letters, unambiguous prefixes of long names, `--no-…`, values in the same word or the
next one, options behind operands, and `--`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cc_safety_net.guard.interpret.facts import Pieces

#: Sub-command -> (letters that stand for a long name, letters that take a value in this or the next
#: word, letters that may take one in this word, long names without a needed value, long names
#: that need one). A letter without a long name stands for itself.
SYNTAX: dict[str, tuple[str, str, str, str, str]] = {
    "am": (
        "i=interactive q=quiet r=resolved",
        "Cp",
        "S",
        (
            "interactive 3way quiet signoff keep continue resolved skip abort quit retry"
            " allow-empty show-current-patch no-verify rerere-autoupdate gpg-sign"
        ),
        "directory exclude include patch-format resolvemsg whitespace quoted-cr empty",
    ),
    "branch": (
        "d=delete f=force m=move c=copy l=list r=remotes a=all q=quiet v=verbose",
        "u",
        "t",
        (
            "verbose quiet track set-upstream unset-upstream color remotes contains with without"
            " abbrev all delete move copy list show-current create-reflog edit-description force"
            " merged column points-at ignore-case recurse-submodules omit-empty"
        ),
        "set-upstream-to sort format",
    ),
    "checkout": (
        "f=force q=quiet m=merge d=detach t=track p=patch 2=ours 3=theirs",
        "bBU",
        "t",
        (
            "guess overlay quiet recurse-submodules progress merge detach track force auto-advance"
            " overwrite-ignore ignore-other-worktrees ours theirs patch ignore-skip-worktree-bits"
            " pathspec-file-nul"
        ),
        "conflict orphan unified inter-hunk-context pathspec-from-file",
    ),
    "checkout-index": (
        "a=all f=force q=quiet n=no-create u=index",
        "",
        "",
        "all force quiet create index stdin temp ignore-skip-worktree-bits",
        "prefix stage",
    ),
    "cherry-pick": (
        "n=no-commit e=edit s=signoff",
        "mX",
        "S",
        (
            "quit continue abort skip commit edit signoff rerere-autoupdate gpg-sign ff allow-empty"
            " allow-empty-message keep-redundant-commits"
        ),
        "cleanup mainline strategy strategy-option empty",
    ),
    "clean": (
        "f=force n=dry-run i=interactive q=quiet",
        "e",
        "",
        "quiet dry-run force interactive",
        "exclude",
    ),
    "clone": (
        "q=quiet v=verbose n=no-checkout",
        "bcjou",
        "",
        (
            "verbose quiet progress reject-shallow checkout bare mirror local hardlinks shared"
            " recurse-submodules recursive dissociate single-branch tags shallow-submodules"
            " also-filter-submodules remote-submodules sparse ipv4 ipv6"
        ),
        (
            "jobs template reference reference-if-able origin branch upload-pack depth"
            " shallow-since shallow-exclude separate-git-dir config server-option filter bundle-uri"
            " revision ref-format"
        ),
    ),
    "config": (
        "f=file l=list e=edit z=null",
        "ft",
        "",
        (
            "global system local worktree get get-all get-regexp get-urlmatch replace-all add unset"
            " unset-all rename-section remove-section list fixed-value edit get-color get-colorbool"
            " bool int bool-or-int bool-or-str path expiry-date null name-only includes show-origin"
            " show-scope all append show-names"
        ),
        "file blob type default comment value url regexp",
    ),
    "filter-branch": (
        "f=force",
        "d",
        "",
        "force remap-to-ancestor prune-empty",
        (
            "setup subdirectory-filter env-filter tree-filter index-filter parent-filter msg-filter"
            " commit-filter tag-name-filter original state-branch"
        ),
    ),
    "filter-repo": ("f=force", "", "", "analyze dry-run force partial", ""),
    "gc": (
        "q=quiet",
        "",
        "",
        "quiet prune cruft aggressive auto detach force keep-largest-pack",
        "max-cruft-size expire-to",
    ),
    "init": (
        "q=quiet",
        "b",
        "",
        "bare shared quiet",
        "template separate-git-dir initial-branch object-format ref-format",
    ),
    "merge": (
        "e=edit q=quiet v=verbose n=no-stat",
        "sXmF",
        "S",
        (
            "stat summary compact-summary log squash commit edit ff ff-only rerere-autoupdate"
            " verify-signatures verbose quiet abort quit continue allow-unrelated-histories"
            " progress gpg-sign autostash overwrite-ignore signoff verify"
        ),
        "cleanup strategy strategy-option message file into-name",
    ),
    "prune": (
        "n=dry-run v=verbose",
        "",
        "",
        "dry-run verbose progress exclude-promisor-objects",
        "expire",
    ),
    "push": (
        "f=force d=delete n=dry-run u=set-upstream q=quiet v=verbose 4=ipv4 6=ipv6",
        "o",
        "",
        (
            "verbose quiet all branches mirror delete tags dry-run porcelain force"
            " force-with-lease force-if-includes thin set-upstream progress prune verify"
            " follow-tags signed atomic"
            " ipv4 ipv6"
        ),
        "repo recurse-submodules receive-pack exec push-option",
    ),
    "read-tree": (
        "v=verbose n=dry-run q=quiet",
        "",
        "",
        (
            "empty verbose trivial aggressive reset dry-run sparse-checkout debug-unpack"
            " recurse-submodules quiet"
        ),
        "index-output prefix exclude-per-directory",
    ),
    "rebase": (
        "q=quiet v=verbose n=no-stat f=force-rebase m=merge i=interactive",
        "CxsX",
        "Sr",
        (
            "keep-base verify quiet verbose stat signoff committer-date-is-author-date"
            " reset-author-date ignore-date ignore-whitespace force-rebase ff continue skip abort"
            " quit edit-todo show-current-patch apply merge interactive preserve-merges"
            " rerere-autoupdate keep-empty autosquash update-refs gpg-sign autostash"
            " allow-empty-message rebase-merges fork-point root reschedule-failed-exec"
            " reapply-cherry-picks"
        ),
        "onto whitespace empty exec strategy strategy-option",
    ),
    "reflog": (
        "n=dry-run",
        "",
        "",
        "dry-run rewrite updateref verbose stale-fix all single-worktree",
        "expire expire-unreachable",
    ),
    "reset": (
        "q=quiet p=patch N=intent-to-add",
        "U",
        "",
        (
            "quiet refresh mixed soft hard merge keep recurse-submodules patch intent-to-add"
            " pathspec-file-nul"
        ),
        "unified inter-hunk-context pathspec-from-file",
    ),
    "restore": (
        "S=staged W=worktree q=quiet m=merge 2=ours 3=theirs p=patch s=source",
        "sU",
        "",
        (
            "staged worktree ignore-unmerged overlay quiet recurse-submodules progress merge ours"
            " theirs patch ignore-skip-worktree-bits pathspec-file-nul"
        ),
        "source conflict unified inter-hunk-context pathspec-from-file",
    ),
    "revert": (
        "n=no-commit e=edit s=signoff",
        "mX",
        "S",
        "quit continue abort skip commit edit signoff rerere-autoupdate gpg-sign reference",
        "cleanup mainline strategy strategy-option",
    ),
    "rm": (
        "f=force n=dry-run q=quiet r=recursive",
        "",
        "",
        "dry-run quiet cached force ignore-unmatch sparse pathspec-file-nul",
        "pathspec-from-file",
    ),
    "send-pack": (
        "f=force n=dry-run q=quiet v=verbose",
        "",
        "",
        (
            "verbose quiet all dry-run mirror force signed progress thin atomic stateless-rpc stdin"
            " helper-status force-with-lease force-if-includes"
        ),
        "receive-pack exec remote push-option",
    ),
    "stash": (
        "k=keep-index S=staged p=patch q=quiet u=include-untracked a=all",
        "mU",
        "",
        "keep-index staged patch quiet include-untracked all pathspec-file-nul index",
        "message unified inter-hunk-context pathspec-from-file",
    ),
    "submodule": (
        "f=force q=quiet",
        "",
        "",
        "quiet force all cached recursive init remote",
        "",
    ),
    "switch": (
        "f=force q=quiet m=merge d=detach t=track c=create C=force-create",
        "cC",
        "t",
        (
            "guess discard-changes quiet recurse-submodules progress merge detach track force"
            " overwrite-ignore ignore-other-worktrees"
        ),
        "create force-create conflict orphan",
    ),
    "symbolic-ref": ("d=delete q=quiet", "m", "", "quiet delete short recurse", ""),
    "tag": (
        "d=delete f=force l=list v=verify a=annotate e=edit s=sign i=ignore-case",
        "mFu",
        "n",
        (
            "list delete verify annotate edit sign force create-reflog column contains with without"
            " merged points-at color ignore-case omit-empty"
        ),
        "message file cleanup local-user sort format trailer",
    ),
    "update-ref": (
        "d=delete",
        "m",
        "",
        "deref stdin create-reflog batch-updates",
        "",
    ),
    "worktree": (
        "f=force d=detach q=quiet n=dry-run v=verbose",
        "bB",
        "",
        (
            "force detach checkout lock quiet track guess-remote orphan relative-paths dry-run"
            " verbose porcelain"
        ),
        "reason expire",
    ),
}


class Argument:
    """One word of a call, one of its possible values chosen.

    text: the value, None if part of it is unknown. prefix: its literal beginning. shown: for a
    person. pattern: the shell would match it against files. optional: unquoted and unknown, so
    it may be no word at all. pieces: what it is made of.
    """

    __slots__ = ("optional", "pattern", "pieces", "prefix", "shown", "text")

    def __init__(
        self, text: str | None, prefix: str, shown: str, pieces: Pieces, *, pattern: bool = False
    ) -> None:
        self.text = text
        self.prefix = prefix
        self.shown = shown
        self.pieces = pieces
        self.pattern = pattern
        self.optional = False

    def rest(self, length: int) -> Argument:
        """What is left without the first `length` characters of the known beginning."""
        text = None if self.text is None else self.text[length:]
        made = Argument(text, self.prefix[length:], self.shown[length:], self.pieces)
        made.pattern = self.pattern
        return made


class Options:
    """The words behind a sub-command, sorted.

    given: (long name or letter, True or False for `--no-`, value or None), in order.
    operands: words that are no options, those behind `--` left out. paths: those behind `--`.
    dashes: there was a `--`. unclear: words before `--` of which not even the beginning is known,
    so they may be options.
    """

    __slots__ = ("dashes", "given", "operands", "paths", "unclear")

    def __init__(self) -> None:
        self.given: list[tuple[str, bool, Argument | None]] = []
        self.operands: list[Argument] = []
        self.paths: list[Argument] = []
        self.dashes = False
        self.unclear: list[Argument] = []

    def on(self, *names: str) -> bool:
        """One of the options is in force: the last mention of a name decides."""
        return any(self.last(name) for name in names)

    def last(self, name: str) -> bool:
        for found, positive, _ in reversed(self.given):
            if found == name:
                return positive
        return False

    def values(self, *names: str) -> Iterator[Argument]:
        for found, positive, value in self.given:
            if positive and value is not None and found in names:
                yield value

    def value(self, *names: str) -> Argument | None:
        found = None
        for found in self.values(*names):  # noqa: B007 - the last one counts
            pass
        return found

    @property
    def helps(self) -> bool:
        """`-h` or `--help`: git prints its usage and does nothing."""
        return any(name in ("h", "help", "help-all") for name, _, _ in self.given)


def parse(command: str, words: Sequence[Argument]) -> Options:
    """Sort the words behind the sub-command; commands without a table take no values."""
    spelled, valued, attached, plain, needing = SYNTAX.get(command) or ("", "", "", "", "")
    letters = dict([pair.split("=") for pair in spelled.split()])
    names = plain.split()
    needed = needing.split()
    options = Options()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        start = word.prefix
        if word.text == "--":
            options.dashes = True
            options.paths.extend(words[at:])
            break
        if start.startswith("--") and len(start) > 2:
            name, positive = _long(start[2:].partition("=")[0], names, needed)
            value: Argument | None = None
            if "=" in start:
                value = word.rest(start.index("=") + 1)
            elif name in needed and positive and at < len(words):
                value = words[at]
                at += 1
            options.given.append((name, positive, value))
        elif start.startswith("-") and len(start) > 1:
            at += _cluster(word, words, at, (letters, valued, attached), options)
        else:
            if word.text is None and not start and not word.pattern:
                options.unclear.append(word)
            options.operands.append(word)
    return options


def _cluster(
    word: Argument,
    words: Sequence[Argument],
    following: int,
    syntax: tuple[dict[str, str], str, str],
    options: Options,
) -> int:
    """Read `-abc`; how many of the following words it takes as a value (0 or 1)."""
    letters, valued, attached = syntax
    start = word.prefix
    for at in range(1, len(start)):
        letter = start[at]
        name = letters.get(letter, letter)
        positive = not name.startswith("no-")
        name = name if positive else name[3:]
        if letter in valued:
            if at + 1 < len(start) or word.text is None:
                options.given.append((name, positive, word.rest(at + 1)))
                return 0
            value = words[following] if following < len(words) else None
            options.given.append((name, positive, value))
            return 1
        options.given.append((name, positive, None))
        if letter in attached:
            return 0
    return 0


def _long(name: str, names: list[str], needed: list[str]) -> tuple[str, bool]:
    """The full name of a long option and whether it is switched on; prefixes are completed."""
    for positive, text in ((True, name), (False, name[3:] if name.startswith("no-") else "")):
        if not text:
            continue
        if text in names or text in needed:
            return text, positive
        fitting = [known for known in (*names, *needed) if known.startswith(text)]
        if fitting:
            # Git refuses an ambiguous prefix; the shortest name is the likeliest meaning where
            # another version of git knows fewer names.
            return min(fitting, key=len), positive
    return name, True
