//! The tasks and answers of each role of the binary. None of them contains a secret.

use crate::access::Access;
use crate::resource::Resource;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The task of the launcher, which runs outside before the sandbox is set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launch {
    /// The process that started this one; if it has ended already, nothing is started.
    pub parent: u32,
    /// The files through which control groups are joined.
    pub groups: Vec<PathBuf>,
    /// The user and group to become; `None` if this is not root.
    pub become_user: Option<u32>,
    /// The mounts that are staged below `/tmp` for that user, in a private mount namespace.
    pub staged: Vec<Staged>,
    /// The program to execute.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
}

/// A mount below `/tmp` that is made before the user changes, and can be reached afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Staged {
    /// Its path; the folders above it are created.
    pub to: PathBuf,
    /// Its kind.
    pub what: Put,
}

/// The kind of a staged mount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Put {
    /// A path of the host.
    Bind(PathBuf),
    /// A link to this target.
    Link(PathBuf),
    /// An empty folder.
    Folder,
    /// An empty folder that can be sealed later.
    Ground,
    /// Nothing new: makes an existing folder read-only from now on.
    Seal,
}

/// The task of the guard, the first process inside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// True in a process namespace of its own, so that all other processes may be ended at once.
    pub own_pids: bool,
    /// The forwarding of a port to a socket file.
    pub forward: Option<Forward>,
    /// The program to execute.
    pub exec: Exec,
}

/// A port of the loopback that is forwarded to a socket file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forward {
    /// The port on 127.0.0.1.
    pub port: u16,
    /// The socket file.
    pub socket: PathBuf,
}

/// The program to execute, with its limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exec {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working folder.
    pub cwd: PathBuf,
    /// Its whole environment.
    pub env: BTreeMap<String, String>,
    /// The limits of each process.
    pub rlimits: Vec<Rlimit>,
    /// True if the limit of processes is added to the number that the user has already, which shares it.
    pub processes_beyond_present: bool,
    /// The allowed paths and ports; `None` without Landlock.
    pub landlock: Option<LandlockRules>,
    /// The sockets that the filter of system calls allows; `None` without a filter.
    pub seccomp: Option<Sockets>,
}

/// One limit of each process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rlimit {
    /// The limited resource.
    pub resource: Resource,
    /// The limit, soft and hard.
    pub value: u64,
}

/// The allowed sockets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sockets {
    /// Unix sockets alone.
    Unix,
    /// Unix sockets, and TCP for the loopback.
    UnixAndTcp,
}

/// The rules of Landlock; everything else is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LandlockRules {
    /// Paths, and the access below them.
    pub paths: Vec<PathRule>,
    /// Ports that may be connected to; none may be listened on.
    pub connect: Vec<u16>,
}

/// One path, and the access below it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathRule {
    /// The path.
    pub path: PathBuf,
    /// The access.
    pub access: Access,
}

/// A message of the guard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// The program has begun.
    Started,
    /// The program has ended.
    Ended(Status),
}

/// The end of the program, and its usage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Status {
    /// The way it ended.
    pub ended: Ended,
    /// The number of leftover processes, which were ended.
    pub left_behind: u64,
    /// CPU milliseconds of all processes that were waited for.
    pub cpu_ms: u64,
    /// Bytes of memory of the largest of them.
    pub max_rss: u64,
}

/// The way the program ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// It exited with this code.
    Exited(i32),
    /// It was ended by this signal.
    Signalled(i32),
    /// It could not be started, for this reason.
    CouldNotStart(String),
}
