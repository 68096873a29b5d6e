//! `deed runs`: what ran, how far it came, and how to go on or end it.

mod cancel;
mod events;
mod list;
mod resume;
mod show;

use crate::args::Global;
use crate::failure::Failure;
use crate::output::Success;
use clap::Subcommand;
use deed_canon::ContentHash;
use deed_model::CompiledPlan;
use deed_ports::BlobRead;
use deed_runtime::RunState;

/// What can be done with runs.
#[derive(Debug, Subcommand)]
pub(crate) enum Runs {
    List(list::List),
    Show(show::Show),
    Events(events::Events),
    Resume(resume::Resume),
    Cancel(cancel::Cancel),
}

impl Runs {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        match self {
            Self::List(c) => c.run(global),
            Self::Show(c) => c.run(global),
            Self::Events(c) => c.run(global),
            Self::Resume(c) => c.run(global),
            Self::Cancel(c) => c.run(global),
        }
    }
}

/// The plan of a run, if its bytes are there and are the right ones.
pub(crate) fn plan_of(store: &dyn BlobRead, state: &RunState) -> Option<CompiledPlan> {
    let request = state.request.as_ref()?;
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut store.open(&request.plan_blob).ok()?, &mut bytes).ok()?;
    let plan: CompiledPlan = serde_json::from_slice(&bytes).ok()?;
    // The hash of a plan covers its steps by their hashes, so that these have to hold as well.
    let steps = plan.steps.iter().all(|step| deed_plan::spec_hash(step).ok() == Some(step.spec_hash));
    let whole = steps && deed_plan::plan_hash(&plan).ok() == Some(request.plan_hash);
    (whole && ContentHash::of_bytes(&bytes) == request.plan_blob).then_some(plan)
}
