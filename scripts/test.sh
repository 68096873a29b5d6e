#!/usr/bin/env bash
# All tests: with nextest where it is installed, with plain cargo elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ ! -d "${DEED_CORPUS:-../shared/corpus}" ]; then
  echo "test: no conformance corpus (DEED_CORPUS): the RFC 8785 vectors, the official JsonLogic cases and the public secret rules are skipped" >&2
fi
if [ ! -d "${DEED_NODE_MODULES:-target/node/node_modules}/json-logic-js" ] || ! command -v node >/dev/null; then
  echo "test: node or json-logic-js is missing: the differential test is skipped" >&2
fi
if cargo nextest --version >/dev/null 2>&1; then
  cargo test --workspace --doc --quiet
  cargo nextest run --workspace --no-fail-fast
  # Another crate of a build may turn this feature of serde_json on; no hash may move.
  cargo nextest run --package deed-context --features preserve-order --test it determinism::
else
  cargo test --workspace --no-fail-fast
  cargo test --package deed-context --features preserve-order --test it determinism::
fi
