//! Makes host paths reachable for a user who may not walk to them, in a mount namespace of this process alone.
//!
//! A private file system covers `/tmp`, and each path is bound below it. The paths are opened before `/tmp` is
//! covered, since they may lie there, and after the namespace is entered, since the kernel binds no others.

use super::while_doing;
use deed_init::Staged;
use nix::fcntl::{OFlag, open};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::stat::Mode;
use std::fs;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

/// Binds every path to its new place.
pub(crate) fn stage(paths: &[Staged]) -> Result<(), String> {
    unshare(CloneFlags::CLONE_NEWNS).map_err(while_doing("make a mount namespace"))?;
    mount_plain("/", MsFlags::MS_REC | MsFlags::MS_PRIVATE)?;
    let opened: Vec<OwnedFd> = paths.iter().map(|path| opened(&path.from)).collect::<Result<_, _>>()?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(Some("deed"), "/tmp", Some("tmpfs"), flags, Some("mode=755,size=1m"))
        .map_err(while_doing("cover the temporary folder"))?;
    paths.iter().zip(&opened).try_for_each(|(path, file)| bind(path, file))
}

fn opened(path: &Path) -> Result<OwnedFd, String> {
    open(path, OFlag::O_PATH | OFlag::O_CLOEXEC, Mode::empty())
        .map_err(|error| format!("cannot reach `{}`: {error}", path.display()))
}

fn bind(path: &Staged, file: &OwnedFd) -> Result<(), String> {
    let source = format!("/proc/self/fd/{}", file.as_raw_fd());
    let failed = |error: &dyn std::fmt::Display| format!("cannot stage `{}`: {error}", path.from.display());
    let folder = fs::metadata(&source).map_err(|error| failed(&error))?.is_dir();
    let made = if folder { fs::create_dir(&path.to) } else { fs::write(&path.to, "") };
    made.map_err(|error| failed(&error))?;
    let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
    mount(Some(source.as_str()), &path.to, None::<&str>, flags, None::<&str>).map_err(|error| failed(&error))
}

fn mount_plain(path: &str, flags: MsFlags) -> Result<(), String> {
    mount(None::<&str>, path, None::<&str>, flags, None::<&str>).map_err(while_doing("make the mounts private"))
}
