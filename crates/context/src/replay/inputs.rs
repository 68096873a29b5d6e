//! Reading the inputs of a recording.

use crate::inputs::{Evidence, Inputs, Memory, ReadInput, Request, Run};
use crate::refusal::Refusal;
use deed_diag::Report;
use deed_model::BundleInputs;

/// The inputs of a recording, read and checked.
pub(crate) struct ReplayInputs {
    pub(crate) request: Request,
    pub(crate) run: Run,
    pub(crate) evidence: Evidence,
    pub(crate) memory: Memory,
}

impl ReplayInputs {
    pub(crate) fn inputs(&self) -> Inputs<'_> {
        Inputs { request: &self.request, run: &self.run, evidence: &self.evidence, memory: &self.memory }
    }
}

/// Reads recorded inputs.
pub(crate) fn prepare(inputs: &BundleInputs) -> Result<ReplayInputs, Report> {
    let failed = |refusal: Refusal| Report::of(*refusal.diagnostic);
    Ok(ReplayInputs {
        request: Request::from_value(inputs.request.clone()).map_err(failed)?,
        run: Run::from_value(inputs.run.clone()).map_err(failed)?,
        evidence: Evidence::from_value(inputs.evidence.clone()).map_err(failed)?,
        memory: Memory::from_recorded(inputs.memory.clone(), inputs.recalled_memory.as_ref()).map_err(failed)?,
    })
}

/// The tokenizer that counted the tokens of a recording: the one its run names, or else the default of that time.
pub(crate) fn counted_by<'i>(inputs: &'i BundleInputs, run: &'i Run) -> &'i str {
    run.context().tokenizer.as_deref().unwrap_or(&inputs.tokenizer)
}
