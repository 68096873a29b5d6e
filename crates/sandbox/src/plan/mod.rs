//! A job and a demand become a plan: every mount, variable, limit and rule, as a value that can be printed.
//!
//! Pure. The capabilities of the machine come in as a probe; if they are less than is demanded, there is no plan. The
//! level of a plan is always the highest that the machine offers, never the lowest that suffices.

mod checks;
mod env;
mod groups;
mod limits;
mod mounts;
mod rules;
mod show;
mod within;

pub use groups::{GroupPlan, Setting};
pub use mounts::{MountKind, PlannedMount};
pub use rules::SyscallPlan;

pub(crate) use within::{INIT, ITSELF};

use crate::job::Job;
use crate::probe::Probe;
use crate::refusal::Refusal;
use crate::tools::ToolPaths;
use deed_init::{Forward, LandlockRules, Rlimit};
use deed_model::{IsolationLevel, SandboxDemand, SandboxLimits, SandboxReport};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use within::Layout;

/// The first user id of sandboxes that root starts.
const FIRST_USER: u32 = 2_000_000_000;

/// The user that the code runs as, seen from the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum User {
    /// The caller's user.
    Same,
    /// A user without anything else on the machine; the first of the assigned ids.
    Ordinary(u32),
}

/// The complete description of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxPlan {
    /// The version of this form.
    pub version: u32,
    /// The isolation level.
    pub level: IsolationLevel,
    /// Bubblewrap; `None` without namespaces.
    pub bwrap: Option<PathBuf>,
    /// The namespaces that are its own.
    pub namespaces: Vec<String>,
    /// The user it runs as.
    pub user: User,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The working folder.
    pub cwd: PathBuf,
    /// Its whole environment.
    pub env: BTreeMap<String, String>,
    /// The mounts, in the order in which they are made.
    pub mounts: Vec<PlannedMount>,
    /// The folders of the host that it may write to, whose size is watched.
    pub writable: Vec<PathBuf>,
    /// A folder that is given to the user of the code and closed to all others; `None` with a mount namespace.
    pub own_folder: Option<PathBuf>,
    /// The sockets of the host that it may connect to.
    pub sockets: Vec<PathBuf>,
    /// The limits of each process.
    pub rlimits: Vec<Rlimit>,
    /// The limits of all processes together.
    pub groups: Vec<GroupPlan>,
    /// The rules of Landlock.
    pub landlock: Option<LandlockRules>,
    /// The allowed system calls.
    pub syscalls: Option<SyscallPlan>,
    /// The forwarding to the proxy.
    pub forward: Option<Forward>,
    /// The limits that were demanded.
    pub limits: SandboxLimits,
    /// Notes about differences from the usual sandbox.
    pub notes: Vec<String>,
    /// The report for the receipt.
    pub report: SandboxReport,
    /// The files that the sandbox needs.
    pub tools: ToolPaths,
}

/// Plans a job on this machine.
///
/// # Errors
/// The machine offers a lower isolation level than is demanded, or the job has an invalid path, variable or argument.
pub fn plan(job: &Job, demand: &SandboxDemand, probe: &Probe) -> Result<SandboxPlan, Refusal> {
    if probe.level < demand.minimum {
        let missing = probe.missing.iter().filter(|one| one.level <= demand.minimum).cloned().collect();
        return Err(Refusal::BelowMinimum { demanded: demand.minimum, obtained: probe.level, missing });
    }
    checks::paths(job)?;
    checks::words(job)?;
    assembled(job, &demand.limits, probe)
}

/// Plans the trial of the probe, which has no minimum level because it determines the level.
pub(crate) fn trial_plan(job: &Job, probe: &Probe) -> Result<SandboxPlan, Refusal> {
    let limits =
        SandboxLimits { wall_seconds: 10, memory_bytes: 64 << 20, scratch_bytes: 1 << 20, ..Default::default() };
    let mut plan = assembled(job, &limits, probe)?;
    if let Some(rules) = &mut plan.landlock {
        rules.paths.push(rules::itself());
    }
    Ok(plan)
}

fn assembled(job: &Job, limits: &SandboxLimits, probe: &Probe) -> Result<SandboxPlan, Refusal> {
    let layout = Layout::new(job, probe);
    let ordinary = probe.root && probe.ordinary_user.is_ok();
    let mut report = probe.report();
    let rlimits = limits::listed(job, limits, probe);
    let notes = [layout.notes(job, probe), limits::notes(&rlimits, probe)].concat();
    report.missing.extend(notes.iter().cloned());
    Ok(SandboxPlan {
        version: 1,
        level: probe.level,
        bwrap: probe.bwrap.as_ref().ok().filter(|_| layout.is_namespaced()).map(|bwrap| bwrap.path.clone()),
        namespaces: layout.namespaces(),
        user: if ordinary { User::Ordinary(FIRST_USER) } else { User::Same },
        program: job.interpreter.executable.clone(),
        args: job.args.iter().map(|arg| layout.argument(arg)).collect(),
        cwd: layout.cwd(),
        env: env::assembled(job, &layout)?,
        mounts: if layout.is_namespaced() { mounts::listed(job, limits, probe) } else { Vec::new() },
        writable: job.writable.iter().map(|bind| bind.host.clone()).collect(),
        own_folder: job.own_folder.clone().filter(|_| !layout.is_namespaced()),
        sockets: job.bridge.iter().chain(&job.proxy).cloned().collect(),
        rlimits,
        groups: groups::listed(limits, probe),
        landlock: (probe.landlock_abi > 0).then(|| rules::landlock(job, probe, &layout)),
        syscalls: probe.seccomp.is_ok().then(|| rules::syscalls(&layout)),
        forward: layout.forward(job),
        limits: *limits,
        notes,
        report,
        tools: probe.tools.clone(),
    })
}
