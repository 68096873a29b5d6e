//! Finds the control groups that can be created, by creating one and removing it again.
//!
//! Groups are created below that of this process, so that its own limits are not evaded.

use super::ProbeOptions;
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The wanted controllers.
const WANTED: &[&str] = &["memory", "pids", "cpu", "cpuacct"];

/// A group in which groups can be created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The version of control groups: 1 or 2.
    pub version: u8,
    /// Its controllers.
    pub controllers: Vec<String>,
    /// The path of the group.
    pub parent: PathBuf,
}

/// Finds the groups, and the reasons for missing ones.
pub(super) fn found(options: &ProbeOptions) -> (Vec<Group>, Vec<String>) {
    if options.without_cgroups {
        return (Vec::new(), vec!["left out on request".to_owned()]);
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut missing = Vec::new();
    let mut read = |path: &Path| {
        read(path).unwrap_or_else(|why| {
            missing.push(why);
            String::new()
        })
    };
    let mut candidates = candidates(&read(Path::new("/proc/self/mountinfo")), &read(Path::new("/proc/self/cgroup")));
    if let Some(parent) = &options.cgroup {
        candidates.insert(0, Candidate { version: 2, controllers: Vec::new(), parent: parent.clone() });
    }
    for candidate in candidates {
        let known = |name: &str| groups.iter().any(|group| group.controllers.iter().any(|one| one == name));
        match candidate.try_out() {
            Ok(mut group) => {
                group.controllers.retain(|name| !known(name));
                if !group.controllers.is_empty() {
                    groups.push(group);
                }
            }
            Err(why) => missing.push(why),
        }
    }
    if groups.is_empty() && missing.is_empty() {
        missing.push("no control groups are mounted".to_owned());
    }
    (groups, missing)
}

/// A group that may or may not be written to.
#[derive(Debug, PartialEq, Eq)]
struct Candidate {
    version: u8,
    controllers: Vec<String>,
    parent: PathBuf,
}

/// Distinguishes the trials of one process.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl Candidate {
    fn try_out(self) -> Result<Group, String> {
        let controllers = match self.version {
            1 => self.controllers,
            _ => enabled(&self.parent)?,
        };
        sweep(&self.parent);
        let child = self.parent.join(format!("{}probe-{}", own_prefix(), NEXT.fetch_add(1, Ordering::Relaxed)));
        let failed = |error: std::io::Error| format!("no group can be made in `{}`: {error}", self.parent.display());
        fs::create_dir(&child).map_err(failed)?;
        fs::remove_dir(&child).map_err(failed)?;
        Ok(Group { version: self.version, controllers, parent: self.parent })
    }
}

/// The prefix of the names of all groups of this process, with the process namespace in which its id is valid.
pub(crate) fn own_prefix() -> String {
    format!("deed-{}-{}-", namespace().unwrap_or(0), std::process::id())
}

/// The process namespace of this process, if it can be found out.
fn namespace() -> Option<u64> {
    fs::metadata("/proc/self/ns/pid").ok().map(|facts| facts.ino())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("`{}` cannot be read: {error}", path.display()))
}

/// Removes the groups of ended processes of this process namespace, and ends the processes in them: a sandbox whose
/// starter was killed before it sent the task would wait forever, and is not tied to a parent yet.
fn sweep(parent: &Path) {
    // Process ids of an unknown namespace say nothing about who is alive.
    let Some(namespace) = namespace() else { return };
    let known = format!("deed-{namespace}-");
    // Best effort: a later probe removes the rest.
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix(&known)).and_then(|rest| rest.split('-').next());
        if pid.is_some_and(has_ended) {
            end_all(&entry.path());
            // If a process takes a while to end, a later probe removes the group.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Returns whether no process has this id. One that we may not signal, or see in `/proc`, is alive.
fn has_ended(pid: &str) -> bool {
    let pid = pid.parse().ok().filter(|pid| *pid > 0).map(Pid::from_raw);
    pid.is_some_and(|pid| kill(pid, None) == Err(Errno::ESRCH))
}

/// Ends all processes of a group whose owner has ended.
fn end_all(group: &Path) {
    let at_once = fs::OpenOptions::new().write(true).open(group.join("cgroup.kill"));
    if at_once.and_then(|mut file| file.write_all(b"1")).is_ok() {
        return;
    }
    let text = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
    for pid in text.split_whitespace().filter_map(|pid| pid.parse().ok()).filter(|pid| *pid > 1) {
        // It may have ended meanwhile; ids are not reused that fast.
        let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
    }
}

/// Enables the wanted controllers for groups below this one, of version 2, and returns them.
fn enabled(parent: &Path) -> Result<Vec<String>, String> {
    let available = read(&parent.join("cgroup.controllers"))?;
    let wanted: Vec<&str> = available.split_whitespace().filter(|name| WANTED.contains(name)).collect();
    if wanted.is_empty() {
        return Err(format!("`{}` has no controllers for memory, processes and CPU", parent.display()));
    }
    let present = read(&parent.join("cgroup.subtree_control"))?;
    for name in wanted.iter().filter(|name| !present.split_whitespace().any(|one| one == **name)) {
        fs::write(parent.join("cgroup.subtree_control"), format!("+{name}"))
            .map_err(|error| format!("`{name}` cannot be enabled below `{}`: {error}", parent.display()))?;
    }
    let mut names: Vec<String> = wanted.into_iter().map(str::to_owned).collect();
    if names.iter().any(|name| name == "cpu") {
        // In version 2 the controller `cpu` counts CPU time too.
        names.push("cpuacct".to_owned());
    }
    Ok(names)
}

/// The group of this process in each hierarchy, version 2 first.
fn candidates(mounts: &str, own: &str) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = mounts.lines().filter_map(|line| candidate(line, own)).collect();
    found.sort_by_key(|candidate| std::cmp::Reverse(candidate.version));
    found
}

