//! The outcome of a run.

use super::capture::CapturedOutput;
use crate::plan::SandboxPlan;
use deed_model::SandboxReport;
use serde::{Deserialize, Serialize};

/// The exceeded part of the output quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quota {
    /// Bytes.
    Bytes,
    /// Files and folders.
    Files,
    /// Unknown: a part of a folder cannot be read, or is too deep to be named.
    Unseen,
}

/// The way a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// It exited with this code.
    Exited(i32),
    /// It was ended by this signal.
    Signalled(i32),
    /// It reached its wall-clock timeout.
    WallTime,
    /// It reached its CPU limit.
    CpuTime,
    /// It reached its memory limit.
    Memory,
    /// It exceeded its output quota.
    OutputQuota(Quota),
    /// It was cancelled.
    Cancelled,
    /// It was stopped, to be retried later.
    Parked,
    /// The sandbox itself was ended from outside, or could no longer be watched.
    Lost,
    /// It could not be started, for this reason.
    CouldNotStart(String),
}

impl Ended {
    /// Returns a name for tracing.
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

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The way it ended.
    pub ended: Ended,
    /// Its standard output.
    pub stdout: CapturedOutput,
    /// Its standard error.
    pub stderr: CapturedOutput,
    /// Wall-clock milliseconds, including the start and the end of the sandbox itself.
    pub wall_ms: u64,
    /// CPU milliseconds of all processes.
    pub cpu_ms: u64,
    /// Bytes of memory of the largest process.
    pub max_rss: u64,
    /// Processes that were still running when the program had ended; they were ended too.
    pub left_behind: u64,
    /// The report of the sandbox.
    pub report: SandboxReport,
}

impl Outcome {
    pub(super) fn not_started(plan: &SandboxPlan, why: String) -> Self {
        Self {
            ended: Ended::CouldNotStart(why),
            stdout: CapturedOutput::default(),
            stderr: CapturedOutput::default(),
            wall_ms: 0,
            cpu_ms: 0,
            max_rss: 0,
            left_behind: 0,
            report: plan.report.clone(),
        }
    }
}
