//! The namespaces around the suite: the test runs itself again within them, and makes sure that it is there.

use std::fs;
use std::process::Command;

/// Addresses that must not be reached; here they are only the loopback of a namespace with nobody else in it.
const ADDRESSES: &[&str] = &["169.254.169.254/32", "10.0.0.1/32", "203.0.113.7/32", "127.0.0.2/8"];

/// Runs the test of this name in namespaces of its own, and tells that it was done; false where this is that run.
pub(crate) fn entered(test: &str) -> bool {
    if std::env::var_os("DEED_TEST_OUTER").is_some() {
        check();
        return false;
    }
    let output = Command::new("unshare")
        .args(if nix::unistd::geteuid().is_root() { &["--mount"][..] } else { &["-Ur", "--mount"] })
        .args(["--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--mount-proc"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env("DEED_TEST_OUTER", "1")
        .env("DEED_TEST_SECRET", "the-secret-of-the-launcher")
        .output()
        .unwrap();
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("{said}");
    assert!(output.status.success(), "{said}\n{errors}");
    true
}

/// Goes no further unless there is nobody else: one interface, and few processes.
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