fn candidate(mount: &str, own: &str) -> Option<Candidate> {
    let (before, after) = mount.split_once(" - ")?;
    let mut before = before.split(' ').skip(3);
    let (root, point) = (before.next()?, before.next()?);
    let mut after = after.split(' ');
    let kind = after.next()?;
    let options = after.nth(1)?;
    let (version, controllers) = match kind {
        "cgroup2" => (2, Vec::new()),
        "cgroup" => (1, options.split(',').filter(|name| WANTED.contains(name)).map(str::to_owned).collect()),
        _ => return None,
    };
    // In version 1 each hierarchy is joined separately, which takes time; one for the CPU weight alone is not worth it.
    if version == 1 && controllers.iter().all(|name: &String| name == "cpu") {
        return None;
    }
    let path = own.lines().find_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (names, path) = rest.split_once(':')?;
        let same = if version == 2 {
            names.is_empty()
        } else {
            names.split(',').any(|name| controllers.iter().any(|one| one == name))
        };
        same.then_some(path)
    })?;
    // A container sees a part of the hierarchy as the whole.
    let below = Path::new(path).strip_prefix(root).unwrap_or(Path::new(path));
    let below = below.strip_prefix("/").unwrap_or(below);
    Some(Candidate { version, controllers, parent: Path::new(point).join(below) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_own_group_in_each_hierarchy() {
        let mounts = "30 24 0:26 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n\
                      31 24 0:27 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer\n\
                      32 24 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n\
                      33 24 0:29 / / rw - ext4 /dev/vda rw\n";
        let own = "4:memory:/a/b\n3:freezer:/\n0::/c\n";
        let found = candidates(mounts, own);
        let expected = vec![
            Candidate { version: 2, controllers: vec![], parent: "/sys/fs/cgroup/unified/c".into() },
            Candidate { version: 1, controllers: vec!["memory".into()], parent: "/sys/fs/cgroup/memory/a/b".into() },
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_part_of_the_hierarchy_is_seen_as_the_whole() {
        let mounts = "30 24 0:26 /docker/x /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
        let found = candidates(mounts, "0::/docker/x/y\n");
        assert_eq!(found.first().map(|one| one.parent.clone()), Some("/sys/fs/cgroup/y".into()));
    }

    #[test]
    fn a_delegated_group_is_used_with_its_controllers() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("cgroup.controllers"), "cpuset cpu memory pids\n").unwrap();
        fs::write(folder.path().join("cgroup.subtree_control"), "cpu memory pids\n").unwrap();
        assert_eq!(enabled(folder.path()).unwrap(), ["cpu", "memory", "pids", "cpuacct"]);
    }

    #[test]
    fn only_a_process_that_does_not_exist_has_ended() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        assert!(has_ended(&child.id().to_string()));
        for alive in [std::process::id().to_string(), "1".to_owned(), "none".to_owned(), String::new()] {
            assert!(!has_ended(&alive), "{alive}");
        }
    }

    #[test]
    fn the_leftovers_of_an_ended_process_are_ended() {
        use std::os::unix::process::ExitStatusExt;
        use std::process::{Command, Stdio};
        let folder = tempfile::tempdir().unwrap();
        let ended_pid = {
            let mut ended = Command::new("true").spawn().unwrap();
            ended.wait().unwrap();
            ended.id()
        };
        let group = folder.path().join(format!("deed-{}-{ended_pid}-0", namespace().unwrap()));
        let ours = folder.path().join(format!("{}0", own_prefix()));
        // Each waits for input that never comes.
        let waiting = || Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let (mut left, mut used) = (waiting(), waiting());
        for (group, process) in [(&group, &left), (&ours, &used)] {
            fs::create_dir(group).unwrap();
            fs::write(group.join("cgroup.procs"), format!("{}\n", process.id())).unwrap();
        }
        sweep(folder.path());
        assert_eq!(left.wait().unwrap().signal(), Some(9));
        // The group of a live process is left alone: this one ends by itself once its input does.
        drop(used.stdin.take());
        assert!(used.wait().unwrap().success());
    }
}
