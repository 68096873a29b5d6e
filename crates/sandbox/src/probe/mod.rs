//! What this machine can enforce, found out by doing it: the exact walls are raised around a program that does
//! nothing but say what holds for it.

mod bwrap;
mod groups;
mod host;
mod levels;
mod rlimits;
mod show;
mod trial;
mod userns;

pub use bwrap::Bwrap;
pub use groups::Group;
pub use host::RootEntry;
pub use levels::Missing;

pub(crate) use groups::own_prefix;

use crate::tools::{ToolPaths, Tools};
use deed_init::Rlimit;
use deed_model::{IsolationLevel, SandboxReport};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What the probe is to leave out, for tests and for machines that must not use it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProbeOptions {
    /// As if the kernel had no user namespaces.
    pub without_user_namespaces: bool,
    /// As if no control group could be made.
    pub without_cgroups: bool,
    /// As if the kernel had no Landlock.
    pub without_landlock: bool,
    /// As if bubblewrap were not installed.
    pub without_bwrap: bool,
    /// A control group (version 2) that was handed to this program, to make groups in.
    pub cgroup: Option<PathBuf>,
}

/// What this machine can enforce.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// The files that a sandbox needs.
    pub tools: ToolPaths,
    /// Bubblewrap, or why it cannot be used.
    pub bwrap: Result<Bwrap, String>,
    /// Whether namespaces could be made, or the words of the error.
    pub namespaces: Result<(), String>,
    /// Whether system calls could be filtered, or the words of the error.
    pub seccomp: Result<(), String>,
    /// The version of Landlock; zero where there is none.
    pub landlock_abi: u32,
    /// The control groups that can be made.
    pub groups: Vec<Group>,
    /// Why further control groups cannot be made.
    pub groups_missing: Vec<String>,
    /// The hard limits of this process, which no process of a sandbox can exceed.
    #[schemars(with = "Vec<RlimitForm>")]
    pub hard_limits: Vec<Rlimit>,
    /// Whether this program runs as root of the host.
    pub root: bool,
    /// Whether the sandbox can run as another user than root, or why not.
    pub ordinary_user: Result<(), String>,
    /// What stands at the root of the host and has to stand there inside.
    pub host: Vec<RootEntry>,
    /// What of the host's `/etc` is shown inside.
    pub etc: Vec<PathBuf>,
    /// The level that a plan can have.
    pub level: IsolationLevel,
    /// For each level that is not reached, why, and what to do.
    pub missing: Vec<Missing>,
}

/// The form of a limit in JSON; `deed-init` is kept free of what describes it.
#[derive(schemars::JsonSchema)]
#[schemars(rename = "Rlimit")]
#[allow(dead_code, reason = "it is described and never made")]
struct RlimitForm {
    /// What is limited.
    resource: String,
    /// The most of it.
    value: u64,
}

impl Probe {
    /// The same as a report, as a receipt has it.
    pub fn report(&self) -> SandboxReport {
        let mut missing: Vec<String> = self.missing.iter().map(|one| format!("{}: {}", one.level, one.why)).collect();
        if let (true, Err(why)) = (self.root, &self.ordinary_user) {
            missing.push(format!("the code is root to the host: {why}"));
        }
        SandboxReport { obtained: self.level, layers: levels::layers(self), missing }
    }

    /// Whether code gets a view of the file system, of processes and of the network of its own.
    pub(crate) fn walled(&self) -> bool {
        self.bwrap.is_ok() && self.namespaces.is_ok()
    }

    /// Whether a control group can be made that limits this.
    pub(crate) fn has_group(&self, controller: &str) -> bool {
        self.groups.iter().any(|group| group.controllers.iter().any(|one| one == controller))
    }
}

/// Finds out what this machine can enforce; to be asked once.
pub fn probe(tools: &Tools, options: &ProbeOptions) -> Probe {
    let (groups, groups_missing) = groups::found(options);
    let landlock = if options.without_landlock { Ok(0) } else { trial::landlock_abi(tools.paths()) };
    let mut probe = Probe {
        tools: tools.paths().clone(),
        bwrap: bwrap::found(options),
        namespaces: Ok(()),
        seccomp: Ok(()),
        landlock_abi: *landlock.as_ref().unwrap_or(&0),
        groups,
        groups_missing,
        hard_limits: rlimits::hard(),
        root: host::is_root(),
        ordinary_user: Ok(()),
        host: host::entries(),
        etc: host::etc(),
        level: IsolationLevel::L0,
        missing: Vec::new(),
    };
    if options.without_user_namespaces {
        probe.namespaces = Err("left out on request".to_owned());
    }
    trial::tried(&mut probe);
    levels::judge(&mut probe, landlock.err().as_deref());
    probe
}
