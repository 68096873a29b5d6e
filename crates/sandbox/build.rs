//! Builds the static binary that works inside the sandbox, and says where it is, so that it can be embedded.
//!
//! It is built by a cargo of its own in a folder of its own: it needs other flags than the rest, whatever profile the
//! rest is built with.
#![allow(clippy::disallowed_methods, clippy::expect_used, reason = "a build script reads the environment")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder"));
    let init = here.join("../init");
    for watched in ["src", "Cargo.toml"] {
        println!("cargo::rerun-if-changed={}", init.join(watched).display());
    }
    println!("cargo::rerun-if-changed=build.rs");
    let binary = built(&init);
    println!("cargo::rustc-env=DEED_INIT={}", binary.display());
}

fn built(init: &Path) -> PathBuf {
    let target = env::var("TARGET").expect("cargo names the target");
    let folder = PathBuf::from(env::var("OUT_DIR").expect("cargo names the folder")).join("init");
    let mut cargo = Command::new(env::var("CARGO").expect("cargo names itself"));
    cargo
        .args(["build", "--release", "--offline", "--bin", "deed-init", "--manifest-path"])
        .arg(init.join("Cargo.toml"));
    cargo.args(["--target", &target, "--target-dir"]).arg(&folder);
    // What the outer cargo was told about flags, wrappers and profiles is not meant for this one.
    for name in ["CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_TARGET"] {
        cargo.env_remove(name);
    }
    cargo.env("RUSTFLAGS", "-C target-feature=+crt-static -C relocation-model=static");
    for (name, value) in
        [("OPT_LEVEL", "3"), ("STRIP", "symbols"), ("PANIC", "abort"), ("LTO", "fat"), ("CODEGEN_UNITS", "1")]
    {
        cargo.env(format!("CARGO_PROFILE_RELEASE_{name}"), value);
    }
    let status = cargo.status().expect("cargo can be started");
    assert!(status.success(), "the binary of the sandbox could not be built");
    folder.join(target).join("release").join("deed-init")
}
