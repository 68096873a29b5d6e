//! A job and a demand become a plan: every mount, variable, limit and rule, as a value that can be printed.
//!
//! Pure. What the machine offers comes in as a probe; where that is less than is demanded there is no plan. The level
//! of a plan is always the highest that the machine offers, never the least that would do.

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

/// The first of the user ids that sandboxes get when they are started by root.
const FIRST_USER: u32 = 2_000_000_000;

/// As whom the code runs, seen from the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum User {
    /// As the user who asks for it.
    Same,
    /// As a user who has nothing else on the machine; the first of the ids that are given out.
    Ordinary(u32),
}

/// All that a sandbox will be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxPlan {
    /// The version of this form.
    pub version: u32,
    /// How well the code is walled in.
    pub level: IsolationLevel,
    /// Bubblewrap; none where there are no namespaces.
    pub bwrap: Option<PathBuf>,
    /// The namespaces that are its own.
    pub namespaces: Vec<String>,
    /// As whom it runs.
    pub user: User,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where it starts.
    pub cwd: PathBuf,
    /// Its whole environment.
    pub env: BTreeMap<String, String>,
    /// What it sees, in the order in which it is put there.
    pub mounts: Vec<PlannedMount>,
    /// The folders of the host that it may write to, and that are watched.
    pub writable: Vec<PathBuf>,
    /// A folder that is given to the user of the code and closed to all others; none where there is a mount namespace.
    pub own_folder: Option<PathBuf>,
    /// The sockets of the host that it may connect to.
    pub sockets: Vec<PathBuf>,
    /// The limits of each process.
    pub rlimits: Vec<Rlimit>,
    /// The limits of all processes together.
    pub groups: Vec<GroupPlan>,
    /// What Landlock lets through.
    pub landlock: Option<LandlockRules>,
    /// Which system calls are let through.
    pub syscalls: Option<SyscallPlan>,
    /// The way to the proxy.
    pub forward: Option<Forward>,
    /// What it may use.
    pub limits: SandboxLimits,
    /// What is different from what might be expected.
    pub notes: Vec<String>,
    /// What the receipt will say.
    pub report: SandboxReport,
    /// The files that the sandbox needs.
    pub tools: ToolPaths,
}

/// Plans a job on this machine, or says why not.
pub fn plan(job: &Job, demand: &SandboxDemand, probe: &Probe) -> Result<SandboxPlan, Refusal> {
    if probe.level < demand.minimum {
        let missing = probe.missing.iter().filter(|one| one.level <= demand.minimum).cloned().collect();
        return Err(Refusal::BelowMinimum { demanded: demand.minimum, obtained: probe.level, missing });
    }
    checks::paths(job)?;
    checks::words(job)?;
    assembled(job, &demand.limits, probe)
}

/// Plans the trial of the probe, which is not held to a level since it is to find it.
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
    let notes = [layout.notes(job), limits::notes(&rlimits, probe)].concat();
    report.missing.extend(notes.iter().cloned());
    Ok(SandboxPlan {
        version: 1,
        level: probe.level,
        bwrap: probe.bwrap.as_ref().ok().filter(|_| layout.walled()).map(|bwrap| bwrap.path.clone()),
        namespaces: layout.namespaces(),
        user: if ordinary { User::Ordinary(FIRST_USER) } else { User::Same },
        program: job.interpreter.executable.clone(),
        args: job.args.iter().map(|arg| layout.argument(arg)).collect(),
        cwd: layout.cwd(),
        env: env::assembled(job, &layout)?,
        mounts: if layout.walled() { mounts::listed(job, limits, probe) } else { Vec::new() },
        writable: job.writable.iter().map(|bind| bind.host.clone()).collect(),
        own_folder: job.own_folder.clone().filter(|_| !layout.walled()),
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
