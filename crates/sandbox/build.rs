//! Finds the static binary that is the first process inside a sandbox. It is part of the repository, built by
//! `make init`; nothing is built here. A binary that does not belong to the sources beside it stops the build, so that
//! no test runs a stale one.
#![allow(clippy::disallowed_methods, clippy::expect_used, reason = "a build script reads files and the environment")]

use std::env;
use std::fs;
use std::path::PathBuf;

include!("init/sources.rs");

fn main() {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let arch = env::var("CARGO_CFG_TARGET_ARCH").expect("cargo sets the architecture");
    let (init, lock) = (here.join("../init"), here.join("../../Cargo.lock"));
    for watched in ["build.rs", "init"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    println!("cargo::rustc-check-cfg=cfg(deed_init)");
    let record = here.join("init").join(format!("{arch}.txt"));
    let Ok(record) = fs::read_to_string(record) else {
        println!("cargo::warning=no sandbox init for {arch}: `make init` builds one; without it nothing is sandboxed");
        return;
    };
    let field = |name: &str| {
        let line = record.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.expect("the record of the init binary has all its fields").to_owned()
    };
    // A published package comes without the sources of the binary.
    if init.join("src").is_dir() && lock.is_file() {
        println!("cargo::rerun-if-changed={}", init.display());
        println!("cargo::rerun-if-changed={}", lock.display());
        let now = sources(&init, &lock).expect("the sources of the init binary can be read");
        if now != field("sources") {
            println!(
                "cargo::error=crates/init or a dependency of it has changed: run `make init` to build its binary again"
            );
            return;
        }
    }
    println!("cargo::rustc-cfg=deed_init");
    println!("cargo::rustc-env=DEED_INIT={}", here.join("init").join(format!("{arch}.gz")).display());
    println!("cargo::rustc-env=DEED_INIT_SHA256={}", field("sha256"));
}
