//! Processes that outlived the process that started them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A killed process cannot wait for its sandboxes; the kernel ends them, and this is how long it may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// All processes that have to do with a folder, but this one: started in it or from it, or with files of it mounted.
fn processes(folder: &Path) -> Vec<String> {
    let name = folder.file_name().unwrap().to_str().unwrap();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let pid = entry.file_name().to_string_lossy().into_owned();
        if !pid.bytes().all(|byte| byte.is_ascii_digit()) || pid == std::process::id().to_string() {
            continue;
        }
        let text = |file: &str| fs::read(entry.path().join(file)).unwrap_or_default();
        let line = String::from_utf8_lossy(&text("cmdline")).replace('\0', " ");
        let about = line.contains(name)
            || ["exe", "cwd"]
                .iter()
                .any(|link| fs::read_link(entry.path().join(link)).is_ok_and(|to| to.to_string_lossy().contains(name)))
            || String::from_utf8_lossy(&text("mountinfo")).contains(name);
        // What is dead and not yet collected does nothing.
        let dead = String::from_utf8_lossy(&text("stat")).rsplit(')').next().is_some_and(|rest| rest.starts_with(" Z"));
        if about && !dead {
            found.push(format!("{pid} {line}"));
        }
    }
    found
}

/// A process that never received its task: the process that starts a sandbox died while it was being made. No code runs in it,
/// nothing is tied to it, and the next `deed` that comes ends it.
fn is_unborn(process: &str) -> bool {
    process.split(' ').nth(1).is_some_and(|program| program.ends_with("/bwrap"))
}

/// The number of processes.
pub(crate) fn count(folder: &Path) -> usize {
    processes(folder).len()
}

/// Asserts that no process is left.
#[track_caller]
pub(crate) fn none(folder: &Path, when: &str) {
    gone(folder, when, |_| true);
}

/// No code is left.
#[track_caller]
pub(crate) fn no_code(folder: &Path, when: &str) {
    gone(folder, when, |process| !is_unborn(process));
}

#[track_caller]
fn gone(folder: &Path, when: &str, counts: impl Fn(&str) -> bool) {
    let late = Instant::now() + PATIENCE;
    loop {
        let mut found = processes(folder);
        found.retain(|process| counts(process));
        if found.is_empty() {
            return;
        }
        assert!(Instant::now() < late, "{when}: left behind: {found:#?}");
        std::thread::yield_now();
    }
}

/// The control groups that a process made and left.
pub(super) fn groups(pid: u32) -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![PathBuf::from("/sys/fs/cgroup")], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.starts_with("deed-") && name.contains(&format!("-{pid}-")) {
                    found.push(entry.path());
                } else if entry.path().components().count() < 9 {
                    open.push(entry.path());
                }
            }
        }
    }
    found
}
