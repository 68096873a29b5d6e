//! Checks before anything is started, which give a clear message for a failure that would be obscure later.

use crate::plan::{MountKind, SandboxPlan, User};
use std::fs::{self, Metadata};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

/// Checks the binary, and every path of the caller.
pub(super) fn check(plan: &SandboxPlan) -> Result<(), String> {
    plan.tools.verify().map_err(|error| error.to_string())?;
    for folder in &plan.writable {
        let folder_itself = facts(folder)?.is_dir();
        if !folder_itself {
            return Err(format!("`{}` is not a folder", folder.display()));
        }
    }
    for socket in &plan.sockets {
        if !facts(socket)?.file_type().is_socket() {
            return Err(format!("`{}` is not a socket", socket.display()));
        }
    }
    for mount in plan.mounts.iter().filter(|mount| mount.private) {
        if let MountKind::ReadOnly(host) = &mount.kind {
            readable(host, plan)?;
        }
    }
    match (plan.user, &plan.bwrap) {
        (User::Ordinary(_), None) => in_reach(plan),
        _ => Ok(()),
    }
}

fn facts(path: &Path) -> Result<Metadata, String> {
    let facts = fs::symlink_metadata(path).map_err(|error| format!("`{}` cannot be used: {error}", path.display()))?;
    if facts.is_symlink() {
        return Err(format!("`{}` is a symbolic link, and could lead anywhere", path.display()));
    }
    Ok(facts)
}

/// Checks that the user of the code can read a path itself; the folders above it do not matter.
fn readable(path: &Path, plan: &SandboxPlan) -> Result<(), String> {
    let facts = facts(path)?;
    let needed = if facts.is_dir() { 0o005 } else { 0o004 };
    let open = plan.user == User::Same || facts.file_type().is_socket() || facts.mode() & needed == needed;
    if open { Ok(()) } else { Err(format!("`{}` cannot be read by others than its owner", path.display())) }
}

/// Checks that another user can enter the folders above every path, which it must without a mount namespace.
fn in_reach(plan: &SandboxPlan) -> Result<(), String> {
    let landlock = plan.landlock.iter().flat_map(|rules| &rules.paths).map(|rule| &rule.path);
    let paths = [&plan.cwd, &plan.program].into_iter().chain(&plan.writable).chain(landlock);
    for path in paths.filter(|path| !path.starts_with("/proc")) {
        let closed =
            path.ancestors().skip(1).find(|above| !fs::metadata(above).is_ok_and(|facts| facts.mode() & 1 == 1));
        if let Some(above) = closed {
            let (path, above) = (path.display(), above.display());
            return Err(format!("`{path}` cannot be reached by an ordinary user, since `{above}` is closed"));
        }
    }
    Ok(())
}
