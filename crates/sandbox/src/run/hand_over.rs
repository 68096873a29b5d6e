//! Gives the user that the code will run as what it may write to, and closes its folder to everyone else.

use crate::plan::{SandboxPlan, User};
use deed_canon::Invariant as _;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, lchown};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// How many ids each process gives out before it begins again.
const EACH: u32 = 256;

/// The id for this run: of no other process, and of none of the last runs of this one.
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

/// Gives away the folders, with all that is in them, the sockets, and the folder around them.
pub(super) fn give(plan: &SandboxPlan, user: Option<u32>) -> Result<(), String> {
    let Some(user) = user else { return Ok(()) };
    if let Some(folder) = &plan.own_folder {
        close(folder, user)?;
    }
    plan.writable.iter().chain(&plan.sockets).try_for_each(|path| given(path, user))
}

/// Gives a folder itself to a user, and nobody else a way into it.
fn close(folder: &Path, user: u32) -> Result<(), String> {
    let failed = |error| format!("`{}` cannot be closed to others: {error}", folder.display());
    fs::set_permissions(folder, Permissions::from_mode(0o700)).map_err(failed)?;
    lchown(folder, Some(user), Some(user)).map_err(failed)
}

/// Goes through without following links, and without calling itself: how deep it goes was chosen by somebody else.
fn given(path: &Path, user: u32) -> Result<(), String> {
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
