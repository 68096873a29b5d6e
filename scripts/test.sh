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
else
  cargo test --workspace --no-fail-fast
fi
