"""Scripts of package.json, as npm, pnpm, yarn and bun run them."""

from __future__ import annotations

import json

import pytest
from tests.guard.interpret.projects import rule

SYSTEM = "rm.system-path"
_SCRIPTS = {
    "build": "tsc -p . && vite build",
    "prebuild": "rimraf dist",
    "test": "jest --coverage",
    "clean": "rm -rf dist node_modules/.cache",
    "wipe": "rm -rf /etc",
    "deploy": "echo deploy",
    "postdeploy": "rm -rf /etc",
    "start": "npm run middle",
    "middle": "npm run wipe",
    "loop": "npm run loop",
    "remove": "rm -rf",
    "script": "sh ./x.sh",
    "up": "rm -rf ../other",
    "all": "run-s clean build",
    "all:bad": "run-p 'ba*'",
    "bad": "rm -rf /etc",
    "named": "echo $npm_package_name && cross-env NODE_ENV=production webpack",
}
_FILES = {
    "package.json": json.dumps({"scripts": _SCRIPTS}),
    "x.sh": "rm -rf /etc\n",
    "web/package.json": '{"scripts": {"build": "rm -rf /etc"}}',
    "packages/api/package.json": '{"name": "@x/api", "scripts": {"gone": "rm -rf /etc"}}',
}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npm test", ""),
        ("npm run build", ""),
        ("yarn build", ""),
        ("pnpm run clean", ""),
        ("bun run build", ""),
        ("npm run nothing", ""),
        ("npm run loop", ""),
        ("npm run named", ""),
        ("npm run all", ""),
        ("npm run all:bad", SYSTEM),
        ("npm run remove -- dist", ""),
        ("npm run remove -- /etc", SYSTEM),
        ("npm run wipe", SYSTEM),
        ("npm run-script wipe", SYSTEM),
        ("npm run deploy", SYSTEM),
        ("npm start", SYSTEM),
        ("npm run script", SYSTEM),
        ("yarn wipe", SYSTEM),
        ("yarn run wipe", SYSTEM),
        ("pnpm wipe", SYSTEM),
        ("bun wipe", SYSTEM),
        ("npm --prefix web run build", SYSTEM),
        ("cd web && npm run build", SYSTEM),
        ("cd src && npm run wipe", SYSTEM),
        ("cd src && npm run clean", ""),
        ("npm run build -w web", SYSTEM),
        ("yarn workspace web build", SYSTEM),
        ("pnpm --filter @x/api run gone", SYSTEM),
        ("npm run gone --workspaces", SYSTEM),
        ("npm run gone -w @x/other", ""),
        ("concurrently npm:build npm:wipe", SYSTEM),
        ("concurrently npm:build 'npm:test -- -u'", ""),
        ("corepack yarn wipe", SYSTEM),
        ("node --run wipe", SYSTEM),
        ("npm install", ""),
        ("npm run up", "rm.recursive-force-outside-cwd"),
        ("for s in build wipe; do npm run $s; done", SYSTEM),
    ],
)
def test_a_script_runs_with_what_stands_around_it(command, expected):
    assert rule(command, _FILES) == expected


@pytest.mark.parametrize("command", ["npm install", "npm ci", "yarn", "pnpm i", "bun install"])
def test_an_installation_runs_the_scripts_of_the_package(command):
    files = {"package.json": json.dumps({"scripts": {"postinstall": "rm -rf /etc"}})}

    assert rule(command, files) == SYSTEM
    assert rule(f"{command} --ignore-scripts", files) == ""
    assert rule("npm install lodash", files) == ""
