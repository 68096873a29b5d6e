//! The control groups of one run: made before it, read while it goes on, removed after it.

use crate::plan::GroupPlan;
use crate::probe::own_prefix;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long an emptied group may take to vanish.
const VANISH: Duration = Duration::from_secs(2);

/// The groups of one run.
pub(super) struct Groups(Vec<Made>);

struct Made {
    version: u8,
    controllers: Vec<String>,
    path: PathBuf,
}

impl Groups {
    /// Makes the groups, with their limits.
    pub(super) fn make(plans: &[GroupPlan]) -> Result<Self, String> {
        // What was made is removed again where a later one fails, since it is dropped.
        let mut groups = Self(Vec::new());
        for plan in plans {
            let path = made_in(&plan.parent)?;
            groups.0.push(Made { version: plan.version, controllers: plan.controllers.clone(), path: path.clone() });
            for setting in &plan.settings {
                match fs::write(path.join(&setting.file), &setting.value) {
                    Ok(()) => {}
                    Err(_) if setting.optional => {}
                    Err(error) => return Err(format!("`{}` cannot be set: {error}", setting.file)),
                }
            }
        }
        Ok(groups)
    }

    /// The files through which a process of one thread joins them. Where a thread can move itself alone, the kernel does
    /// not stop every other process from forking meanwhile, which takes it ten milliseconds and more.
    pub(super) fn join_through(&self) -> Vec<PathBuf> {
        let file = |made: &Made| if made.version == 1 { "tasks" } else { "cgroup.procs" };
        self.0.iter().map(|made| made.path.join(file(made))).collect()
    }

    /// How often the kernel ended a process for want of memory.
    pub(super) fn out_of_memory(&self) -> u64 {
        self.read("memory", "memory.oom_control", "memory.events", "oom_kill").unwrap_or(0)
    }

    /// Milliseconds of CPU of all processes together.
    pub(super) fn cpu_ms(&self) -> Option<u64> {
        let made = self.with("cpuacct")?;
        match made.version {
            1 => read_number(&made.path.join("cpuacct.usage")).map(|nanoseconds| nanoseconds / 1_000_000),
            _ => named(&made.path.join("cpu.stat"), "usage_usec").map(|microseconds| microseconds / 1000),
        }
    }

    /// The most memory that all processes had together.
    pub(super) fn most_memory(&self) -> Option<u64> {
        let made = self.with("memory")?;
        let file = if made.version == 1 { "memory.max_usage_in_bytes" } else { "memory.peak" };
        read_number(&made.path.join(file))
    }

    /// Ends whatever is left in them.
    pub(super) fn end_all(&self) {
        for made in &self.0 {
            if made.version != 1 && fs::write(made.path.join("cgroup.kill"), "1").is_ok() {
                continue;
            }
            for pid in numbers(&made.path.join("cgroup.procs")) {
                if let Ok(pid) = i32::try_from(pid) {
                    // It may have ended in between, and ids are not given out again that fast.
                    let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL);
                }
            }
        }
    }

    /// The processes of the run: those of the groups, or else the descendants of the first.
    pub(super) fn processes(&self, first: u32) -> Vec<u32> {
        match self.0.first() {
            Some(made) => numbers(&made.path.join("cgroup.procs")),
            None => descendants(first),
        }
    }

    fn with(&self, controller: &str) -> Option<&Made> {
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
            while let Err(error) = fs::remove_dir(&made.path) {
                if error.kind() == ErrorKind::NotFound || Instant::now() > late {
                    break;
                }
                self.end_all();
                // A millisecond in which those that were ended can vanish.
                let _ = nix::poll::poll(&mut [], 1_u8);
            }
        }
    }
}

/// Makes a group of a name that nobody has.
fn made_in(parent: &Path) -> Result<PathBuf, String> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let path = parent.join(format!("{}{}", own_prefix(), NEXT.fetch_add(1, Ordering::Relaxed)));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
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
