//! The submission of a run.

use super::by_person;
use crate::fold::WorkspaceState;
use deed_diag::Diagnostic;
use deed_model::{WorkspaceEvent, WorkspaceInput};

/// Records that a run of the workspace was submitted, once.
///
/// # Errors
/// The actor is no person of the workspace.
pub fn begin_run(
    state: &WorkspaceState,
    run_id: &str,
    plan: &str,
    inputs: &[WorkspaceInput],
    actor: &str,
) -> Result<Vec<WorkspaceEvent>, Vec<Diagnostic>> {
    if state.run(run_id).is_some() {
        return Ok(Vec::new());
    }
    by_person(state, actor)?;
    Ok(vec![WorkspaceEvent::RunBegan { run_id: run_id.to_owned(), plan: plan.to_owned(), inputs: inputs.to_vec() }])
}
