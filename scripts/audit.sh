#!/usr/bin/env bash
# Licences, bans, sources and duplicates of all dependencies, and known vulnerabilities where their database can be
# reached. Installs cargo-deny below the target folder where it is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
VERSION=0.20.2
tools=${CARGO_TARGET_DIR:-target}/tools
export PATH="$PWD/$tools/bin:$tools/bin:$PATH"
if ! command -v cargo-deny >/dev/null; then
  echo "audit: installing cargo-deny $VERSION into $tools" >&2
  cargo install --quiet --locked --root "$tools" --version "$VERSION" cargo-deny
fi
echo "audit: licences, bans, sources and duplicates" >&2
cargo deny --all-features check licenses bans sources
echo "audit: advisories" >&2
if cargo deny fetch db >/dev/null 2>&1; then
  cargo deny --all-features check advisories
else
  echo "audit: the advisory database cannot be reached, so known vulnerabilities were not checked" >&2
fi
