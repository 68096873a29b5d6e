#!/usr/bin/env bash
# The main job on embedded defaults: the support pack from draft to pinned, what happens to a bad one, and an audit that
# runs under contracts.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
cargo build --quiet --package deed-cli
deed=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/debug/deed
work=$(mktemp -d)
api=
trap '[ -z "$api" ] || kill "$api"; rm -rf "$work"' EXIT
cp -r packs/support "$work/support"
cd "$work"

say() { printf '\n# %s\n' "$*" >&2; }
run() { printf '$ deed %s\n' "$*" >&2; "$deed" "$@"; }

say "A registry: SQLite and a directory, nothing else to start"
export DEED_ACTOR="${USER:-demo}"
run init --tenant tenant_acme_prod

say "Three keys: one signs for the issuer, two belong to reviewers"
run keys generate acme
run keys generate rosa --person "Rosa Diaz <rosa@acme.example>"
run keys generate tom --person "Tom Berg <tom@acme.example>"
run keys trust acme --issuer tenant_acme_prod --sign
run keys trust rosa --issuer tenant_acme_prod --role architecture --role data
run keys trust tom --issuer tenant_acme_prod --role security --role evaluation

say "Eight gates"
run pack lint support

say "An overlay may only tighten; every change comes with its proof"
run pack overlay ./support --overlay high_risk >/dev/null

say "Draft, linted, reviewed, signed, published, pinned"
run pack review support --key rosa --role architecture --role data --out proof
run pack show ./support
run pack review support --key tom --role security --role evaluation --out proof
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
run pack diff ctxpack.support@1.0.0 ./next && exit 1 || [ $? = 1 ]

say "And what would it have changed over the recorded requests? The release gates judge"
run context whatif archive --pack ./next && exit 1 || [ $? = 1 ]

say "Every transition is in the log"
run pack log

say "A billing audit of nine steps, each with its code. A billing system of its own listens on this machine"
cp -r "$root/examples/billing" billing
python3 billing/mock_api.py --port 0 >api.txt &
api=$!
until [ -s api.txt ]; do
  kill -0 "$api" || exit 1
  sleep 0.1
done
# The example names the port 18080; this copy names the one that was free.
port=$(sed -E 's/.*:([0-9]+)\/.*/\1/' api.txt)
sed -i "s/18080/$port/" billing/plan.yaml billing/steps/submit_corrections.py
at="--resolve billing.example.test=127.0.0.1"

say "How well can code be walled in here?"
run sandbox probe

say "It stops before anything leaves: a person is asked (exit code 5)"
# shellcheck disable=SC2086
run run billing/plan.yaml --input billing/input $at --id q1 && exit 1 || [ $? = 5 ]
run gate show q1

say "The wrong role is refused; the right one approves exactly what was shown, once"
run gate approve q1 --as intern && exit 1 || [ $? = 1 ]
run gate approve q1 --as billing-lead >/dev/null

say "It goes on where it stopped"
# shellcheck disable=SC2086
run runs resume q1 $at

say "What went out, as the journal has it"
run runs events q1 --kind egress | head -n 3

say "Every receipt checked again from the bytes, and every link of the journal"
run receipts verify q1
run journal verify

say "The report, its hash taken again"
out=$(dirname "$(dirname "$deed")")/demo
run artifacts export q1 output/billing_audit_report.html --out "$out"
