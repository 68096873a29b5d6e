//! What each part of the binary is told, and what it answers. Nothing secret stands in any of it.

use crate::access::Access;
use crate::resource::Resource;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What the part outside does before the walls go up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launch {
    /// The process that started this one; where it is gone already, nothing is started.
    pub parent: u32,
    /// The files through which control groups are joined.
    pub groups: Vec<PathBuf>,
    /// The user and group to become; none where this is not root.
    pub become_user: Option<u32>,
    /// What is put below `/tmp` for that user, in a private mount namespace.
    pub staged: Vec<Staged>,
    /// What is executed.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
}

/// Something that is put below `/tmp` while that can still be done, and can be reached after the user has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Staged {
    /// Where it will be; the folders above it are made.
    pub to: PathBuf,
    /// What it will be.
    pub what: Put,
}

/// What is put somewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Put {
    /// A path of the host.
    Bind(PathBuf),
    /// A link with this content.
    Link(PathBuf),
    /// An empty folder.
    Folder,
    /// An empty folder that can be sealed later.
    Ground,
    /// Nothing new: in the ground that is there, nothing can be changed from now on.
    Seal,
}

/// What the first process inside does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// Whether the process ids are its own, so that all others may be ended at once.
    pub own_pids: bool,
    /// The way from a port to a socket file.
    pub forward: Option<Forward>,
    /// What is executed.
    pub exec: Exec,
}

/// A port of the loopback that leads to a socket file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forward {
    /// The port on 127.0.0.1.
    pub port: u16,
    /// The socket file.
    pub socket: PathBuf,
}

/// What is executed, under which limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exec {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where it starts.
    pub cwd: PathBuf,
    /// Its whole environment.
    pub env: BTreeMap<String, String>,
    /// The limits of each process.
    pub rlimits: Vec<Rlimit>,
    /// Whether the limit of processes counts beyond those that the user has already, for it is shared with them.
    pub processes_beyond_present: bool,
    /// What may be reached by path and port; none where Landlock is not to be used.
    pub landlock: Option<LandlockRules>,
    /// Which sockets the filter of system calls lets through; none where there is to be no filter.
    pub seccomp: Option<Sockets>,
}

/// One limit of each process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rlimit {
    /// What is limited.
    pub resource: Resource,
    /// The limit, soft and hard.
    pub value: u64,
}

/// Which sockets may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sockets {
    /// Unix sockets alone.
    Unix,
    /// Unix sockets, and TCP for the loopback.
    UnixAndTcp,
}

/// What Landlock lets through; all else is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LandlockRules {
    /// Paths, and what may be done below them.
    pub paths: Vec<PathRule>,
    /// Ports that may be connected to; none may be listened on.
    pub connect: Vec<u16>,
}

/// One path, and what may be done below it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathRule {
    /// The path.
    pub path: PathBuf,
    /// What may be done.
    pub access: Access,
}

/// What the first process says while it runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// The program has begun.
    Started,
    /// The program has ended.
    Ended(Status),
}

/// How the program ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Status {
    /// In which way.
    pub ended: Ended,
    /// How many processes it left behind, which were ended.
    pub left_behind: u64,
    /// Milliseconds of CPU of all processes that were waited for.
    pub cpu_ms: u64,
    /// Bytes of memory of the largest of them.
    pub max_rss: u64,
}

/// In which way the program ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// By itself.
    Exited(i32),
    /// By a signal.
    Signalled(i32),
    /// It never began.
    CouldNotStart(String),
}
