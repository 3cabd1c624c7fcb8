"""Redaction: planted secrets are gone, ordinary text stays as it is."""

from __future__ import annotations

import pytest

from cc_safety_net.guard.redact import redact

SECRET = "Zq9vK2mX7tR4wB8n"


@pytest.mark.parametrize(
    "text",
    [
        f"API_KEY={SECRET} npm test",
        f"export GITHUB_TOKEN={SECRET}",
        f"export DB_PASSWORD='{SECRET} with words'",
        f'DB_PASS="{SECRET} a \\" b" x',
        f"--password {SECRET}",
        f"--password={SECRET}",
        f"--api-key '{SECRET}'",
        f"docker run --env=API_TOKEN={SECRET} x",
        f"docker run -e API_TOKEN={SECRET} x",
        f"sudo env A=1 API_TOKEN='{SECRET}' x",
        f"--client-secret {SECRET}",
        f"curl -u user:{SECRET} https://example.com",
        f"curl -uuser:{SECRET} https://example.com",
        f"curl --user user:{SECRET} u",
        f"curl -H 'Authorization: Bearer {SECRET}' https://example.com",
        f'curl -H "Authorization: Basic {SECRET}=="',
        f"curl -H 'X-Api-Key: {SECRET}'",
        f"curl -b 'Cookie: session={SECRET}; a={SECRET}'",
        f"curl -H Authorization:{SECRET}",
        f"git clone https://user:{SECRET}@example.com/x.git",
        f"git clone https://{SECRET}@example.com/x.git",
        f"psql postgres://app:{SECRET}@db/prod",
        f"psql postgres://app:pa/{SECRET}@db/prod",
        f"curl 'https://b.s3.example.com/x?X-Amz-Signature={SECRET}&a=1'",
        f"curl https://example.com/x?access_token={SECRET}",
        f"Server=db;User Id=sa;Password={SECRET};",
        f"mysql -uroot -p{SECRET} db",
        f"sshpass -p {SECRET} ssh h",
        f"redis-cli -h db -a {SECRET} flushall",
        f'{{"password": "{SECRET}"}}',
        f"password: {SECRET}",
        f"echo ghp_{SECRET}{SECRET}",
        f"echo sk-proj-{SECRET}{SECRET}",
        f"echo xoxb-{SECRET}",
        f"echo AKIA{SECRET.upper()}",
        f"curl example.com/ghp_{SECRET}{SECRET}",
        f"echo eyJhbGciOiJIUzI1NiJ9.eyJ{SECRET}{SECRET}.{SECRET}",
        f"-----BEGIN OPENSSH PRIVATE KEY-----\n{SECRET}\n-----END OPENSSH PRIVATE KEY-----",
        f"-----BEGIN RSA PRIVATE KEY-----\n{SECRET}",
        f"Bearer {SECRET}",
    ],
)
def test_a_secret_is_taken_out(text):
    shown = redact(text)

    assert SECRET not in shown
    assert SECRET.upper() not in shown
    assert "[redacted]" in shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "git reset --hard HEAD~1",
        "rm -rf ~/proj/build",
        "git commit --author='A <a@b.c>' -m 'fix: none'",
        "curl https://example.com/a@b?x=1&y=2",
        "git clone git@github.com:owner/repo.git",
        "docker run -p 8080:80 -u 1000:1000 image",
        "cut -d= -f1 .env",
        "echo $API_KEY",
        "export TOKEN=$OTHER",
        'KEY="" x',
        "ssh -i ~/.ssh/id_ed25519 host",
        "cat ~/.ssh/id_rsa",
        "SSH_KEY_PATH=~/.ssh/id x",
        "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
        "docker login --password-stdin",
        "https://example.com:8080/path",
        "task sk-1 done",
    ],
)
def test_ordinary_text_stays(text):
    assert redact(text) == text


def test_what_follows_a_secret_is_kept():
    assert redact("TOKEN=abc rm -rf /etc") == "TOKEN=[redacted] rm -rf /etc"
    assert redact("curl -H 'Authorization: x' u && rm f") == (
        "curl -H 'Authorization: [redacted]' u && rm f"
    )
    assert redact('A_KEY="x y" rm f') == 'A_KEY="[redacted]" rm f'


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "A=" * 20_000,
        "KEY=" * 25_000,
        "://@" * 25_000,
        "'\"" * 50_000,
        "-p x " * 20_000,
    ],
    ids=["word", "names", "assignments", "urls", "quotes", "options"],
)
def test_long_text_is_read_in_linear_time(text):
    import time

    started = time.process_time()
    redact(text)

    assert time.process_time() - started < 2
