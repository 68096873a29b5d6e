//! The limits of each process, set in the kernel.

use super::while_doing;
use deed_init::{Exec, Resource};
use nix::sys::resource::{Resource as Kernel, getrlimit, setrlimit};
use nix::unistd::getuid;
use std::fs;
use std::os::unix::fs::MetadataExt;

/// Sets every limit, soft and hard alike. A lower limit of this process stays: only root can raise it, and a
/// sandbox never has more than was planned.
pub(crate) fn apply(told: &Exec) -> Result<(), String> {
    for limit in &told.rlimits {
        let beyond = limit.resource == Resource::Processes && told.processes_beyond_present;
        let value = if beyond { limit.value.saturating_add(present()) } else { limit.value };
        // A second of grace between the two lets the first signal state the reason.
        let hard = if limit.resource == Resource::Cpu { value.saturating_add(1) } else { value };
        let (_, most) = getrlimit(kernel(limit.resource)).map_err(while_doing("read a limit"))?;
        let (value, hard) = (value.min(most), hard.min(most));
        setrlimit(kernel(limit.resource), value, hard)
            .map_err(|error| format!("cannot limit {} to {value}: {error}", limit.resource.as_str()))?;
    }
    Ok(())
}

fn kernel(resource: Resource) -> Kernel {
    match resource {
        Resource::AddressSpace => Kernel::RLIMIT_AS,
        Resource::Core => Kernel::RLIMIT_CORE,
        Resource::Cpu => Kernel::RLIMIT_CPU,
        Resource::Data => Kernel::RLIMIT_DATA,
        Resource::FileSize => Kernel::RLIMIT_FSIZE,
        Resource::LockedMemory => Kernel::RLIMIT_MEMLOCK,
        Resource::MessageQueues => Kernel::RLIMIT_MSGQUEUE,
        Resource::OpenFiles => Kernel::RLIMIT_NOFILE,
        Resource::Processes => Kernel::RLIMIT_NPROC,
        Resource::PendingSignals => Kernel::RLIMIT_SIGPENDING,
    }
}

/// The number of threads that this user has on the machine already.
fn present() -> u64 {
    let own = getuid().as_raw();
    let Ok(processes) = fs::read_dir("/proc") else { return 0 };
    let threads = |process: fs::DirEntry| {
        let mine = process.metadata().is_ok_and(|facts| facts.uid() == own);
        if mine { fs::read_dir(process.path().join("task")).map_or(0, Iterator::count) } else { 0 }
    };
    processes.flatten().map(threads).map(|count| count as u64).sum()
}
