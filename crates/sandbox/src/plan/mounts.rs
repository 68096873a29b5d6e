//! The mounts of a sandbox, in the order in which they are made. The code sees nothing else of the file system.

use super::within::{BRIDGE, CA, INIT, META, PROXY, WORKSPACE};
use crate::job::Job;
use crate::probe::{Probe, RootEntry};
use deed_model::SandboxLimits;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Devices that programs expect, and that give access to nothing.
pub(super) const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/urandom"];

/// The links in `/dev`: a program's own files, and paths that need no mount. Each mount costs time at the start.
const LINKS: &[(&str, &str)] = &[
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/random", "/dev/urandom"),
    ("/dev/shm", "/tmp"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
];

/// The kind of a mount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MountKind {
    /// A host path, read-only.
    ReadOnly(PathBuf),
    /// A host folder, writable.
    Writable(PathBuf),
    /// A device of the host.
    Device(PathBuf),
    /// A link to this target.
    Link(PathBuf),
    /// A private file system in memory, with this size in bytes.
    Memory(u64),
    /// The view of the processes inside.
    Processes,
    /// A folder, empty.
    Folder,
    /// Makes this mount read-only from here on.
    Sealed,
}

/// One mount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedMount {
    /// The path inside.
    pub inside: PathBuf,
    /// The kind.
    pub kind: MountKind,
    /// True if its source may be in a folder that only the caller can enter.
    pub private: bool,
}

pub(super) fn listed(job: &Job, limits: &SandboxLimits, probe: &Probe) -> Vec<PlannedMount> {
    let mut list = List(Vec::new());
    list.system(probe);
    list.devices();
    list.put("/tmp", MountKind::Memory(limits.scratch_bytes.max(4096)));
    for path in &job.interpreter.paths {
        list.shown(&path.inside, &path.host);
    }
    list.shown(INIT, &probe.tools.init);
    list.put(WORKSPACE, MountKind::Folder);
    for bind in &job.writable {
        list.private(&bind.inside, MountKind::Writable(bind.host.clone()));
    }
    // After the writable folders: an input may be inside one of them, and stays read-only there.
    for bind in &job.inputs {
        list.shown(&bind.inside, &bind.host);
    }
    let single = [(META, &job.meta), (BRIDGE, &job.bridge), (PROXY, &job.proxy), (CA, &job.ca)];
    for (inside, host) in single {
        host.iter().for_each(|host| list.shown(inside, host));
    }
    list.put("/dev", MountKind::Sealed);
    list.put("/", MountKind::Sealed);
    list.0
}

/// A list of mounts.
struct List(Vec<PlannedMount>);

impl List {
    /// Adds a mount whose source everyone on the host can reach.
    fn put(&mut self, inside: impl AsRef<Path>, kind: MountKind) {
        self.0.push(PlannedMount { inside: inside.as_ref().to_owned(), kind, private: false });
    }

    /// Adds a mount whose source perhaps only the caller can reach.
    fn private(&mut self, inside: impl AsRef<Path>, kind: MountKind) {
        self.0.push(PlannedMount { inside: inside.as_ref().to_owned(), kind, private: true });
    }

    /// Adds a read-only path of the caller.
    fn shown(&mut self, inside: impl AsRef<Path>, host: &Path) {
        self.private(inside, MountKind::ReadOnly(host.to_owned()));
    }

    fn system(&mut self, probe: &Probe) {
        let same = |path: &Path| MountKind::ReadOnly(path.to_owned());
        self.put("/usr", same(Path::new("/usr")));
        for entry in &probe.host {
            match entry {
                RootEntry::Folder(path) => self.put(path, same(path)),
                RootEntry::Link(path, target) => self.put(path, MountKind::Link(target.clone())),
            }
        }
        self.shown("/etc", &probe.tools.etc);
        for path in &probe.etc {
            self.put(path, same(path));
        }
        self.put("/proc", MountKind::Processes);
        self.put("/proc/sys", same(Path::new("/proc/sys")));
    }

    fn devices(&mut self) {
        // Room for the names of a few devices and links.
        self.put("/dev", MountKind::Memory(64 << 10));
        for device in DEVICES {
            self.put(device, MountKind::Device(PathBuf::from(device)));
        }
        for (inside, target) in LINKS {
            self.put(inside, MountKind::Link(PathBuf::from(target)));
        }
    }
}
