#!/usr/bin/env bash
# Smoke test of an installed package: smoke.sh BIN_DIRECTORY SCRATCH_DIRECTORY
# Everything happens in a scratch home with a space and a quote in its path; no agent is started.
set -euo pipefail
bin=$1
scratch=$2
home="$scratch/ho me's"
mkdir -p "$home/.cursor" "$scratch/project"
cd "$scratch/project"
run() { env -i HOME="$home" PATH=/usr/bin:/bin "$bin/cc-safety-net" "$@"; }
fail() { echo "smoke: $1" >&2; exit 1; }

run --version
# Into a file first: `grep -q` ends at the first hit, and the program would miss its reader.
run explain 'git reset --hard' > "$scratch/deny.txt"
grep -q 'git.reset-hard' "$scratch/deny.txt" || fail "explain names no rule"
env -i HOME="$home" PATH=/usr/bin:/bin "$bin/ccsn" explain 'git status' > "$scratch/allow.txt"
grep -q '^allow' "$scratch/allow.txt" || fail "git status is not allowed"

printf '{\n\t"version": 1, "hooks": {}\n}' > "$home/.cursor/hooks.json"
cp "$home/.cursor/hooks.json" "$scratch/before.json"
run install --cursor
run doctor --agent cursor --json > "$scratch/doctor.json"
grep -q '"state": *"protected"' "$scratch/doctor.json" || fail "doctor does not say protected"
run uninstall --cursor
cmp "$scratch/before.json" "$home/.cursor/hooks.json" || fail "uninstall did not give the bytes back"
echo "smoke: ok"
