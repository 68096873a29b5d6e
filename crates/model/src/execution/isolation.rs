//! Isolation of code, and the limits on its resources.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An isolation level; ordered, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum IsolationLevel {
    /// No isolation.
    L0,
    /// Landlock and a system-call filter, without namespaces.
    L1,
    /// Namespaces, Landlock and the system-call filter, with limits per process.
    L2,
    /// The same, with limits on memory, processes and CPU for all processes together.
    L3,
}

impl IsolationLevel {
    /// Returns the level's name.
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

/// The resources that code in the sandbox may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SandboxLimits {
    /// Wall-clock seconds.
    #[schemars(range(min = 1))]
    pub wall_seconds: u64,
    /// CPU seconds per process.
    #[schemars(range(min = 1))]
    pub cpu_seconds: u64,
    /// Bytes of memory.
    #[schemars(range(min = 16_777_216))]
    pub memory_bytes: u64,
    /// Processes and threads at the same time.
    #[schemars(range(min = 2))]
    pub processes: u64,
    /// Bytes that it may write under `work/` and `output/` together.
    pub output_bytes: u64,
    /// Files and folders that it may create there.
    #[schemars(range(min = 1))]
    pub output_files: u64,
    /// Bytes of its private `/tmp`.
    pub scratch_bytes: u64,
    /// Bytes of output that are kept of each stream.
    pub captured_bytes: u64,
}

impl Default for SandboxLimits {
    /// Ten minutes of wall-clock and CPU time, 1 GiB of memory, 64 processes, 1 GiB in 10,000 files, 256 MiB of `/tmp`,
    /// 64 KiB of each stream.
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

/// The isolation that a contract requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SandboxDemand {
    /// The lowest isolation level under which the step may run.
    pub minimum: IsolationLevel,
    /// The resource limits.
    pub limits: SandboxLimits,
}

impl Default for SandboxDemand {
    fn default() -> Self {
        Self { minimum: IsolationLevel::L2, limits: SandboxLimits::default() }
    }
}

/// The sandbox as the receipt describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SandboxReport {
    /// The isolation level that was reached.
    pub obtained: IsolationLevel,
    /// The layers that were enforced, such as `user namespace` or `seccomp allow-list`.
    pub layers: Vec<String>,
    /// The layers of higher levels that are missing, and why.
    pub missing: Vec<String>,
}
