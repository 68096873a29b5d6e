//! What happened.

use super::capture::Captured;
use crate::plan::SandboxPlan;
use deed_model::SandboxReport;
use serde::{Deserialize, Serialize};

/// What there was too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quota {
    /// Bytes.
    Bytes,
    /// Files and folders.
    Files,
    /// Nobody can say: a folder is closed, or too deep to be named.
    Unseen,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// Its time on the wall was over.
    WallTime,
    /// Its time of CPU was over.
    CpuTime,
    /// Its memory was used up.
    Memory,
    /// It wrote too much.
    OutputQuota(Quota),
    /// It was cancelled.
    Cancelled,
    /// It was stopped, to be run again later.
    Parked,
    /// Somebody outside ended the sandbox itself.
    Lost,
    /// It never began.
    CouldNotStart(String),
}

impl Ended {
    /// Returns a word for the log.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Exited(_) => "exited",
            Self::Signalled(_) => "signalled",
            Self::WallTime => "wall_time",
            Self::CpuTime => "cpu_time",
            Self::Memory => "memory",
            Self::OutputQuota(_) => "output_quota",
            Self::Cancelled => "cancelled",
            Self::Parked => "parked",
            Self::Lost => "lost",
            Self::CouldNotStart(_) => "could_not_start",
        }
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// How it ended.
    pub ended: Ended,
    /// What it printed.
    pub stdout: Captured,
    /// What it printed as errors.
    pub stderr: Captured,
    /// Milliseconds on the wall, with the start and the end of the sandbox itself.
    pub wall_ms: u64,
    /// Milliseconds of CPU of all processes.
    pub cpu_ms: u64,
    /// Bytes of memory of the largest process.
    pub max_rss: u64,
    /// Processes that were still at work when the program had ended; they were ended too.
    pub left_behind: u64,
    /// What the sandbox was.
    pub report: SandboxReport,
}

impl Outcome {
    pub(super) fn not_started(plan: &SandboxPlan, why: String) -> Self {
        Self {
            ended: Ended::CouldNotStart(why),
            stdout: Captured::default(),
            stderr: Captured::default(),
            wall_ms: 0,
            cpu_ms: 0,
            max_rss: 0,
            left_behind: 0,
            report: plan.report.clone(),
        }
    }
}
