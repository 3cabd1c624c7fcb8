"""Which files a patch touches."""

from __future__ import annotations

import pytest

from cc_safety_net.guard.tools.patches import read_patch

ENVELOPE = """*** Begin Patch
*** Add File: new.txt
+hello
*** Update File: src/a.ts
*** Move to: src/b.ts
@@
-x
+y
*** Update File: .env
@@
-a
+b
*** Delete File: gone.txt
*** End Patch
"""

GIT = """diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@
 same
--- a/not/a/header
+++ b/not/a/header
diff --git a/old b/new
similarity index 100%
rename from old
rename to new
diff --git "a/\\303\\244 b" "b/\\303\\244 b"
--- "a/\\303\\244 b"
+++ "b/\\303\\244 b"
@@ -1 +1 @@
-x
+y
diff --git a/dead b/dead
deleted file mode 100644
--- a/dead
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/born b/born
new file mode 100755
--- /dev/null
+++ b/born
@@ -0,0 +1 @@
+x
"""


def _changes(text):
    return [(change.mode, change.path, change.target) for change in read_patch(text)]


def test_an_envelope_adds_updates_moves_and_deletes():
    assert _changes(ENVELOPE) == [
        ("write", "new.txt", ""),
        ("move", "src/a.ts", "src/b.ts"),
        ("write", ".env", ""),
        ("delete", "gone.txt", ""),
    ]


def test_a_git_diff_names_its_files_and_not_its_text():
    assert set(_changes(GIT)) == {
        ("write", "src/a.ts", ""),
        ("move", "old", "new"),
        ("write", "ä b", ""),
        ("write", "dead", ""),
        ("delete", "dead", ""),
        ("write", "born", ""),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("--- old.txt\t2026-01-01\n+++ old.txt\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n", {"old.txt"}),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", {"x"}),
        ("--- x.orig\n+++ x\n@@ -1 +1 @@\n-a\n+b\n", {"x.orig", "x"}),
        (
            "--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n",
            {".git/hooks/pre-commit"},
        ),
        ("no patch at all\n--- a\n", set()),
        ("", set()),
    ],
)
def test_a_unified_diff_names_its_files(text, expected):
    assert {change.path for change in read_patch(text)} == expected
