//! The control groups of one run: created before it, read while it runs, removed after it.

use crate::plan::GroupPlan;
use crate::probe::own_prefix;
use std::collections::BTreeSet;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time that an emptied group may take to vanish.
const VANISH: Duration = Duration::from_secs(2);

/// The groups of all runs of this process that have not ended.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The groups of one run.
pub(super) struct Groups(Vec<ControlGroup>);

/// Set once this process is about to exit without waiting for its runs.
static ABANDONED: AtomicBool = AtomicBool::new(false);

/// Ends everything that runs in a sandbox of this process and removes its control groups, for a process that is about to
/// exit without waiting for its runs. No run returns after this, so that its end is not taken for that of the code.
pub fn abandon_all() {
    ABANDONED.store(true, Ordering::SeqCst);
    let live = std::mem::take(&mut *LIVE.lock().unwrap_or_else(PoisonError::into_inner));
    let late = Instant::now() + VANISH;
    for path in live {
        remove(&path, late, || end(&path));
    }
}

/// Waits for the process to exit if it is about to.
pub(super) fn stay_if_abandoned() {
    while ABANDONED.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

/// Removes a group once it is empty, or gives up when it is late; a later process removes it then.
fn remove(path: &Path, late: Instant, end: impl Fn()) {
    while let Err(error) = fs::remove_dir(path) {
        if error.kind() == ErrorKind::NotFound || Instant::now() > late {
            break;
        }
        end();
        // A millisecond in which the ended processes can vanish.
        let _ = nix::poll::poll(&mut [], 1_u8);
    }
}

/// Ends all processes of a group.
fn end(path: &Path) {
    if fs::OpenOptions::new()
        .write(true)
        .open(path.join("cgroup.kill"))
        .is_ok_and(|mut file| file.write_all(b"1").is_ok())
    {
        return;
    }
    for pid in numbers(&path.join("cgroup.procs")) {
        if let Ok(pid) = i32::try_from(pid) {
            // It may have ended meanwhile; ids are not reused that fast.
            let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL);
        }
    }
}

struct ControlGroup {
    version: u8,
    controllers: Vec<String>,
    path: PathBuf,
}

/// The CPU time of a run, as a control group counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CpuTime {
    /// No control group counts it; each process has a limit of its own.
    NotCounted,
    /// The group cannot be read, so the limit cannot be enforced.
    Unreadable,
    /// So many milliseconds.
    Milliseconds(u64),
}

impl Groups {
    /// Creates the groups, with their limits.
    pub(super) fn make(plans: &[GroupPlan]) -> Result<Self, String> {
        // Groups that were created are removed again if a later one fails, since they are dropped.
        let mut groups = Self(Vec::new());
        for plan in plans {
            let path = made_in(&plan.parent)?;
            groups.0.push(ControlGroup {
                version: plan.version,
                controllers: plan.controllers.clone(),
                path: path.clone(),
            });
            for setting in &plan.settings {
                let file = path.join(&setting.file);
                match fs::write(&file, &setting.value) {
                    Ok(()) => {}
                    // Only a kernel without the file may go without the setting.
                    Err(_) if setting.optional && !file.exists() => {}
                    Err(error) => return Err(format!("`{}` cannot be set: {error}", setting.file)),
                }
            }
        }
        Ok(groups)
    }

    /// The files through which a process of one thread joins them. Where a thread can move itself alone, the kernel does
    /// not stop every other process from forking meanwhile, which takes it ten milliseconds and more.
    pub(super) fn join_through(&self) -> Vec<PathBuf> {
        let file = |made: &ControlGroup| if made.version == 1 { "tasks" } else { "cgroup.procs" };
        self.0.iter().map(|made| made.path.join(file(made))).collect()
    }

    /// Returns whether the kernel limits the memory of all processes together.
    pub(super) fn limit_memory(&self) -> bool {
        self.with("memory").is_some()
    }

