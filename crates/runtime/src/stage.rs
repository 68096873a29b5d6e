//! The stage of an attempt: folders of our own that its sandbox sees as `/workspace`, gone when the attempt is over.

use deed_diag::Invariant as _;
use nix::fcntl::{OFlag, openat};
use nix::sys::stat::Mode;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

/// The folders of an attempt. Their name cannot be guessed: where code is sandboxed by rules alone, it must
/// not find the bridge of another step.
#[derive(Debug)]
pub(crate) struct Stage {
    root: PathBuf,
}

impl Stage {
    /// Chooses a new folder below another; nothing is made yet.
    pub(crate) fn below(folder: &Path) -> io::Result<Self> {
        let mut name = [0_u8; 16];
        getrandom::fill(&mut name).map_err(io::Error::other)?;
        let name: String = name.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { root: folder.join(name) })
    }

    /// Makes the folders that code sees. The folders that lead there are closed to other users of the machine; where code has to walk
    /// through them as a user of its own, it can, but cannot list them.
    pub(crate) fn make(&self, walked: StageAccess) -> io::Result<()> {
        let mode = match walked {
            StageAccess::ByOwner => 0o700,
            StageAccess::ByUserOfCode => 0o711,
        };
        let run = self.root.parent();
        for folder in [run.and_then(Path::parent), run, Some(&self.root)].into_iter().flatten() {
            enclose(folder, mode)?;
        }
        [self.inputs(), self.outputs(), self.meta(), self.output("work"), self.output("output")]
            .iter()
            .try_for_each(fs::create_dir)
    }

    /// The folder that holds all of it.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Lets the user that the sandbox runs as read all that is in the folder, regardless of the umask of this process. The folder itself stays closed.
    pub(crate) fn show(&self) -> io::Result<()> {
        let mut open: Vec<PathBuf> = entries(&self.root)?;
        while let Some(path) = open.pop() {
            let facts = fs::symlink_metadata(&path)?;
            let mode = facts.mode() & 0o777;
            let wanted = match facts.is_dir() {
                true => mode | 0o755,
                false if facts.is_file() => mode | 0o444,
                false => continue,
            };
            if mode != wanted {
                fs::set_permissions(&path, fs::Permissions::from_mode(wanted))?;
            }
            if facts.is_dir() {
                open.extend(entries(&path)?);
            }
        }
        Ok(())
    }

    /// Listens at a socket. Its name may have 107 bytes, and the folder of a workspace more; so the folder is named by
    /// a file that is open.
    pub(crate) fn listen(&self, socket: &Path) -> io::Result<UnixListener> {
        let folder = File::open(&self.root)?;
        let name = socket.file_name().invariant("a socket has a name");
        let listener = UnixListener::bind(format!("/proc/self/fd/{}/{}", folder.as_raw_fd(), name.display()))?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    }

    /// Returns the folder of inputs that have no file of their own.
    pub(crate) fn inputs(&self) -> PathBuf {
        self.root.join("in")
    }

    /// Returns the folder with what code can read about its step.
    pub(crate) fn meta(&self) -> PathBuf {
        self.root.join("meta")
    }

    /// The parent of all that code can write to.
    pub(crate) fn outputs(&self) -> PathBuf {
        self.root.join("out")
    }

    /// A file or folder that code can write.
    pub(crate) fn output(&self, path: &str) -> PathBuf {
        self.outputs().join(path)
    }

    /// Opens a file that code wrote, folder by folder and without following links: its code may still run, and could change
    /// what a name means between two looks.
    pub(crate) fn open_output(&self, parts: &[&str]) -> io::Result<File> {
        let mut at = OwnedFd::from(File::open(self.outputs())?);
        for (place, part) in parts.iter().enumerate() {
            let last = place + 1 == parts.len();
            // A pipe without a writer must not block this thread.
            let kind = if last { OFlag::O_NONBLOCK } else { OFlag::O_DIRECTORY };
            let flags = OFlag::O_RDONLY | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW | kind;
            at = openat(&at, *part, flags, Mode::empty())?;
        }
        let file = File::from(at);
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        Ok(file)
    }

    /// The socket of the bridge.
    pub(crate) fn bridge(&self) -> PathBuf {
        self.root.join("b")
    }

    /// The socket of the proxy.
    pub(crate) fn proxy(&self) -> PathBuf {
        self.root.join("p")
    }

    /// The certificate that intercepted connections are made with.
    pub(crate) fn ca(&self) -> PathBuf {
        self.root.join("ca.pem")
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // What cannot be removed now is removed with the run's folder.
        let _ = remove(&self.root);
    }
}

/// The user who walks to the folders of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StageAccess {
    /// This process alone: code sees them through mounts.
    ByOwner,
    /// The user that the code runs as.
    ByUserOfCode,
}

/// Makes a folder, or takes one that is there, with exactly this mode.
fn enclose(folder: &Path, mode: u32) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(mode).create(folder)?;
    if fs::metadata(folder)?.mode() & 0o777 == mode {
        return Ok(());
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(mode))
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect()
}

/// Removes a folder and everything in it, also where code nested it deeply or took permissions away.
pub(crate) fn remove(root: &Path) -> io::Result<()> {
    match deed_sandbox::remove_tree(root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
