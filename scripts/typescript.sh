#!/usr/bin/env bash
# Checks the generated types with the TypeScript compiler, and that documents of the examples have them.
set -euo pipefail
cd "$(dirname "$0")/.."

version=5.9.3
folder=target/typescript
if ! command -v npm >/dev/null; then
  echo "typescript: npm is not installed, the types were not checked" >&2
  exit 0
fi
if [ ! -x "$folder/node_modules/.bin/tsc" ] || [ "$("$folder/node_modules/.bin/tsc" --version)" != "Version $version" ]; then
  mkdir -p "$folder"
  if ! npm install --silent --no-fund --no-audit --no-save --prefix "$folder" "typescript@$version" 2>/dev/null >&2; then
    echo "typescript: the compiler cannot be installed here, the types were not checked" >&2
    exit 0
  fi
fi
DEED_TSC="$PWD/$folder/node_modules/.bin/tsc" cargo test --quiet --package deed-cli --test it typescript:: > /dev/null
