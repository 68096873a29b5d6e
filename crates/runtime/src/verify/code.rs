//! Reads the code of every step again and holds it to what its contract froze.

use super::{Pass, VerifiedPart};
use deed_canon::{ContentHash, hash_of};
use deed_model::{STEP_CODE_TAG, StepCode, StepContract};
use std::collections::BTreeMap;
use std::io::Read as _;

pub(super) fn verify(pass: &mut Pass<'_>) {
    let Some(request) = &pass.state.request else {
        pass.say(VerifiedPart::Code, Err("the journal does not say which code was submitted".to_owned()));
        return;
    };
    let mut steps = pass
        .plan
        .steps
        .iter()
        .filter(|step| step.execution_contract.code_hash.is_some() || request.code.contains_key(&step.step_id));
    let found = steps.try_for_each(|step| same(pass, step, &request.code));
    pass.say(VerifiedPart::Code, found);
}

/// Returns whether the stored code of a step is the code that its contract froze.
fn same(pass: &Pass<'_>, step: &StepContract, code: &BTreeMap<String, ContentHash>) -> Result<(), String> {
    let id = &step.step_id;
    let blob = code.get(id).ok_or_else(|| format!("the run keeps no code of `{id}`"))?;
    let mut source = Vec::new();
    let mut reader = pass.blobs.open(blob).map_err(|error| format!("the code of `{id}`: {}", error.message))?;
    reader.read_to_end(&mut source).map_err(|error| format!("the code of `{id}` cannot be read: {error}"))?;
    let altered = || format!("the stored code of `{id}` is not the code that its contract froze");
    if ContentHash::of_bytes(&source) != *blob {
        return Err(altered());
    }
    let source = String::from_utf8(source).map_err(|_| altered())?;
    let language = step.execution_contract.language.clone().unwrap_or_default();
    let hash = hash_of(&STEP_CODE_TAG, &StepCode { language, source, file: None }).ok();
    let frozen = step.execution_contract.code_hash;
    if frozen.is_some() && hash != frozen { Err(altered()) } else { Ok(()) }
}
