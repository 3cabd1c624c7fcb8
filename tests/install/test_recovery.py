"""Taking back what a journal says, beside other programs that write the same files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.install.stand_in import everything

from cc_safety_net.install import recovery
from cc_safety_net.install.journal import Journal, Step, digest
from cc_safety_net.install.plan import (
    Edited,
    FileChange,
    KeepForm,
    RemoveTree,
    RunChange,
    TreeChange,
)
from cc_safety_net.install.system import System
from cc_safety_net.install.transaction import Transaction, lasting

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def state(home: Path) -> Path:
    folder = home / "state"
    folder.mkdir()
    return folder


def edit(file: Path, new: bytes | None) -> FileChange:
    return FileChange("edit", str(file), str(file), lambda _: Edited(new), "")


def recover(state: Path) -> list[str]:
    return recovery.recover(System(), str(state), [])


def test_nothing_left_means_nothing_done(state: Path) -> None:
    assert recover(state) == []


def test_an_edit_a_new_file_and_a_deletion_are_taken_back(home: Path, state: Path) -> None:
    (home / "old").write_bytes(b"one\n")
    (home / "old").chmod(0o640)
    (home / "gone").write_bytes(b"two\n")
    before = everything(home)
    transaction = Transaction(System(), str(state))
    transaction.apply(edit(home / "old", b"one\nours\n"))
    transaction.apply(edit(home / "a/b/new", b"x"))
    transaction.apply(edit(home / "gone", None))

    recover(state)

    assert everything(home) == before
    assert recover(state) == []


def test_a_committed_transaction_is_finished_not_taken_back(home: Path, state: Path) -> None:
    (home / "tree").mkdir()
    (home / "tree/file").write_text("x")
    transaction = Transaction(System(), str(state))
    transaction.apply(edit(home / "new", b"x"))
    transaction.apply(RemoveTree(str(home / "tree"), ""))
    transaction.commit()

    recover(state)

    assert set(everything(home)) == {"state", "new"}


def test_a_removed_tree_comes_back(home: Path, state: Path) -> None:
    (home / "tree").mkdir()
    (home / "tree/file").write_text("x")
    before = everything(home)
    transaction = Transaction(System(), str(state))
    transaction.apply(RemoveTree(str(home / "tree"), ""))
    assert not (home / "tree").exists()

    recover(state)

    assert everything(home) == before


def test_a_tree_change_is_taken_back_with_its_links(home: Path, state: Path) -> None:
    data = home / "data"
    (data / "v1").mkdir(parents=True)
    (data / "current").symlink_to("v1")
    before = everything(home)

    def make() -> None:
        (data / "v2").mkdir()
        (data / "v2/file").write_text("x")
        (data / "current").unlink()
        (data / "current").symlink_to("v2")

    transaction = Transaction(System(), str(state))
    transaction.apply(TreeChange(str(data), make, ""))

    recover(state)

    assert everything(home) == before


def test_our_insertion_is_taken_out_of_a_file_that_others_changed_since(
    home: Path, state: Path
) -> None:
    file = home / "file"
    file.write_bytes(b"a\nz\n")
    transaction = Transaction(System(), str(state))
    transaction.apply(edit(file, b"a\nours\nz\n"))
    file.write_bytes(b"first\n" + file.read_bytes())

    recover(state)

    assert file.read_bytes() == b"first\na\nz\n"


def test_a_file_written_anew_by_others_is_left_and_the_original_kept(
    home: Path, state: Path
) -> None:
    file = home / "file"
    file.write_bytes(b"mine\n")
    transaction = Transaction(System(), str(state))
    transaction.apply(edit(file, b"mine\nours\n"))
    file.write_bytes(b"something else\n")

    notes = recover(state)

    assert file.read_bytes() == b"something else\n"
    assert (state / "original-file").read_bytes() == b"mine\n"
    assert any(str(file) in note and "original-file" in note for note in notes)


def test_a_file_that_others_removed_stays_removed(home: Path, state: Path) -> None:
    file = home / "file"
    file.write_bytes(b"mine\n")
    transaction = Transaction(System(), str(state))
    transaction.apply(edit(file, b"mine\nours\n"))
    file.unlink()

    recover(state)

    assert not file.exists()


def test_a_step_that_was_half_written_was_never_begun(home: Path, state: Path) -> None:
    (home / "file").write_bytes(b"mine\n")
    transaction = Transaction(System(), str(state))
    transaction.apply(edit(home / "file", b"ours\n"))
    (state / "journal/0009.json").write_bytes(b'{"kind": "fi')

    recover(state)

    assert (home / "file").read_bytes() == b"mine\n"
    assert not (state / "journal").exists()


def test_one_step_that_fails_does_not_stop_the_others_and_is_tried_again(
    home: Path, state: Path
) -> None:
    for name in ("one", "two"):
        (home / name).write_bytes(b"mine\n")
    transaction = Transaction(System(), str(state))
    transaction.apply(edit(home / "one", b"ours\n"))
    transaction.apply(edit(home / "two", b"ours\n"))
    (home / "two").rename(home / "kept")
    (home / "two").mkdir()

    notes = recover(state)

    assert (home / "one").read_bytes() == b"mine\n"
    assert any("could not be taken back" in note for note in notes)
    assert (state / "journal").exists()
    (home / "two").rmdir()
    (home / "kept").rename(home / "two")
    recover(state)
    assert (home / "two").read_bytes() == b"mine\n"
    assert not (state / "journal").exists()


def test_folders_that_somebody_uses_meanwhile_stay(home: Path, state: Path) -> None:
    transaction = Transaction(System(), str(state))
    transaction.apply(edit(home / "a/b/new", b"x"))
    (home / "a/theirs").write_text("x")

    recover(state)

    assert set(everything(home)) == {"state", "a", "a/theirs"}


def test_the_mode_of_a_file_that_a_program_writes_anew_stays(home: Path, state: Path) -> None:
    file = home / "settings.json"
    file.write_text('{"a": 1}')
    file.chmod(0o600)
    before = everything(home)
    write = f"""rm '{file}'; printf '{{"a":1}}' > '{file}'; chmod 644 '{file}'"""
    transaction = Transaction(System(), str(state))
    transaction.apply(KeepForm(str(file)))
    transaction.apply(RunChange(("/bin/sh", "-c", write), ""))

    assert file.stat().st_mode & 0o777 == 0o600
    # As after a kill before we could look.
    file.chmod(0o644)
    recover(state)

    assert everything(home) == before


def test_a_step_that_is_taken_back_is_not_looked_at_again(
    home: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is taken back next may write the same file: that is no change by somebody else."""
    file = home / "settings.json"
    file.write_text('{"a":    1}')
    before = everything(home)
    undo = ("/bin/sh", "-c", f"""printf '{{"a":1}}' > '{file}'""")
    transaction = Transaction(System(), str(state))
    transaction.apply(KeepForm(str(file)))
    transaction.apply(RunChange(("true",), "", (undo,)))
    transaction.apply(edit(file, b'{"a":    1, "ours": 1}'))
    real = recovery._undo_run

    def killed(system: System, step: Step) -> list[str]:
        real(system, step)
        raise KeyboardInterrupt

    monkeypatch.setattr(recovery, "_undo_run", killed)
    with pytest.raises(KeyboardInterrupt):
        recover(state)
    monkeypatch.setattr(recovery, "_undo_run", real)

    recover(state)

    assert everything(home) == before


