//! Stages the mounts of a user who cannot reach their sources, in a mount namespace of this process alone.
//!
//! A private file system covers `/tmp`, and everything is put below it. Paths of the host are opened before `/tmp` is
//! covered, since they may lie there, and after the namespace is entered, since the kernel binds no others. Nothing
//! is ever created in a folder of the host, nor through a link that could lead to one: there, only existing paths can
//! be covered.

use super::while_doing;
use deed_init::{Put, Staged};
use nix::fcntl::{OFlag, open};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::stat::{Mode, umask};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Component, Path};

/// The mount flags: no setuid programs, and no devices.
const PLAIN: MsFlags = MsFlags::MS_NOSUID.union(MsFlags::MS_NODEV);

/// Makes all staged mounts, in this order.
pub(crate) fn stage(all: &[Staged]) -> Result<(), String> {
    unshare(CloneFlags::CLONE_NEWNS).map_err(while_doing("make a mount namespace"))?;
    mount(None::<&str>, "/", None::<&str>, MsFlags::MS_REC | MsFlags::MS_PRIVATE, None::<&str>)
        .map_err(while_doing("make the mounts private"))?;
    let opened: Vec<Option<OwnedFd>> = all.iter().map(opened).collect::<Result<_, _>>()?;
    mount(Some("deed"), "/tmp", Some("tmpfs"), PLAIN, Some("mode=755,size=1m"))
        .map_err(while_doing("cover the temporary folder"))?;
    // Other users can enter the folders that are created here, whatever the umask of the caller is.
    let before = umask(Mode::from_bits_truncate(0o022));
    let mut places = Places::default();
    for (one, file) in all.iter().zip(&opened) {
        places.put(one, file.as_ref()).map_err(|why| format!("cannot stage `{}`: {why}", one.to.display()))?;
    }
    umask(before);
    Ok(())
}

fn opened(one: &Staged) -> Result<Option<OwnedFd>, String> {
    let Put::Bind(path) = &one.what else { return Ok(None) };
    open(path, OFlag::O_PATH | OFlag::O_CLOEXEC, Mode::empty())
        .map(Some)
        .map_err(|error| format!("cannot reach `{}`: {error}", path.display()))
}

/// The paths below `/tmp` so far.
#[derive(Default)]
struct Places<'a> {
    /// Paths of the host, and links.
    bound: Vec<&'a Path>,
    /// Existing folders.
    made: BTreeSet<&'a Path>,
}

impl<'a> Places<'a> {
    fn put(&mut self, one: &'a Staged, file: Option<&OwnedFd>) -> Result<(), String> {
        let to = one.to.as_path();
        if to.components().any(|part| part == Component::ParentDir) {
            return Err("it leads back".to_owned());
        }
        let ours = !self.bound.iter().any(|host| to.starts_with(host));
        match (&one.what, file) {
            (Put::Bind(_), Some(file)) => {
                self.bind(to, file, ours)?;
                self.bound.push(to);
                Ok(())
            }
            (Put::Seal, _) => attach(to, to, MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY | PLAIN),
            _ if !ours => Err("it would have to be made in a folder of the host".to_owned()),
            (Put::Link(target), _) => {
                self.folder_above(to)?;
                self.bound.push(to);
                symlink(target, to).map_err(|error| error.to_string())
            }
            (Put::Ground, _) => {
                self.folder(to)?;
                attach(to, to, MsFlags::MS_BIND)
            }
            (Put::Folder | Put::Bind(_), _) => self.folder(to),
        }
    }

    fn bind(&mut self, to: &'a Path, file: &OwnedFd, ours: bool) -> Result<(), String> {
        let source = format!("/proc/self/fd/{}", file.as_raw_fd());
        if ours && !self.made.contains(to) {
            self.folder_above(to)?;
            let folder = fs::metadata(&source).map_err(|error| error.to_string())?.is_dir();
            let made = if folder { fs::create_dir(to) } else { File::create_new(to).map(drop) };
            made.map_err(|error| error.to_string())?;
        }
        attach(Path::new(&source), to, MsFlags::MS_BIND | MsFlags::MS_REC)
    }

    fn folder_above(&mut self, path: &'a Path) -> Result<(), String> {
        path.parent().map_or(Ok(()), |above| self.folder(above))
    }

    fn folder(&mut self, path: &'a Path) -> Result<(), String> {
        if self.made.insert(path) { fs::create_dir_all(path).map_err(|error| error.to_string()) } else { Ok(()) }
    }
}

/// A bind, or a change of one.
fn attach(from: &Path, to: &Path, flags: MsFlags) -> Result<(), String> {
    mount(Some(from), to, None::<&str>, flags, None::<&str>).map_err(|error| error.to_string())
}
