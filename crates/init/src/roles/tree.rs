//! The descendants of this process, as `/proc` lists them, for runs without a process namespace.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;

/// Stops every descendant first, so that none can start another, and then ends them all.
pub(crate) fn kill_descendants() {
    let own = std::process::id();
    let mut known = Vec::new();
    loop {
        let fresh: Vec<u32> = descendants(own).into_iter().filter(|pid| !known.contains(pid)).collect();
        if fresh.is_empty() {
            break;
        }
        fresh.iter().for_each(|pid| send(*pid, Signal::SIGSTOP));
        known.extend(fresh);
    }
    known.iter().for_each(|pid| send(*pid, Signal::SIGKILL));
}

fn send(pid: u32, signal: Signal) {
    if let Ok(pid) = i32::try_from(pid) {
        // It may have ended already.
        let _ = kill(Pid::from_raw(pid), signal);
    }
}

fn descendants(of: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut open = vec![of];
    while let Some(pid) = open.pop() {
        let below = children(pid);
        open.extend(&below);
        found.extend(below);
    }
    found
}

fn children(of: u32) -> Vec<u32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{of}/task")) else { return Vec::new() };
    tasks
        .filter_map(|task| fs::read_to_string(task.ok()?.path().join("children")).ok())
        .flat_map(|text| text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>())
        .collect()
}
