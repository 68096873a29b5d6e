#!/usr/bin/env bash
# A crate depends only on the layers above it, and the pure ones on nothing that has effects.
set -euo pipefail
cd "$(dirname "$0")/.."

fail=0
allow() { # crate, then the deed crates that it may use
  local crate=$1 found extra
  shift
  found=$(cargo tree --quiet --offline -p "deed-$crate" -e normal --depth 1 --prefix none 2>/dev/null |
    sed -nE 's/^deed-([a-z]+) .*/\1/p' | grep -vx "$crate" | sort -u || true)
  extra=$(comm -23 <(printf '%s\n' $found | sort) <(printf '%s\n' "$@" | sort) | tr '\n' ' ')
  if [ -n "${extra// /}" ]; then
    echo "layering: deed-$crate may not use: $extra" >&2
    fail=1
  fi
}
allow canon
allow diag canon
allow model canon
allow logic
allow detect
allow pack canon diag model logic detect
allow store canon diag model pack

for crate in canon diag model logic detect pack; do
  for effect in tokio rusqlite reqwest hyper tempfile; do
    if cargo tree --quiet --offline -p "deed-$crate" -e normal --prefix none 2>/dev/null | grep -q "^$effect v"; then
      echo "layering: deed-$crate is pure and depends on $effect" >&2
      fail=1
    fi
  done
done
exit $fail
