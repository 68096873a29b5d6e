//! The isolation level that follows from a probe, and the obstacles to the next one.

use super::{Probe, userns};
use deed_model::IsolationLevel;
use serde::{Deserialize, Serialize};

/// An obstacle to a level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missing {
    /// The level.
    pub level: IsolationLevel,
    /// The reason it is not reached.
    pub why: String,
    /// The fix.
    pub help: String,
}

/// Sets the level of a probe, and what keeps it from a higher one. `landlock` is the error of finding Landlock.
pub(super) fn judge(probe: &mut Probe, landlock: Option<&str>) {
    let obstacles = obstacles(probe, landlock);
    let levels = [IsolationLevel::L1, IsolationLevel::L2, IsolationLevel::L3];
    let reached = levels.into_iter().take_while(|level| !obstacles.iter().any(|one| one.level == *level)).last();
    probe.level = reached.unwrap_or(IsolationLevel::L0);
    probe.missing = obstacles;
}

fn obstacles(probe: &Probe, landlock: Option<&str>) -> Vec<Missing> {
    let mut all = Vec::new();
    let mut add = |level, why: String, help: &str| all.push(Missing { level, why, help: help.to_owned() });
    if let Some(why) = landlock {
        add(
            IsolationLevel::L1,
            format!("Landlock cannot be probed: {why}"),
            "check that programs can be started from the folder of the sandbox tools",
        );
    } else if probe.landlock_abi == 0 {
        add(
            IsolationLevel::L1,
            "the kernel has no Landlock".to_owned(),
            "boot a kernel of 5.13 or later with `lsm=landlock,…`",
        );
    }
    if let Err(why) = &probe.seccomp {
        add(
            IsolationLevel::L1,
            format!("system calls cannot be filtered: {why}"),
            "use a kernel with CONFIG_SECCOMP_FILTER",
        );
    }
    if let Err(why) = &probe.bwrap {
        add(IsolationLevel::L2, why.clone(), "install bubblewrap 0.8 or later: `apt-get install bubblewrap`");
    }
    if let Err(why) = &probe.namespaces {
        add(IsolationLevel::L2, format!("namespaces cannot be made: {why}"), userns::help());
    }
    if let (Err(why), false) = (&probe.ordinary_user, probe.has_group("pids")) {
        let why = format!("nothing limits the number of processes: {why}");
        add(IsolationLevel::L2, why, "do not run as root, or give root CAP_SETUID, CAP_SETGID and CAP_SYS_ADMIN");
    }
    for controller in ["memory", "pids", "cpuacct"].into_iter().filter(|name| !probe.has_group(name)) {
        let why = format!("no control group limits {}: {}", worded(controller), probe.groups_missing.join("; "));
        add(
            IsolationLevel::L3,
            why,
            "run as root, or in a group of its own: `systemd-run --user --scope -p Delegate=yes …`",
        );
    }
    all
}

fn worded(controller: &str) -> &str {
    match controller {
        "pids" => "processes",
        "cpuacct" => "the CPU",
        other => other,
    }
}

/// The first version of Landlock that keeps code from abstract sockets.
const ABSTRACT_SOCKETS: u32 = 6;
/// The first version of Landlock that keeps code from socket files.
const SOCKET_FILES: u32 = 9;

impl Probe {
    /// The Unix sockets of the host that code without namespaces can connect to. The filter of system calls cannot tell one
    /// from another, since the address is in the program's memory; newer versions of Landlock can.
    pub fn sockets_in_reach(&self) -> String {
        let whose = if self.root && self.ordinary_user.is_ok() {
            "that are open to every user"
        } else {
            "that the caller may open, also those in the caller's own folders"
        };
        match self.landlock_abi {
            SOCKET_FILES.. => "code reaches no unix socket but the bridge's".to_owned(),
            ABSTRACT_SOCKETS.. => format!("code can connect to all socket files {whose}"),
            _ => format!("code can connect to all socket files {whose}, and to all abstract sockets"),
        }
    }
}

/// The layers that a plan on this machine has.
pub(crate) fn layers(probe: &Probe) -> Vec<String> {
    let mut layers: Vec<String> = Vec::new();
    if probe.is_namespaced() {
        let kinds = ["user", "mount", "pid", "network", "ipc", "uts", "cgroup"];
        layers.extend(kinds.iter().map(|kind| format!("{kind} namespace")));
        layers.push("read-only mounts".to_owned());
        layers.push("no capabilities".to_owned());
    }
    if probe.root && probe.ordinary_user.is_ok() {
        layers.push("ordinary user".to_owned());
    }
    if probe.landlock_abi > 0 {
        layers.push(format!("landlock abi {}", probe.landlock_abi));
    }
    if probe.seccomp.is_ok() {
        layers.push("seccomp allow-list".to_owned());
    }
    for group in &probe.groups {
        layers.extend(group.controllers.iter().map(|name| format!("cgroup v{} {name}", group.version)));
    }
    layers.push("rlimits".to_owned());
    layers
}