def test_the_journal_is_private(home: Path, state: Path) -> None:
    (home / "secret").write_bytes(b"key\n")
    Transaction(System(), str(state)).apply(edit(home / "secret", b"key\nours\n"))

    modes = {oct(path.stat().st_mode & 0o777) for path in (state / "journal").iterdir()}

    assert modes == {"0o600"}
    assert oct((state / "journal").stat().st_mode & 0o777) == "0o700"


def test_steps_are_numbered_across_a_restart(home: Path, state: Path) -> None:
    journal = Journal(System(), str(state / "journal"))
    journal.begin()
    journal.record({"kind": "folder", "path": str(home / "x")})

    assert [step["kind"] for _, step, _ in journal.steps()] == ["folder"]
    assert digest(None) == ""


def test_a_journal_keeps_no_key_of_a_service() -> None:
    environment = {
        "HOME": "/h",
        "PATH": "/usr/bin",
        "CODEX_HOME": "/h/.codex",
        "CLAUDE_CONFIG_DIR": "/h/c",
        "XDG_DATA_HOME": "/h/d",
        "COPILOT_AUTO_UPDATE": "false",
        "GEMINI_API_KEY": "k-1",
        "COPILOT_PROVIDER_API_KEY": "k-2",
        "AWS_SECRET_ACCESS_KEY": "k-3",
        "GITHUB_TOKEN": "k-4",
        "DATABASE_URL": "postgres://u:p@h/d",
    }

    kept = lasting(environment)

    assert [name for name in environment if name not in kept] == [
        "GEMINI_API_KEY",
        "COPILOT_PROVIDER_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "GITHUB_TOKEN",
        "DATABASE_URL",
    ]
