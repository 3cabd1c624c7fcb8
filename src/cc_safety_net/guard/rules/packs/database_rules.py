"""Texts of the rules about databases."""

from __future__ import annotations

from cc_safety_net.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    Rule(
        "database.drop",
        reason="It drops a database, a schema, a table or a column with the data in it.",
        instead="{look}",
        do_not="send the same statement by another client or a script.",
        intent="manual_only",
        pack="database",
        denied=(
            "psql -c 'DROP DATABASE prod'",
            "dropdb app",
            "mongosh --eval 'db.dropDatabase()'",
            'python3 -c \'import psycopg2; psycopg2.connect("").cursor().execute("DROP TABLE t")\'',
        ),
        allowed=("psql -c 'DROP INDEX i'", "psql -c 'DROP VIEW v'", "dropdb app_test"),
    ),
    Rule(
        "database.truncate",
        reason="It empties or rewrites a whole table.",
        instead="{look}",
        do_not="send the same statement by another client or a script.",
        intent="scope_down",
        pack="database",
        denied=("psql -c 'TRUNCATE users'", "mysql app -e 'delete from t'"),
        allowed=("psql -c 'DELETE FROM t WHERE id=1'", "sqlite3 :memory: 'delete from t'"),
    ),
    Rule(
        "database.flush",
        reason="It deletes every key of the store.",
        instead="{look}",
        do_not="delete the keys by a pattern or a script instead.",
        intent="manual_only",
        pack="database",
        denied=("redis-cli FLUSHALL", "redis-cli -n 1 flushdb"),
        allowed=("redis-cli DEL k", "redis-cli GET k"),
    ),
    Rule(
        "database.reset",
        reason="It drops the database of the application to build it anew.",
        instead="{look}",
        do_not="drop the tables by SQL instead.",
        intent="manual_only",
        pack="database",
        denied=(
            "prisma migrate reset",
            "prisma db push --accept-data-loss",
            "rails db:reset",
            "python manage.py flush",
        ),
        allowed=("prisma migrate dev", "RAILS_ENV=test rails db:reset", "rails db:migrate"),
    ),
)
