//! Determines what this machine can enforce by trying it: the exact sandbox is started with a program that only reports
//! the restrictions in force.

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

/// Features that the probe leaves out, for tests and for machines that must not use them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProbeOptions {
    /// As if the kernel had no user namespaces.
    pub without_user_namespaces: bool,
    /// As if no control group could be created.
    pub without_cgroups: bool,
    /// As if the kernel had no Landlock.
    pub without_landlock: bool,
    /// As if bubblewrap were not installed.
    pub without_bwrap: bool,
    /// A control group (version 2) that was delegated to this process, to create groups in.
    pub cgroup: Option<PathBuf>,
}

/// The restrictions that this machine can enforce.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// The files that a sandbox needs.
    pub tools: ToolPaths,
    /// Bubblewrap, or the reason it cannot be used.
    pub bwrap: Result<Bwrap, String>,
    /// `Ok` if namespaces could be created, or the error.
    pub namespaces: Result<(), String>,
    /// `Ok` if system calls could be filtered, or the error.
    pub seccomp: Result<(), String>,
    /// The version of Landlock; zero if there is none.
    pub landlock_abi: u32,
    /// The control groups that can be created.
    pub groups: Vec<Group>,
    /// The reasons for missing control groups.
    pub groups_missing: Vec<String>,
    /// The hard limits of this process, which no process of a sandbox can exceed.
    #[schemars(with = "Vec<RlimitForm>")]
    pub hard_limits: Vec<Rlimit>,
    /// True if this process is root on the host.
    pub root: bool,
    /// `Ok` if the sandbox can run as another user than root, or the reason it cannot.
    pub ordinary_user: Result<(), String>,
    /// The entries of the host's root folder that are shown inside.
    pub host: Vec<RootEntry>,
    /// The parts of the host's `/etc` that are shown inside.
    pub etc: Vec<PathBuf>,
    /// The level that a plan can have.
    pub level: IsolationLevel,
    /// The obstacles to each level that is not reached, with their fixes.
    pub missing: Vec<Missing>,
}

/// The JSON form of a limit; `deed-init` has no dependency that could describe it.
#[derive(schemars::JsonSchema)]
#[schemars(rename = "Rlimit")]
#[allow(dead_code, reason = "it only describes the form")]
struct RlimitForm {
    /// The limited resource.
    resource: String,
    /// The limit.
    value: u64,
}

impl Probe {
    /// The report for a receipt.
    pub fn report(&self) -> SandboxReport {
        let mut missing: Vec<String> = self.missing.iter().map(|one| format!("{}: {}", one.level, one.why)).collect();
        if let (true, Err(why)) = (self.root, &self.ordinary_user) {
            missing.push(format!("the code is root to the host: {why}"));
        }
        SandboxReport { obtained: self.level, layers: levels::layers(self), missing }
    }

    /// Returns whether code gets its own view of the file system, processes and the network.
    pub(crate) fn is_namespaced(&self) -> bool {
        self.bwrap.is_ok() && self.namespaces.is_ok()
    }

    /// Returns whether a control group with this controller can be created.
    pub(crate) fn has_group(&self, controller: &str) -> bool {
        self.groups.iter().any(|group| group.controllers.iter().any(|one| one == controller))
    }
}

/// Determines what this machine can enforce. It starts processes: call it once.
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
    trial::run_trials(&mut probe);
    levels::judge(&mut probe, landlock.err().as_deref());
    probe
}
