#!/usr/bin/env bash
# Each fuzz target for a minute, or for SECONDS_EACH. Needs a nightly toolchain.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
seconds=${SECONDS_EACH:-60}
target=$(rustc -vV | sed -n 's/^host: //p')
flags="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Ccodegen-units=1 -Cdebug-assertions -Zsanitizer=address"
for name in strict_parser logic_compile pack_loader context_inputs imprint ladder_text plan receipts egress_urls; do
  echo "fuzz: $name for $seconds s" >&2
  mkdir -p "corpus/$name"
  RUSTFLAGS="$flags" cargo +nightly run --release --target "$target" --bin "$name" -- \
    "corpus/$name" "seeds/$name" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=4096
done
