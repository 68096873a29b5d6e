//! The limits of each process.

use crate::interpreter::Language;
use crate::job::Job;
use crate::probe::Probe;
use deed_init::{Resource, Rlimit};
use deed_model::SandboxLimits;

/// Processes and threads that the sandbox itself needs beside the code.
pub(super) const OWN_PROCESSES: u64 = 8;

/// Files that a process may have open.
const OPEN_FILES: u64 = 1024;

/// Pending signals and timers.
const PENDING_SIGNALS: u64 = 1024;

/// Bytes of memory that may be locked.
const LOCKED_MEMORY: u64 = 64 << 10;

pub(super) fn listed(job: &Job, limits: &SandboxLimits, probe: &Probe) -> Vec<Rlimit> {
    let mut list = vec![
        Rlimit { resource: Resource::Core, value: 0 },
        Rlimit { resource: Resource::Cpu, value: limits.cpu_seconds },
        // One byte more than the limit, so that a file that stops here is seen to exceed it.
        Rlimit { resource: Resource::FileSize, value: limits.output_bytes.max(limits.scratch_bytes).saturating_add(1) },
        Rlimit { resource: Resource::LockedMemory, value: LOCKED_MEMORY },
        Rlimit { resource: Resource::MessageQueues, value: 0 },
        Rlimit { resource: Resource::OpenFiles, value: OPEN_FILES },
        Rlimit { resource: Resource::PendingSignals, value: PENDING_SIGNALS },
    ];
    // The kernel does not apply this limit to root.
    if !probe.root || probe.ordinary_user.is_ok() {
        list.push(Rlimit { resource: Resource::Processes, value: limits.processes.saturating_add(OWN_PROCESSES) });
    }
    if !probe.has_group("memory") {
        // Node reserves far more address space than it uses, so its writable memory is limited instead.
        let resource = match job.interpreter.language {
            Language::JavaScript => Resource::Data,
            Language::Python | Language::Shell => Resource::AddressSpace,
        };
        list.push(Rlimit { resource, value: limits.memory_bytes });
    }
    list.sort_by_key(|limit| limit.resource);
    list.iter().map(|limit| Rlimit { value: limit.value.min(hard(probe, limit.resource)), ..*limit }).collect()
}

/// The hard limit of this process; unlimited ones are not listed.
fn hard(probe: &Probe, resource: Resource) -> u64 {
    let known = probe.hard_limits.iter().find(|limit| limit.resource == resource);
    known.map_or(u64::MAX, |limit| limit.value)
}

/// Notes about limits that are lower than the sandbox would set them, because the caller's own limits are.
pub(super) fn notes(rlimits: &[Rlimit], probe: &Probe) -> Vec<String> {
    let reached = rlimits.iter().filter(|limit| limit.value > 0 && limit.value == hard(probe, limit.resource));
    let note = |limit: &Rlimit| {
        format!("the caller's hard limit of {} holds inside too: {}", limit.resource.as_str(), limit.value)
    };
    reached.map(note).collect()
}