    /// The number of processes that the kernel killed because the memory limit was reached.
    pub(super) fn out_of_memory(&self) -> u64 {
        // Without a group, or on a kernel that does not count it, the signal alone tells.
        self.read("memory", "memory.oom_control", "memory.events", "oom_kill").unwrap_or(0)
    }

    /// The CPU time of all processes together.
    pub(super) fn cpu_time(&self) -> CpuTime {
        let Some(made) = self.with("cpuacct") else { return CpuTime::NotCounted };
        let milliseconds = match made.version {
            1 => read_number(&made.path.join("cpuacct.usage")).map(|nanoseconds| nanoseconds / 1_000_000),
            _ => named(&made.path.join("cpu.stat"), "usage_usec").map(|microseconds| microseconds / 1000),
        };
        milliseconds.map_or(CpuTime::Unreadable, CpuTime::Milliseconds)
    }

    /// The peak memory of all processes together.
    pub(super) fn most_memory(&self) -> Option<u64> {
        let made = self.with("memory")?;
        let file = if made.version == 1 { "memory.max_usage_in_bytes" } else { "memory.peak" };
        read_number(&made.path.join(file))
    }

    /// Ends all processes in the groups.
    pub(super) fn end_all(&self) {
        self.0.iter().for_each(|made| end(&made.path));
    }

    /// The processes of the run: those of the groups, or else the descendants of the first.
    pub(super) fn processes(&self, first: u32) -> Vec<u32> {
        match self.0.first() {
            Some(made) => numbers(&made.path.join("cgroup.procs")),
            None => descendants(first),
        }
    }

    fn with(&self, controller: &str) -> Option<&ControlGroup> {
        self.0.iter().find(|made| made.controllers.iter().any(|name| name == controller))
    }

    fn read(&self, controller: &str, first: &str, second: &str, name: &str) -> Option<u64> {
        let made = self.with(controller)?;
        named(&made.path.join(if made.version == 1 { first } else { second }), name)
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        let late = Instant::now() + VANISH;
        for made in &self.0 {
            remove(&made.path, late, || self.end_all());
            LIVE.lock().unwrap_or_else(PoisonError::into_inner).remove(&made.path);
        }
    }
}

/// Creates a group with an unused name.
fn made_in(parent: &Path) -> Result<PathBuf, String> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let path = parent.join(format!("{}{}", own_prefix(), NEXT.fetch_add(1, Ordering::Relaxed)));
        match fs::create_dir(&path) {
            Ok(()) => {
                LIVE.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone());
                return Ok(path);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("no group can be made at `{}`: {error}", path.display())),
        }
    }
}

fn numbers(path: &Path) -> Vec<u32> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

fn descendants(first: u32) -> Vec<u32> {
    let mut found = vec![first];
    let mut at = 0;
    while let Some(pid) = found.get(at).copied() {
        at += 1;
        for task in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
            found.extend(numbers(&task.path().join("children")));
        }
    }
    found
}

fn read_number(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

fn named(path: &Path, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Setting;

    fn optional(parent: &Path, file: &str) -> GroupPlan {
        let setting = Setting { file: file.to_owned(), value: "0".to_owned(), optional: true };
        GroupPlan { version: 2, controllers: Vec::new(), parent: parent.to_owned(), settings: vec![setting] }
    }

    #[test]
    fn an_optional_setting_is_left_out_only_if_the_kernel_lacks_its_file() {
        let parent = tempfile::tempdir().unwrap();
        assert!(Groups::make(&[optional(parent.path(), "missing/file")]).is_ok());
        assert!(Groups::make(&[optional(parent.path(), ".")]).is_err(), "it exists and cannot be written");
    }

    #[test]
    fn cpu_time_that_cannot_be_read_is_not_taken_for_none() {
        let parent = tempfile::tempdir().unwrap();
        let group =
            |controllers: Vec<String>| ControlGroup { version: 2, controllers, path: parent.path().join("group") };
        assert_eq!(Groups(vec![group(Vec::new())]).cpu_time(), CpuTime::NotCounted);
        assert_eq!(Groups(vec![group(vec!["cpuacct".to_owned()])]).cpu_time(), CpuTime::Unreadable);
    }
}
