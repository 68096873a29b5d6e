//! The plan in the words of those who carry it out: what the launcher is told, what bubblewrap is, and the guard.

use super::groups::Groups;
use crate::plan::{INIT, ITSELF, MountKind, PlannedMount, SandboxPlan};
use deed_init::{Exec, Guard, Launch, Staged};
use std::path::{Path, PathBuf};

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
            for mount in &plan.mounts {
                args.extend(words(mount, user.is_some(), &mut staged));
            }
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

/// One mount; where another user could not walk to its source, that is staged first.
fn words(mount: &PlannedMount, other_user: bool, staged: &mut Vec<Staged>) -> Vec<String> {
    let inside = text(&mount.inside);
    let mut source = |host: &Path| {
        if !(other_user && mount.private) {
            return text(host);
        }
        let to = PathBuf::from(format!("/tmp/{}", staged.len()));
        staged.push(Staged { from: host.to_owned(), to: to.clone() });
        text(&to)
    };
    let word = |text: &str| text.to_owned();
    match &mount.kind {
        MountKind::ReadOnly(host) => vec![word("--ro-bind"), source(host), inside],
        MountKind::Writable(host) => vec![word("--bind"), source(host), inside],
        MountKind::Device(host) => vec![word("--dev-bind"), source(host), inside],
        MountKind::Link(target) => vec![word("--symlink"), text(target), inside],
        MountKind::Memory(bytes) => vec![word("--size"), bytes.to_string(), word("--tmpfs"), inside],
        MountKind::Processes => vec![word("--proc"), inside],
        MountKind::Folder => vec![word("--dir"), inside],
        MountKind::Sealed => vec![word("--remount-ro"), inside],
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
