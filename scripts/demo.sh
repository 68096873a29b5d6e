#!/usr/bin/env bash
# The main job on embedded defaults: the support pack from draft to pinned, and what happens to a bad one.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --quiet --package deed-cli
deed=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/debug/deed
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r packs/support "$work/support"
cd "$work"

say() { printf '\n# %s\n' "$*" >&2; }
run() { printf '$ deed %s\n' "$*" >&2; "$deed" "$@"; }

say "A registry: SQLite and a directory, nothing else to start"
export DEED_ACTOR="${USER:-demo}"
run init --tenant tenant_acme_prod

say "Two keys: one signs for the issuer, one belongs to a reviewer"
run keys generate acme
run keys generate rosa
run keys trust acme --issuer tenant_acme_prod --sign
run keys trust rosa --issuer tenant_acme_prod --role architecture --role security --role data --role evaluation

say "Eight gates"
run pack lint support

say "An overlay may only tighten; every change comes with its proof"
run pack overlay support --overlay high_risk >/dev/null

say "Draft, linted, reviewed, signed, published, pinned"
run pack review support --key rosa --role architecture --role security --role data --role evaluation --out proof
run pack sign support --key acme --out proof/signature.json
run pack publish support
run pack pin ctxpack.support@1.0.0 --env prod

say "What is pinned, verified: bytes, hashes, signature, reviews, state, and the whole audit log"
run pack verify ctxpack.support --env prod
run pack verify

say "The same by a stranger, offline: files and a trust store, no registry"
run keys list --export >proof/trust.json
run pack verify support --envelope proof/signature.json --trust proof/trust.json --review proof

say "A support agent is asked to refund 4200: what would a model see, and what may it do?"
inputs="--request support/examples/request.yaml --run support/examples/run.yaml --evidence support/examples/evidence.yaml --memory support/examples/memory.yaml"
# shellcheck disable=SC2086
run context compile --pack ctxpack.support@1.0.0 $inputs
# shellcheck disable=SC2086
run context explain --pack ctxpack.support@1.0.0 $inputs --only adp_payments.issue_refund

say "The same recorded, and run again: equal, stage by stage"
# shellcheck disable=SC2086
run context record --pack ctxpack.support@1.0.0 $inputs --out archive/refund.json
run context replay archive

say "The next version allows refunds without approval up to 9000: the number 1.0.1 says too little"
cp -r support next
sed -i -e 's/refund_amount }, 3000/refund_amount }, 9000/' -e 's/pack_version: 1.0.0/pack_version: 1.0.1/' next/pack.yaml
run pack diff ctxpack.support@1.0.0 next && exit 1 || [ $? = 1 ]

say "And what would it have changed over the recorded requests? The release gates judge"
run context whatif archive --pack next && exit 1 || [ $? = 1 ]

say "Every transition is in the log"
run pack log
