//! How well code is walled in, and how much it may use.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How well code is walled in; ordered, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum IsolationLevel {
    /// Not at all.
    L0,
    /// Landlock and a filter of system calls, without namespaces.
    L1,
    /// Namespaces, Landlock and the filter, with limits of each process.
    L2,
    /// The same, with memory, processes and CPU limited for all processes together.
    L3,
}

impl IsolationLevel {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::L0 => "L0",
            Self::L1 => "L1",
            Self::L2 => "L2",
            Self::L3 => "L3",
        }
    }
}

impl fmt::Display for IsolationLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What code in the sandbox may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SandboxLimits {
    /// Seconds on the wall.
    #[schemars(range(min = 1))]
    pub wall_seconds: u64,
    /// Seconds of CPU, of each process.
    #[schemars(range(min = 1))]
    pub cpu_seconds: u64,
    /// Bytes of memory.
    #[schemars(range(min = 16_777_216))]
    pub memory_bytes: u64,
    /// Processes and threads at once.
    #[schemars(range(min = 2))]
    pub processes: u64,
    /// Bytes that it may write under `work/` and `output/`, together.
    pub output_bytes: u64,
    /// Files and folders that it may make there.
    #[schemars(range(min = 1))]
    pub output_files: u64,
    /// Bytes of its private `/tmp`.
    pub scratch_bytes: u64,
    /// Bytes that are kept of what it prints, of each stream.
    pub captured_bytes: u64,
}

impl Default for SandboxLimits {
    /// Ten minutes, as much CPU, 1 GiB, 64 processes, 1 GiB in 10,000 files, 256 MiB scratch, 64 KiB of each stream.
    fn default() -> Self {
        Self {
            wall_seconds: 600,
            cpu_seconds: 600,
            memory_bytes: 1 << 30,
            processes: 64,
            output_bytes: 1 << 30,
            output_files: 10_000,
            scratch_bytes: 256 << 20,
            captured_bytes: 64 << 10,
        }
    }
}

/// What a contract asks of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SandboxDemand {
    /// The least that code is walled in with; below it the step does not run.
    pub minimum: IsolationLevel,
    /// What it may use.
    pub limits: SandboxLimits,
}

impl Default for SandboxDemand {
    fn default() -> Self {
        Self { minimum: IsolationLevel::L2, limits: SandboxLimits::default() }
    }
}

/// What the sandbox was, as the receipt states it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SandboxReport {
    /// The level that was obtained.
    pub obtained: IsolationLevel,
    /// The layers that were in force, such as `user namespace` or `seccomp allow-list`.
    pub layers: Vec<String>,
    /// What a higher level would have had, and why it was not there.
    pub missing: Vec<String>,
}
