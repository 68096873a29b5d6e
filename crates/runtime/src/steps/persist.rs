//! 9, persist: what was verified is kept by its content, and then, and only then, the step has succeeded.

use super::postflight::StepOutputs;
use super::store;
use crate::attempt::Attempt;
use crate::content::Content;
use crate::harness::End;
use crate::receipts;
use deed_model::RunEvent;
use deed_ports::{Kept, Wait};

pub(crate) fn outputs(attempt: &Attempt, left: StepOutputs) -> Result<(), End> {
    for output in &left.outputs {
        let known = Kept { sha256: output.found.sha256, bytes: output.found.bytes };
        match &output.content {
            Content::File(file) => attempt.run.world.blobs.adopt(file, known).map_err(store)?,
            Content::Held(bytes) => {
                // The hash was taken of just these bytes.
                attempt.run.world.blobs.put(&mut &**bytes).map_err(store)?;
            }
        }
    }
    let mut sets = Vec::new();
    for (set, manifest) in left.sets {
        attempt.run.world.blobs.put(&mut manifest.as_slice()).map_err(store)?;
        sets.push(set);
    }
    let event = RunEvent::StepSucceeded {
        step: attempt.contract.step_id.clone(),
        attempt: attempt.number,
        outputs: receipts::records(&left.outputs),
        sets,
        spent: left.spent,
        sub_steps: left.sub_steps,
        remarks: left.remarks,
        validation: left.validation,
        receipt: left.receipt,
    };
    attempt.run.record(event, Wait::Durable).map_err(store)
}
