#!/usr/bin/env bash
# The property tests again and again, each round with a seed of its own, which is printed: a round that fails is made
# again with PROPTEST_RNG_SEED set to it. Rounds: DEED_SOAK_ROUNDS, or ten.
set -euo pipefail
cd "$(dirname "$0")/.."
crates=$(grep -rl --include='*.rs' 'proptest' crates/*/src crates/*/tests | cut -d/ -f2 | sort -u)
filter=""
for crate in $crates; do
  filter="${filter:+$filter | }package(=deed-$crate)"
done
for round in $(seq "${DEED_SOAK_ROUNDS:-10}"); do
  seed=$(od -An -N7 -tu8 /dev/urandom | tr -d ' ')
  echo "soak: round $round, PROPTEST_RNG_SEED=$seed"
  PROPTEST_RNG_SEED=$seed cargo nextest run --workspace --no-fail-fast --status-level fail --final-status-level fail -E "$filter"
done
