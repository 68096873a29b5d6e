//! The rules of Landlock and the filter of system calls.

use super::mounts::DEVICES;
use super::within::{BRIDGE, CA, ITSELF, Layout, PROXY_PORT, WORKSPACE};
use crate::job::Job;
use crate::probe::{Probe, RootEntry};
use deed_init::{ALLOWED, Access, CONDITIONAL, LandlockRules, PathRule, Sockets, UNKNOWN};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The parts of the host's `/proc` that a program may read without namespaces.
const HOST_PROC: &[&str] = &["/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version"];

/// The allowed system calls; the rest is refused with `EPERM`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SyscallPlan {
    /// The allowed sockets.
    pub sockets: Sockets,
    /// Allowed calls.
    pub allowed: Vec<String>,
    /// Calls that are allowed for some arguments, with the condition.
    pub conditional: Vec<String>,
    /// Calls that fail as if the kernel did not know them.
    pub unknown: Vec<String>,
}

pub(super) fn syscalls(layout: &Layout) -> SyscallPlan {
    let mut allowed: Vec<String> = ALLOWED.iter().copied().flatten().map(|(name, _)| (*name).to_owned()).collect();
    allowed.sort();
    SyscallPlan {
        sockets: if layout.is_namespaced() { Sockets::UnixAndTcp } else { Sockets::Unix },
        allowed,
        conditional: CONDITIONAL.iter().map(|call| format!("{}: {}", call.name, call.when)).collect(),
        unknown: UNKNOWN.iter().map(|(name, _)| (*name).to_owned()).collect(),
    }
}

/// The rule that allows a program to execute itself.
pub(super) fn itself() -> PathRule {
    rule(ITSELF, Access::Execute)
}

pub(super) fn landlock(job: &Job, probe: &Probe, layout: &Layout) -> LandlockRules {
    let mut paths = vec![rule("/usr", Access::Execute)];
    for entry in &probe.host {
        if let RootEntry::Folder(path) = entry {
            paths.push(rule(path, Access::Execute));
        }
    }
    paths.extend(job.interpreter.paths.iter().map(|path| rule(layout.at(&path.inside, &path.host), Access::Execute)));
    match layout {
        Layout::Fixed => paths.extend(fixed()),
        Layout::Host(..) => paths.extend(on_host(job, probe)),
    }
    paths.extend(DEVICES.iter().map(|device| rule(device, Access::Use)));
    paths.extend(job.writable.iter().map(|bind| rule(layout.place(bind), Access::Write)));
    paths.extend(job.bridge.iter().map(|host| rule(layout.at(BRIDGE, host), Access::Use)));
    paths.extend(job.ca.iter().map(|host| rule(layout.at(CA, host), Access::Read)));
    let connect = if layout.forward(job).is_some() { vec![PROXY_PORT] } else { Vec::new() };
    LandlockRules { paths, connect }
}

fn fixed() -> Vec<PathRule> {
    let read = ["/etc", "/proc", WORKSPACE].map(|path| rule(path, Access::Read));
    read.into_iter().chain([rule("/tmp", Access::Scratch)]).collect()
}

fn on_host(job: &Job, probe: &Probe) -> Vec<PathRule> {
    let system = HOST_PROC.iter().map(PathBuf::from).chain(probe.etc.iter().cloned());
    let own = job.inputs.iter().map(|bind| bind.host.clone()).chain(job.meta.clone());
    system.chain(own).map(|path| rule(path, Access::Read)).collect()
}

fn rule(path: impl AsRef<Path>, access: Access) -> PathRule {
    PathRule { path: path.as_ref().to_owned(), access }
}
