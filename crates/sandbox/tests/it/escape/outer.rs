//! The namespaces around the suite: the test runs itself again within them, and makes sure that it is there.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Addresses that must not be reached; here they are only the loopback of an empty namespace.
const ADDRESSES: &[&str] = &["169.254.169.254/32", "10.0.0.1/32", "203.0.113.7/32", "127.0.0.2/8"];

/// Set for the run within the namespaces.
const OUTER: &str = "DEED_TEST_OUTER";
/// Set for the run as an ordinary user.
const ORDINARY: &str = "DEED_TEST_ORDINARY";

/// The user `nobody`, who owns nothing on the machine.
const UNPRIVILEGED: u32 = 65534;

/// Runs the test of this name in namespaces of its own, and tells that it was done; false where this is that run.
pub(crate) fn entered(test: &str) -> bool {
    if std::env::var_os(OUTER).is_some() {
        check();
        return false;
    }
    let mut command = Command::new("unshare");
    command
        .args(if nix::unistd::geteuid().is_root() { &["--mount"][..] } else { &["-Ur", "--mount"] })
        .args(["--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--mount-proc"])
        .arg(std::env::current_exe().unwrap());
    again(&mut command, test, OUTER);
    true
}

/// The same as an ordinary user of the machine. Only root can become one: elsewhere the caller is one already.
pub(crate) fn entered_as_ordinary_user(test: &str) -> bool {
    if std::env::var_os(ORDINARY).is_some() {
        return false;
    }
    if entered(test) {
        return true;
    }
    if !nix::unistd::geteuid().is_root() {
        return false;
    }
    // The victims listen on low ports, and the test binary must be in a folder that every user can enter.
    fs::write("/proc/sys/net/ipv4/ip_unprivileged_port_start", "0").unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let program = folder.path().join("test");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let scratch = folder.path().join("scratch");
    fs::create_dir(&scratch).unwrap();
    chown(&scratch, Some(UNPRIVILEGED), Some(UNPRIVILEGED)).unwrap();
    let mut command = Command::new(program);
    command.uid(UNPRIVILEGED).gid(UNPRIVILEGED).env("TMPDIR", &scratch).env("HOME", &scratch).current_dir(&scratch);
    again(&mut command, test, ORDINARY);
    true
}

fn again(command: &mut Command, test: &str, mark: &str) {
    let output = command
        .args(["--exact", &format!("escape::{test}"), "--nocapture", "--test-threads=1"])
        .env(mark, "1")
        .env("DEED_TEST_SECRET", "the-secret-of-the-launcher")
        .output()
        .unwrap();
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("{said}");
    assert!(output.status.success(), "{said}\n{errors}");
    assert!(said.contains("1 passed"), "the test did not run again:\n{said}\n{errors}");
}

/// Stops the test unless the namespace is empty: one interface, and few processes.
fn check() {
    let interfaces = fs::read_to_string("/proc/net/dev").unwrap();
    let names: Vec<&str> = interfaces.lines().skip(2).map(|line| line.split(':').next().unwrap().trim()).collect();
    assert_eq!(names, ["lo"], "this is not a namespace of our own");
    assert!(std::process::id() < 50, "this is not a process namespace of our own");
    ip(&["link", "set", "lo", "up"]);
    for address in ADDRESSES {
        ip(&["addr", "replace", address, "dev", "lo"]);
    }
    ip(&["addr", "replace", "fd00::1/128", "dev", "lo"]);
}

fn ip(args: &[&str]) {
    let status = Command::new("ip").args(args).status().unwrap();
    assert!(status.success(), "ip {args:?}");
}
