#!/usr/bin/env bash
# Everything that is checked without running the program: format, lints, docs, generated files, layering.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "verify: format" >&2
cargo fmt --all --check
echo "verify: clippy" >&2
cargo clippy --workspace --all-targets --quiet -- -D warnings
echo "verify: docs" >&2
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet
echo "verify: generated files" >&2
cargo run --quiet --package deed-model --example generate-schemas -- --check schemas
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
cargo run --quiet --package deed-cli -- schema --out "$fresh" > /dev/null
diff -r "$fresh" schemas/cli || { echo "verify: schemas/cli is out of date, run \`make schemas\`" >&2; exit 1; }
rm -rf "${fresh:?}"/*
cargo run --quiet --package deed-cli -- schema --types "$fresh" > /dev/null
diff -r "$fresh" schemas/typescript || { echo "verify: schemas/typescript is out of date, run \`make schemas\`" >&2; exit 1; }
echo "verify: TypeScript types" >&2
scripts/typescript.sh
cargo run --quiet --package deed-canon --example make-vectors | diff - crates/canon/vectors/canon.json
echo "verify: the init binary of the sandbox" >&2
scripts/init.sh --check
echo "verify: public items that no other crate names" >&2
scripts/exports.py --check
echo "verify: silent defaults and long functions" >&2
scripts/house.py --check
echo "verify: layering" >&2
scripts/layering.sh
if command -v cargo-deny >/dev/null; then
  echo "verify: licences, bans and sources" >&2
  cargo deny --offline check licenses bans sources
else
  echo "verify: cargo-deny is not installed, licences were not checked" >&2
fi
