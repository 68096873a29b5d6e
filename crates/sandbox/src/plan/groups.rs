//! The limits of all processes together, as files of control groups.

use super::limits::OWN_PROCESSES;
use crate::probe::Probe;
use deed_model::SandboxLimits;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A control group that is created for the run and removed after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupPlan {
    /// The version of control groups: 1 or 2.
    pub version: u8,
    /// The controllers.
    pub controllers: Vec<String>,
    /// The group that it is created in.
    pub parent: PathBuf,
    /// The settings, one for each file.
    pub settings: Vec<Setting>,
}

/// One file of a control group, and its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The file.
    pub file: String,
    /// The content.
    pub value: String,
    /// True if the run may start without it on a kernel that lacks the file.
    pub optional: bool,
}

pub(super) fn listed(limits: &SandboxLimits, probe: &Probe) -> Vec<GroupPlan> {
    let one = |group: &crate::probe::Group| GroupPlan {
        version: group.version,
        controllers: group.controllers.clone(),
        parent: group.parent.clone(),
        settings: group.controllers.iter().flat_map(|name| settings(group.version, name, limits)).collect(),
    };
    probe.groups.iter().map(one).collect()
}

fn settings(version: u8, controller: &str, limits: &SandboxLimits) -> Vec<Setting> {
    let needed = |file: &str, value: String| Setting { file: file.to_owned(), value, optional: false };
    let extra = |file: &str, value: String| Setting { file: file.to_owned(), value, optional: true };
    let memory = limits.memory_bytes.to_string();
    match (version, controller) {
        (1, "memory") => vec![
            needed("memory.limit_in_bytes", memory.clone()),
            extra("memory.memsw.limit_in_bytes", memory),
            extra("memory.swappiness", "0".to_owned()),
        ],
        (_, "memory") => vec![
            needed("memory.max", memory),
            extra("memory.swap.max", "0".to_owned()),
            extra("memory.oom.group", "1".to_owned()),
        ],
        (_, "pids") => vec![needed("pids.max", limits.processes.saturating_add(OWN_PROCESSES).to_string())],
        // Half of the default weight: the code yields to the rest of the machine.
        (1, "cpu") => vec![extra("cpu.shares", "512".to_owned())],
        (_, "cpu") => vec![extra("cpu.weight", "50".to_owned())],
        _ => Vec::new(),
    }
}
