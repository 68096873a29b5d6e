//! The first process inside a sandbox, and the last one outside of it: one static binary that plays several parts.
//!
//! `launch` stands outside, changes the user and executes the walls. `guard` is the first process within them: a copy
//! of it takes away what is left and becomes the program, while it reaps, forwards to the proxy and says how the
//! program ended. `facts` and `noop` serve the probe. A part that cannot do all of its work does none of it.
#![allow(clippy::disallowed_methods, reason = "this is the process that touches the machine")]

mod roles;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Nothing is inherited, and this neither: what is made here others look into.
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
