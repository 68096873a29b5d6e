//! Links a release with packed relocations, which take two megabytes less, where the C library can load them.
#![allow(clippy::disallowed_methods, reason = "a build script reads the environment and asks for the C library")]

use std::env;
use std::process::Command;

/// The first version of the GNU C library that loads packed relocations.
const FIRST: (u32, u32) = (2, 36);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name| env::var(name).unwrap_or_default();
    let native = variable("TARGET") == variable("HOST") && variable("TARGET").ends_with("-linux-gnu");
    if native && variable("PROFILE") == "release" && c_library().is_some_and(|version| version >= FIRST) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of this machine's GNU C library, or nothing where it cannot be told.
fn c_library() -> Option<(u32, u32)> {
    let out = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(out.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
