"""Consoles of databases: what the client does itself, and the statements in files."""

from __future__ import annotations

import pytest
from tests.guard.interpret.projects import rule

SYSTEM = "rm.system-path"
_FILES = {
    "drop.sql": "DROP DATABASE prod;\n",
    "shell.sql": "SELECT 1;\n\\! rm -rf /etc\n",
    "outer.sql": "BEGIN;\n\\i drop.sql\n",
    "source.sql": "source drop.sql\n",
    "fine.sql": "-- \\! rm -rf /etc\nSELECT '\\! rm -rf /etc';\nINSERT INTO a VALUES (1);\n",
    "app.db": "x",
    "shell.lite": ".mode csv\n.shell rm -rf /etc\n",
    "drop.lite": "drop table users;\n",
}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("psql -c '\\! rm -rf /etc'", SYSTEM),
        ("psql prod -f shell.sql", SYSTEM),
        ("psql prod < shell.sql", SYSTEM),
        ("psql prod -c '\\i drop.sql'", "database.drop"),
        ("psql prod -f outer.sql", "database.drop"),
        ("psql prod -f drop.sql", "database.drop"),
        ("psql prod <<'EOF'\n\\! rm -rf /etc\nEOF", SYSTEM),
        ("psql -c '\\o |rm -rf /etc'", SYSTEM),
        ("psql -c \"\\copy t from program 'rm -rf /etc'\"", SYSTEM),
        ("psql -c \"COPY t TO PROGRAM 'rm -rf /etc'\"", SYSTEM),
        ("psql -c '\\o .git/config'", "git.metadata-write"),
        ("echo 'DROP DATABASE prod;' > x.sql; psql prod -f x.sql", "database.drop"),
        ("mysql -e 'system rm -rf /etc'", SYSTEM),
        ("mysql -e '\\! rm -rf /etc'", SYSTEM),
        ("mysql prod < source.sql", "database.drop"),
        ("mysql prod < drop.sql", "database.drop"),
        ("mysql prod -e 'source drop.sql'", "database.drop"),
        ("sqlite3 app.db '.shell rm -rf /etc'", SYSTEM),
        ("sqlite3 app.db '.system rm -rf /etc'", SYSTEM),
        ("sqlite3 app.db < shell.lite", SYSTEM),
        ("sqlite3 app.db '.read shell.lite'", SYSTEM),
        ("sqlite3 app.db '.read drop.lite'", "database.drop"),
        ("sqlite3 app.db '.once |rm -rf /etc'", SYSTEM),
        ("sqlite3 app.db '.output .git/config'", "git.metadata-write"),
        ("sqlite3 app.db < drop.lite", "database.drop"),
        ("psql prod -f fine.sql", ""),
        ("mysql prod < fine.sql", ""),
        ("psql -c \"SELECT 'system rm -rf /etc'\"", ""),
        ("psql -c '\\dt'", ""),
        ("psql -c '\\copy t to out.csv csv header'", ""),
        ("mysql -e 'select system from t'", ""),
        ("sqlite3 app.db '.tables'", ""),
        ("sqlite3 app.db '.schema users'", ""),
        ("sqlite3 app.db 'select \".shell rm\"'", ""),
        ("ftp h <<'EOF'\ncd x\n!rm -rf /etc\nEOF", SYSTEM),
        ("lftp -e 'mirror; !rm -rf /etc' h", SYSTEM),
        ("sftp -b batch h", ""),
    ],
)
def test_a_console_is_judged_by_what_it_runs(command, expected):
    assert rule(command, _FILES) == expected
