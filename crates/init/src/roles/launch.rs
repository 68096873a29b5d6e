//! Outside, before the sandbox: a [`Launch`] comes in on the standard input, and the next program is executed.
//!
//! It joins the control groups, stages mounts, becomes an ordinary user, closes every file and
//! executes. The environment of the next program is empty. The input stays open for the guard.

use super::{Done, descriptors, stage, while_doing};
use deed_init::{Launch, read_frame};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::unistd::{Gid, Uid, getppid, setgroups, setresgid, setresuid};
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Runs this role.
pub(crate) fn launch() -> Done {
    let told: Launch = read_frame(&mut super::input().map_err(while_doing("open the input"))?)
        .map_err(while_doing("read what to launch"))?;
    for group in &told.groups {
        fs::write(group, "0").map_err(while_doing("join a control group"))?;
    }
    if let Some(id) = told.become_user {
        if !told.staged.is_empty() {
            stage::stage(&told.staged)?;
        }
        become_user(id)?;
    }
    die_with(told.parent)?;
    descriptors::close_on_exec_beyond_standard().map_err(while_doing("close what was inherited"))?;
    let error = Command::new(&told.program).args(&told.args).env_clear().exec();
    Err(format!("cannot execute `{}`: {error}", told.program.display()))
}

/// Becomes a user without anything else on this machine, irrevocably.
fn become_user(id: u32) -> Result<(), String> {
    let (uid, gid) = (Uid::from_raw(id), Gid::from_raw(id));
    setgroups(&[]).map_err(while_doing("leave the supplementary groups"))?;
    setresgid(gid, gid, gid).map_err(while_doing("change the group"))?;
    setresuid(uid, uid, uid).map_err(while_doing("change the user"))
}

/// Makes this process end with the one that started it; that it has not ended yet is checked afterwards.
fn die_with(parent: u32) -> Result<(), String> {
    set_pdeathsig(Signal::SIGKILL).map_err(while_doing("tie this process to its parent"))?;
    let present = u32::try_from(getppid().as_raw()).unwrap_or_default();
    if present == parent { Ok(()) } else { Err("the process that asked for the sandbox is gone".to_owned()) }
}
