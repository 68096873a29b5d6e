#!/usr/bin/env bash
# All tests: with nextest where it is installed, with plain cargo elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."
if cargo nextest --version >/dev/null 2>&1; then
  cargo test --workspace --doc --quiet
  cargo nextest run --workspace --no-fail-fast
else
  cargo test --workspace --no-fail-fast
fi
