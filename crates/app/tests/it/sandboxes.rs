//! The sandbox of a step, planned and not started.

use crate::project::{Project, codes, repository};
use deed_app::sandboxes::{StepSource, plan, probe};
use deed_sandbox::ProbeOptions;

fn step(step: &str) -> StepSource {
    StepSource { plan: repository("examples/billing/plan.yaml"), step: step.to_owned(), ..StepSource::default() }
}

#[test]
fn a_step_that_the_plan_does_not_have_is_refused() {
    let p = Project::new();
    assert_eq!(codes(plan(&p.session, &step("no-such-step"))), ["D2005"]);
}

#[test]
fn the_plan_of_a_step_names_its_mounts() {
    let p = Project::new();
    match plan(&p.session, &step("profile_sources")) {
        Ok(planned) => {
            assert!(planned.mounts.iter().any(|mount| mount.inside.starts_with("/workspace")), "{planned}");
            assert!(planned.args.last().is_some_and(|script| script.starts_with("/workspace/meta/main.")));
        }
        // A machine that enforces less than the step demands, or has no interpreter, says so.
        Err(error) => {
            let codes = codes::<()>(Err(error));
            assert!(codes == ["D2036"] || codes == ["D2037"], "{codes:?}");
        }
    }
}

#[test]
fn without_a_home_the_tools_are_in_a_temporary_folder() {
    let session = deed_app::Session { home: None, ..Default::default() };
    let options = ProbeOptions { without_bwrap: true, ..ProbeOptions::default() };
    let probed = probe(&session, &options).unwrap();
    assert!(!probed.missing.is_empty());
}
