//! The last step before the program: the remaining rights are dropped, and the program is executed.

use super::{descriptors, filter, landlock, limits, while_doing};
use deed_init::Exec;
use nix::sys::prctl::{set_no_new_privs, set_pdeathsig};
use nix::sys::signal::Signal;
use nix::unistd::dup2_stdin;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Executes the program; returns only the reason it could not.
pub(crate) fn executed(told: &Exec) -> String {
    match prepared(told) {
        Err(why) => why,
        Ok(()) => {
            let mut program = Command::new(&told.program);
            let error = program.args(&told.args).env_clear().envs(&told.env).exec();
            format!("cannot execute `{}`: {error}", told.program.display())
        }
    }
}

fn prepared(told: &Exec) -> Result<(), String> {
    set_pdeathsig(Signal::SIGKILL).map_err(while_doing("tie this process to its parent"))?;
    let nothing = File::open("/dev/null").map_err(while_doing("open `/dev/null`"))?;
    dup2_stdin(&nothing).map_err(while_doing("replace the input"))?;
    std::env::set_current_dir(&told.cwd).map_err(|error| format!("cannot enter `{}`: {error}", told.cwd.display()))?;
    descriptors::close_on_exec_beyond_standard().map_err(while_doing("close what was inherited"))?;
    limits::apply(told)?;
    set_no_new_privs().map_err(while_doing("give up new privileges"))?;
    if let Some(rules) = &told.landlock {
        landlock::apply(rules)?;
    }
    if let Some(sockets) = told.seccomp {
        filter::apply(sockets)?;
    }
    Ok(())
}
