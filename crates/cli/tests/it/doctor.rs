//! `deed doctor`: what this machine can enforce, with an exit code that scripts can rely on.

use crate::common::Project;
use serde_json::Value;

fn check<'d>(data: &'d Value, name: &str) -> &'d Value {
    let checks = data["checks"].as_array().unwrap();
    checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("{name}: {data}"))
}

#[test]
fn a_machine_without_namespaces_lacks_a_sandbox() {
    let p = Project::bare();
    let out = p.run(&["doctor", "--without-user-namespaces"]);
    assert_eq!(out.code, 3, "{}", out.stdout);
    assert!(out.stdout.contains("missing  sandbox"), "{}", out.stdout);
    assert!(out.stderr.contains("steps that need what is missing are refused"), "{}", out.stderr);
    let answer = p.json(&["doctor", "--without-user-namespaces"]);
    assert_eq!(answer["ok"], false);
    let sandbox = check(&answer["data"], "namespaces");
    assert_eq!(sandbox["status"], "missing");
    assert!(sandbox["fix"].as_str().is_some_and(|fix| fix.contains("user namespaces")), "{sandbox}");
}

#[test]
fn everything_is_examined() {
    let p = Project::bare();
    let names = |data: &Value| -> Vec<String> {
        data["checks"].as_array().unwrap().iter().map(|check| check["name"].as_str().unwrap().to_owned()).collect()
    };
    let answer = p.json(&["doctor"]);
    assert_eq!(
        names(&answer["data"]),
        [
            "sandbox",
            "bubblewrap",
            "namespaces",
            "seccomp",
            "landlock",
            "cgroups",
            "user",
            "python",
            "node",
            "shell",
            "project",
            "disk",
            "umask",
            "clock"
        ]
    );
    let project = check(&answer["data"], "project");
    assert_eq!(project["status"], "warning");
    assert!(project["fix"].as_str().unwrap().contains("deed init"));
    p.ok(&["init", "--tenant", "tenant_acme"]);
    let answer = p.json(&["doctor"]);
    assert!(check(&answer["data"], "project")["found"].as_str().unwrap().contains("tenant_acme"));
}

#[test]
fn what_is_not_installed_is_named_with_its_package() {
    let p = Project::bare();
    std::fs::create_dir(p.path("empty")).unwrap();
    let out = p.command(&["doctor", "--json"]).env("PATH", p.path("empty")).output().unwrap();
    let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
    let python = check(&answer["data"], "python");
    assert_eq!(python["status"], "warning");
    assert!(python["fix"].as_str().unwrap().contains("apt-get install python3"), "{python}");
}

#[test]
fn a_umask_that_lets_others_write_and_a_clock_that_is_behind_are_named() {
    let p = crate::run::example::tally();
    let script = format!("umask 000; {} doctor --json", env!("CARGO_BIN_EXE_deed"));
    let answer: Value = serde_json::from_str(&p.shell(&script).stdout).unwrap();
    assert_eq!(check(&answer["data"], "umask")["status"], "warning");
    p.run(&["run", "tally.yaml", "--id", "one", "--now", "2030-01-01T00:00:00Z"]);
    let answer = p.json(&["doctor"]);
    let clock = check(&answer["data"], "clock");
    assert_eq!(clock["status"], "warning", "{clock}");
    assert!(clock["found"].as_str().unwrap().contains("before the last event of the journal at 2030-01-01"));
}
