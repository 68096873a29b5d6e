//! Gives the writable folders to the user that the code runs as, and closes its folder to everyone else.

use crate::plan::{SandboxPlan, User};
use deed_canon::Invariant as _;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, lchown};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of ids that each process assigns before it starts over.
const EACH: u32 = 256;

/// The user id for this run: distinct from those of other processes, and of the last runs of this one.
pub(super) fn user(plan: &SandboxPlan) -> Option<u32> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    match plan.user {
        User::Same => None,
        User::Ordinary(first) => {
            let slot = NEXT.fetch_add(1, Ordering::Relaxed) % EACH;
            let own = std::process::id().checked_mul(EACH).and_then(|id| id.checked_add(first)?.checked_add(slot));
            // The largest id means "do not change the owner".
            Some(own.filter(|id| *id < u32::MAX).invariant("process ids leave room for users of their own"))
        }
    }
}

/// Gives the user the writable folders with their content, the sockets, and the folder around them.
pub(super) fn give(plan: &SandboxPlan, user: Option<u32>) -> Result<(), String> {
    let Some(user) = user else { return Ok(()) };
    if let Some(folder) = &plan.own_folder {
        close(folder, user)?;
    }
    plan.writable.iter().chain(&plan.sockets).try_for_each(|path| give_tree(path, user))
}

/// Gives a folder itself to a user, and closes it to everyone else.
fn close(folder: &Path, user: u32) -> Result<(), String> {
    let failed = |error| format!("`{}` cannot be closed to others: {error}", folder.display());
    fs::set_permissions(folder, Permissions::from_mode(0o700)).map_err(failed)?;
    lchown(folder, Some(user), Some(user)).map_err(failed)
}

/// Gives a tree to a user without following links, and without recursion: its depth is not trusted.
fn give_tree(path: &Path, user: u32) -> Result<(), String> {
    let mut open = vec![path.to_owned()];
    while let Some(next) = open.pop() {
        let failed = |error| {
            let name: String = next.display().to_string().chars().take(200).collect();
            format!("`{name}` cannot be handed over: {error}")
        };
        lchown(&next, Some(user), Some(user)).map_err(failed)?;
        if fs::symlink_metadata(&next).map_err(failed)?.is_dir() {
            for entry in fs::read_dir(&next).map_err(failed)? {
                open.push(entry.map_err(failed)?.path());
            }
        }
    }
    Ok(())
}
