//! The facts of a run that the critic reads, from its journal.

use crate::error::AppError;
use crate::runs::{load, plan_of};
use crate::session::Session;
use deed_diag::{Diagnostic, codes};
use deed_model::{JournaledApproval, RunEvidence};

/// Returns the steps of a run and the decisions at its gates.
///
/// # Errors
/// There is no such run, or its plan is missing.
pub(super) fn of_run(session: &Session, name: &str) -> Result<RunEvidence, AppError> {
    let (_, store, loaded) = load(session, name)?;
    let Some(plan) = plan_of(&store, &loaded.state) else {
        let message = format!("the plan of the run `{}` is missing or was altered", loaded.run_id);
        let diagnostic = Diagnostic::error(codes::DECISION_RUN_UNUSABLE, message).stage("decision");
        return Err(AppError::refused(diagnostic.help("`deed receipts verify` says what is damaged")));
    };
    let approvals = loaded.state.gates.values().filter_map(|gate| {
        let signed = gate.decided.clone()?;
        Some(JournaledApproval { subject: gate.subject.clone(), signed })
    });
    Ok(RunEvidence {
        approvals: approvals.collect(),
        steps: plan.steps.iter().map(|step| step.step_id.clone()).collect(),
        run_id: loaded.run_id,
    })
}
