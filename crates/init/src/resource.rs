//! The limits of one process that a plan may set.

use serde::{Deserialize, Serialize};

/// A limit of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// Bytes of address space.
    AddressSpace,
    /// Bytes of a core dump.
    Core,
    /// Seconds of CPU.
    Cpu,
    /// Bytes of private memory that can be written to.
    Data,
    /// Bytes of one file.
    FileSize,
    /// Bytes of locked memory.
    LockedMemory,
    /// Bytes in message queues.
    MessageQueues,
    /// Open files.
    OpenFiles,
    /// Processes and threads of the user, in this user namespace.
    Processes,
    /// Pending signals and timers.
    PendingSignals,
}

impl Resource {
    /// Its name in the manual.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AddressSpace => "AS",
            Self::Core => "CORE",
            Self::Cpu => "CPU",
            Self::Data => "DATA",
            Self::FileSize => "FSIZE",
            Self::LockedMemory => "MEMLOCK",
            Self::MessageQueues => "MSGQUEUE",
            Self::OpenFiles => "NOFILE",
            Self::Processes => "NPROC",
            Self::PendingSignals => "SIGPENDING",
        }
    }
}
