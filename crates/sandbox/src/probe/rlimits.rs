//! The hard limits that this process has itself: no process of a sandbox can have more.

use deed_init::{Resource, Rlimit};
use nix::sys::resource::{RLIM_INFINITY, Resource as Kernel, getrlimit};

/// Every limit that a plan may set, as the kernel names it.
const LIMITS: &[(Resource, Kernel)] = &[
    (Resource::AddressSpace, Kernel::RLIMIT_AS),
    (Resource::Core, Kernel::RLIMIT_CORE),
    (Resource::Cpu, Kernel::RLIMIT_CPU),
    (Resource::Data, Kernel::RLIMIT_DATA),
    (Resource::FileSize, Kernel::RLIMIT_FSIZE),
    (Resource::LockedMemory, Kernel::RLIMIT_MEMLOCK),
    (Resource::MessageQueues, Kernel::RLIMIT_MSGQUEUE),
    (Resource::OpenFiles, Kernel::RLIMIT_NOFILE),
    (Resource::Processes, Kernel::RLIMIT_NPROC),
    (Resource::PendingSignals, Kernel::RLIMIT_SIGPENDING),
];

/// Returns the hard limits of this process; unlimited ones are left out.
pub(super) fn hard() -> Vec<Rlimit> {
    let one = |(resource, kernel): &(Resource, Kernel)| {
        // One that cannot be read counts as unlimited: setting a limit above it fails, and nothing is started.
        let (_, hard) = getrlimit(*kernel).ok()?;
        (hard != RLIM_INFINITY).then_some(Rlimit { resource: *resource, value: hard })
    };
    LIMITS.iter().filter_map(one).collect()
}
