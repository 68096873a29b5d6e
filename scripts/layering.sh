#!/usr/bin/env bash
# A crate depends only on the layers above it, and the pure ones on nothing that has effects.
set -euo pipefail
cd "$(dirname "$0")/.."

fail=0
complain() { echo "layering: $*" >&2; fail=1; }

# Which crates of ours each crate may use. A crate that is not listed here is refused.
declare -A may=(
  [canon]="" [diag]="canon" [model]="canon diag" [logic]="" [detect]="canon" [table]="canon"
  [schema]="canon diag"
  [memory]="canon detect diag model"
  [pack]="canon detect diag logic model schema"
  [imprint]="canon diag schema"
  [ladder]="canon detect diag imprint logic model schema"
  [catalog]="canon diag model schema"
  [reach]="diag model"
  [plan]="canon catalog diag logic model reach schema"
  [vocabulary]="diag" [contracts]="diag"
  [adapters]="canon diag table"
  [context]="canon detect diag logic memory model pack schema vocabulary"
  [decision]="canon detect diag model schema"
  [release]="canon context diag model pack schema"
  [validation]="adapters canon detect diag ladder model receipts schema"
  [profile]="canon context detect diag model pack reach schema validation"
  [desk]="canon context diag ladder model pack profile"
  [workspace]="canon diag model plan"
  [receipts]="canon detect diag model table"
  [isolate]=""
  [ports]="canon diag model"
  [testkit]="canon model ports"
  [init]="" [sandbox]="canon init model"
  [egress]="canon diag model ports reach"
  [llm]="canon detect diag egress model ports reach schema vocabulary"
  [runtime]="adapters canon catalog desk detect diag egress isolate llm logic model plan ports reach receipts sandbox schema validation"
  [store]="canon decision diag memory model pack ports workspace"
  [app]="adapters canon catalog context contracts decision desk detect diag egress imprint ladder llm logic memory model pack plan ports profile reach receipts release runtime sandbox schema store validation workspace"
  [deed]="app catalog context diag imprint ladder model pack plan ports runtime schema"
  [cli]="adapters app canon catalog context contracts detect diag egress imprint ladder logic memory model pack plan ports profile reach release runtime sandbox schema store validation workspace"
)
pure="canon diag model logic detect table vocabulary contracts schema imprint ladder pack context decision catalog reach plan adapters receipts isolate ports memory profile desk release validation workspace"
# getrandom is not listed: a hash map inside jsonschema seeds itself with it, and nothing here depends on its order.
effects="tokio async-std rusqlite sqlx reqwest hyper ureq tempfile rand tracing tracing-subscriber"

for folder in crates/*/; do
  crate=$(basename "$folder")
  if [ -z "${may[$crate]+listed}" ]; then
    complain "deed-$crate is in no layer; add it to scripts/layering.sh"
    continue
  fi
  # The umbrella crate is called as the product is.
  package=deed-$crate
  [ "$crate" = deed ] && package=deed
  own=$(cargo tree --quiet --offline -p "$package" -e normal --depth 1 --prefix none)
  for used in $(sed -nE 's/^deed-([a-z]+) .*/\1/p' <<<"$own" | grep -vx "$crate" | sort -u); do
    [[ " ${may[$crate]} " == *" $used "* ]] || complain "deed-$crate may not use deed-$used"
  done
done
for crate in $pure; do
  tree=$(cargo tree --quiet --offline -p "deed-$crate" -e normal --prefix none)
  for effect in $effects; do
    # Names stand at the beginning of a line, followed by their version.
    if grep -qE "^$effect v" <<<"$tree"; then complain "deed-$crate is pure and depends on $effect"; fi
  done
done
exit $fail
