//! The plan in the words of those who carry it out: what the launcher is told, what bubblewrap is, and the guard.

use super::groups::Groups;
use super::walls;
use crate::plan::{INIT, ITSELF, SandboxPlan};
use deed_init::{Exec, Guard, Launch};
use std::path::PathBuf;

/// What bubblewrap is told first: every namespace, no way back, and an end together with us.
const WALLS: &[&str] = &[
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

/// What is done outside.
pub(super) fn launch(plan: &SandboxPlan, groups: &Groups, user: Option<u32>) -> Launch {
    let mut staged = Vec::new();
    let (program, args) = match &plan.bwrap {
        None => (PathBuf::from(ITSELF), vec!["guard".to_owned()]),
        Some(bwrap) => {
            let mut args: Vec<String> = WALLS.iter().map(|word| (*word).to_owned()).collect();
            let raised = if user.is_some() { walls::as_a_tree(&plan.mounts) } else { walls::one_by_one(&plan.mounts) };
            staged = raised.staged;
            args.extend(raised.words);
            let cwd = plan.cwd.to_string_lossy().into_owned();
            args.extend(["--chdir".to_owned(), cwd, "--".to_owned(), INIT.to_owned(), "guard".to_owned()]);
            (bwrap.clone(), args)
        }
    };
    Launch { parent: std::process::id(), groups: groups.join_through(), become_user: user, staged, program, args }
}

/// What is done by the first process inside.
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
