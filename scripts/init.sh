#!/usr/bin/env bash
# Builds the static binary that is the first process inside a sandbox, and records which sources it was built from.
# The result is part of the repository, so that no build script has to run a cargo of its own.
#
#   scripts/init.sh          builds it for this machine's architecture and writes crates/sandbox/init/
#   scripts/init.sh --check  builds it again and compares, where the compiler and the C library are those recorded
set -euo pipefail
cd "$(dirname "$0")/.."
arch=$(uname -m)
target=$(rustc -vV | sed -n 's/^host: //p')
out=crates/sandbox/init
record=$out/$arch.txt
build=${CARGO_TARGET_DIR:-target}/init

# Nothing of the caller's flags, and no path of this machine in the result.
unset CARGO_ENCODED_RUSTFLAGS RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CARGO_BUILD_TARGET
home=${CARGO_HOME:-$HOME/.cargo}
flags="-C target-feature=+crt-static -C relocation-model=static --remap-path-prefix=$home=/cargo --remap-path-prefix=$PWD=/deed"
profile=(
  CARGO_PROFILE_RELEASE_OPT_LEVEL=s CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_PROFILE_RELEASE_PANIC=abort
  CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 CARGO_PROFILE_RELEASE_DEBUG=false
)
env RUSTFLAGS="$flags" "${profile[@]}" cargo build --quiet --release --locked --package deed-init --bin deed-init \
  --target "$target" --target-dir "$build"
binary=$build/$target/release/deed-init
hash=$(sha256sum "$binary" | cut -d' ' -f1)
rustc=$(rustc -V)
libc=$(ldd --version 2>/dev/null | head -n1 || true)

if [ "${1:-}" = --check ]; then
  if ! grep -qxF "rustc $rustc" "$record" || ! grep -qxF "libc $libc" "$record"; then
    echo "init: built with another compiler or C library than recorded, so its bytes were not compared" >&2
    exit 0
  fi
  if ! grep -qxF "sha256 $hash" "$record"; then
    echo "init: $record does not belong to these sources; run \`make init\`" >&2
    exit 1
  fi
  exit 0
fi

mkdir -p "$out"
gzip -9 --no-name --stdout "$binary" >"$out/$arch.gz"
# The build script of deed-sandbox computes this number from the same files, and refuses to build where it differs.
rustc --edition 2024 --crate-name sources -o "$build/sources" - <<RUST
include!("$PWD/$out/sources.rs");
fn main() {
    println!("{}", sources(std::path::Path::new("crates/init"), std::path::Path::new("Cargo.lock")).unwrap());
}
RUST
sources=$("$build/sources")
printf 'sources %s\nsha256 %s\nrustc %s\nlibc %s\n' "$sources" "$hash" "$rustc" "$libc" >"$record"
echo "init: $(stat -c %s "$binary") bytes, $(stat -c %s "$out/$arch.gz") compressed" >&2
