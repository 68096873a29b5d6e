//! Starts a sandbox with a program that reports the restrictions in force, and relies only on that report.

use super::Probe;
use crate::helper::isolated;
use crate::interpreter::{Interpreter, Language};
use crate::job::Job;
use crate::plan::trial_plan;
use crate::run::{Control, Ended, run};
use crate::tools::ToolPaths;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The facts that the init binary states about the kernel.
#[derive(Deserialize)]
struct Facts {
    landlock_abi: u32,
}

/// The version of Landlock, as the kernel states it; zero if it has none.
pub(super) fn landlock_abi(tools: &ToolPaths) -> Result<u32, String> {
    let output = isolated(&tools.init).arg("facts").output();
    let output = output.map_err(|error| format!("the sandbox init cannot be started: {error}"))?;
    let facts: Facts = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the sandbox init gave an unknown answer: {error}"))?;
    Ok(facts.landlock_abi)
}

/// Tries every feature; leaves out those that fail, and keeps the errors.
pub(super) fn run_trials(probe: &mut Probe) {
    if probe.root {
        probe.ordinary_user = Ok(());
        if let Err(why) = attempt(&Probe { namespaces: Err(String::new()), landlock_abi: 0, ..probe.clone() }) {
            probe.ordinary_user = Err(format!("root cannot become another user: {why}"));
        }
    }
    if probe.is_namespaced() {
        probe.namespaces = attempt(probe).map(drop);
    }
    if !probe.is_namespaced() {
        probe.seccomp = attempt(probe).map(drop);
    }
}

/// Runs the trial program, and checks what it reports.
fn attempt(probe: &Probe) -> Result<(), String> {
    let plan = trial_plan(&nothing(), probe).map_err(|refusal| refusal.to_string())?;
    let outcome = run(&plan, &Control::new());
    match outcome.ended {
        Ended::Exited(0) => {}
        Ended::CouldNotStart(why) => return Err(why),
        other => return Err(format!("the trial ended with {other:?}")),
    }
    let stated = outcome.stdout.text();
    let stated: BTreeMap<&str, &str> = stated.lines().filter_map(|line| line.split_once(":\t")).collect();
    let filtered = stated.get("Seccomp") == Some(&"2") && stated.get("NoNewPrivs") == Some(&"1");
    if plan.syscalls.is_some() && !filtered {
        return Err("the filter of system calls was not in force".to_owned());
    }
    if probe.is_namespaced() && !stated.get("CapEff").is_some_and(|held| is_none_held(held)) {
        return Err("capabilities were left".to_owned());
    }
    Ok(())
}

/// Returns whether a set of capabilities, in hex, is stated and empty.
fn is_none_held(held: &str) -> bool {
    !held.is_empty() && held.bytes().all(|digit| digit == b'0')
}

fn nothing() -> Job {
    let executable = PathBuf::from(crate::plan::ITSELF);
    let interpreter = Interpreter { language: Language::Shell, executable, paths: Vec::new(), version: String::new() };
    Job {
        interpreter,
        args: vec!["noop".to_owned()],
        stage: PathBuf::from("/"),
        own_folder: None,
        inputs: Vec::new(),
        writable: Vec::new(),
        meta: None,
        bridge: None,
        proxy: None,
        ca: None,
        env: BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_capabilities_that_is_not_stated_is_not_empty() {
        assert!(is_none_held("0000000000000000"));
        assert!(!is_none_held("0000000000000400"));
        assert!(!is_none_held(""));
    }

    #[test]
    fn a_binary_that_does_not_start_is_not_a_kernel_without_landlock() {
        let hash = deed_canon::ContentHash::of_bytes(b"");
        let tools = ToolPaths { init: "/nowhere".into(), hash, etc: "/nowhere".into() };
        assert!(landlock_abi(&tools).unwrap_err().starts_with("the sandbox init cannot be started: "));
    }
}
