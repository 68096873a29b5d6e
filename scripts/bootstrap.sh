#!/usr/bin/env bash
# Installs what building and testing need on Debian or Ubuntu; elsewhere says what is missing.
# Does nothing when everything is there.
set -euo pipefail
cd "$(dirname "$0")/.."

JSON_LOGIC_JS=2.0.5
RUST=1.95

missing=()
command -v cc >/dev/null || missing+=(gcc libc6-dev)
command -v make >/dev/null || missing+=(make)
command -v git >/dev/null || missing+=(git)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
# The sandbox, and the language of the steps that examples and tests run in it.
command -v bwrap >/dev/null || missing+=(bubblewrap)
command -v python3 >/dev/null || missing+=(python3)

if [ ${#missing[@]} -gt 0 ]; then
  if command -v apt-get >/dev/null; then
    sudo=""
    [ "$(id -u)" = 0 ] || sudo=sudo
    echo "bootstrap: installing ${missing[*]}" >&2
    $sudo apt-get update -q >&2
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -yq --no-install-recommends "${missing[@]}" >&2
  else
    echo "bootstrap: please install: ${missing[*]}" >&2
    command -v cc >/dev/null && command -v make >/dev/null || exit 3
  fi
fi

if ! command -v cargo >/dev/null; then
  echo "bootstrap: please install Rust $RUST or newer, for example with rustup" >&2
  exit 3
fi
have=$(cargo --version | sed -E 's/cargo ([0-9]+\.[0-9]+).*/\1/')
if [ "$(printf '%s\n%s\n' "$RUST" "$have" | sort -V | head -n1)" != "$RUST" ]; then
  echo "bootstrap: Rust $have is here and $RUST or newer is needed" >&2
  exit 3
fi

# The peer of the JsonLogic differential test. Without it that test is skipped with a message.
if command -v npm >/dev/null && [ ! -d target/node/node_modules/json-logic-js ]; then
  mkdir -p target/node
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix target/node "json-logic-js@$JSON_LOGIC_JS" >&2 ||
    echo "bootstrap: json-logic-js could not be installed; the differential test will be skipped" >&2
fi
