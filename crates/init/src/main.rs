//! The first process inside a sandbox, and the last one outside of it: one static binary with several roles.
//!
//! `launch` runs outside, changes the user and executes bubblewrap. `guard` is the first process inside: a copy of it
//! drops the remaining rights and becomes the program, while it reaps, forwards to the proxy and reports how the
//! program ended. `facts` and `noop` serve the probe. A role that cannot do all of its work does none of it.
#![allow(clippy::disallowed_methods, reason = "this is the process that touches the machine")]

mod roles;

use std::process::ExitCode;

fn main() -> ExitCode {
    // The umask is not inherited either: other users read the files that are created here.
    nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o022));
    let role = std::env::args().nth(1).unwrap_or_default();
    let done = match role.as_str() {
        "launch" => roles::launch(),
        "guard" => roles::guard(),
        "facts" => roles::facts(),
        "noop" => roles::noop(),
        _ => Err("this is a part of deed, and not meant to be started by hand".to_owned()),
    };
    match done {
        Ok(code) => code,
        Err(why) => {
            eprintln!("deed-init: {why}");
            ExitCode::from(125)
        }
    }
}
