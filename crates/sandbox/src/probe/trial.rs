//! Raises the walls around a program that says what holds for it, and believes only that.

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

/// What the binary says about the kernel.
#[derive(Deserialize)]
struct Facts {
    landlock_abi: u32,
}

/// The version of Landlock, as the kernel says it; zero where it says nothing.
pub(super) fn landlock_abi(tools: &ToolPaths) -> u32 {
    let output = isolated(&tools.init).arg("facts").output();
    output
        .ok()
        .and_then(|output| serde_json::from_slice::<Facts>(&output.stdout).ok())
        .map_or(0, |facts| facts.landlock_abi)
}

/// Tries with all that is there; leaves out what fails, and keeps the words of the failure.
pub(super) fn tried(probe: &mut Probe) {
    if probe.root {
        probe.ordinary_user = Ok(());
        if let Err(why) = attempt(&Probe { namespaces: Err(String::new()), landlock_abi: 0, ..probe.clone() }) {
            probe.ordinary_user = Err(format!("root cannot become another user: {why}"));
        }
    }
    if probe.walled() {
        probe.namespaces = attempt(probe).map(drop);
    }
    if !probe.walled() {
        probe.seccomp = attempt(probe).map(drop);
    }
}

/// Runs the program that does nothing, and checks what it says.
fn attempt(probe: &Probe) -> Result<(), String> {
    let plan = trial_plan(&nothing(), probe).map_err(|refusal| refusal.to_string())?;
    let outcome = run(&plan, &Control::new());
    match outcome.ended {
        Ended::Exited(0) => {}
        Ended::CouldNotStart(why) => return Err(why),
        other => return Err(format!("the trial ended with {other:?}")),
    }
    let said = outcome.stdout.text();
    let said: BTreeMap<&str, &str> = said.lines().filter_map(|line| line.split_once(":\t")).collect();
    let filtered = said.get("Seccomp") == Some(&"2") && said.get("NoNewPrivs") == Some(&"1");
    if plan.syscalls.is_some() && !filtered {
        return Err("the filter of system calls was not in force".to_owned());
    }
    if probe.walled() && said.get("CapEff").is_some_and(|held| !held.trim_matches('0').is_empty()) {
        return Err("capabilities were left".to_owned());
    }
    Ok(())
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
