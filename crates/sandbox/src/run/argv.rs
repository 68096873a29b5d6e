//! The tasks and arguments of the processes that execute a plan: the launcher, bubblewrap and the guard.

use super::bwrap_mounts;
use super::groups::Groups;
use crate::plan::{INIT, ITSELF, SandboxPlan};
use deed_init::{Exec, Guard, Launch};
use std::path::PathBuf;

/// The first arguments of bubblewrap: every namespace, no new ones inside, no capabilities, and an end together with us.
const NAMESPACE_ARGS: &[&str] = &[
    "--unshare-user",
    "--disable-userns",
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-uts",
    "--unshare-cgroup",
    "--die-with-parent",
    "--new-session",
    "--as-pid-1",
    "--uid",
    "1000",
    "--gid",
    "1000",
    "--hostname",
    "deed",
    "--cap-drop",
    "ALL",
];

/// The task of the launcher, outside of the sandbox.
pub(super) fn launch(plan: &SandboxPlan, groups: &Groups, user: Option<u32>) -> Launch {
    let mut staged = Vec::new();
    let (program, args) = match &plan.bwrap {
        None => (PathBuf::from(ITSELF), vec!["guard".to_owned()]),
        Some(bwrap) => {
            let mut args: Vec<String> = NAMESPACE_ARGS.iter().map(|word| (*word).to_owned()).collect();
            let setup = if user.is_some() {
                bwrap_mounts::as_a_tree(&plan.mounts)
            } else {
                bwrap_mounts::one_by_one(&plan.mounts)
            };
            staged = setup.staged;
            args.extend(setup.args);
            let cwd = plan.cwd.to_string_lossy().into_owned();
            args.extend(["--chdir".to_owned(), cwd, "--".to_owned(), INIT.to_owned(), "guard".to_owned()]);
            (bwrap.clone(), args)
        }
    };
    Launch { parent: std::process::id(), groups: groups.join_through(), become_user: user, staged, program, args }
}

/// The task of the guard, the first process inside.
pub(super) fn guard(plan: &SandboxPlan) -> Guard {
    Guard { own_pids: plan.bwrap.is_some(), forward: plan.forward.clone(), exec: exec(plan) }
}

fn exec(plan: &SandboxPlan) -> Exec {
    Exec {
        program: plan.program.clone(),
        args: plan.args.clone(),
        cwd: plan.cwd.clone(),
        env: plan.env.clone(),
        rlimits: plan.rlimits.clone(),
        processes_beyond_present: plan.bwrap.is_none(),
        landlock: plan.landlock.clone(),
        seccomp: plan.syscalls.as_ref().map(|calls| calls.sockets),
    }
}
