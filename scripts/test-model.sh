#!/usr/bin/env bash
# Asks small real models on this machine through the clients, schemas, templates, tools and the evaluator of Deed, and fails if a
# rate falls below its floor. It fetches what it needs, and says loudly where it cannot: then nothing was tested, and it ends with 0.
#
# usage: scripts/test-model.sh [MODEL]...   [default: smollm2-135m qwen2.5-coder-1.5b]
set -euo pipefail
cd "$(dirname "$0")/.."

models=("$@")
[ ${#models[@]} -gt 0 ] || models=(smollm2-135m qwen2.5-coder-1.5b)
cargo build --quiet --package deed-cli --package deed-bench --bin deed --bin deed-bench-models
programs="${CARGO_TARGET_DIR:-target}/debug"
deed="$programs/deed"

served=""
finish() { [ -z "$served" ] || "$deed" models local stop --model "$served" >/dev/null || true; }
trap finish EXIT

tested=0 below=0 skipped=()
for model in "${models[@]}"; do
  echo "test-model: $model" >&2
  status=0
  "$deed" models local fetch --model "$model" >/dev/null || status=$?
  # 3 is the machine's fault: no Python, no network, no room. Anything else, a wrong hash above all, is a failure.
  if [ "$status" -eq 3 ]; then
    skipped+=("$model")
    continue
  elif [ "$status" -ne 0 ]; then
    exit "$status"
  fi
  # A free port, and a server of this run alone.
  url=$(nice -n 10 "$deed" models local serve --model "$model" ${DEED_MODEL_THREADS:+--threads "$DEED_MODEL_THREADS"})
  served=$model
  "$programs/deed-bench-models" "$url" "$model" || below=1
  finish
  served=""
  tested=$((tested + 1))
done

for model in "${skipped[@]}"; do
  echo "test-model: SKIPPED $model: it cannot be fetched here, nothing about it was tested" >&2
done
[ "$below" -eq 0 ] || { echo "test-model: a rate is below its floor" >&2; exit 1; }
echo "test-model: $tested tested, ${#skipped[@]} skipped" >&2
