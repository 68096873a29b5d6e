//! 1, prepare: `/workspace/{input,work,output,meta}` for one attempt, with the contract, the code and the clients in
//! `meta`. Input: the contract. Output: an attempt with folders of its own.

use super::{code, disk, store};
use crate::attempt::Attempt;
use crate::bridge::write_clients;
use crate::fault::{FailureExt, fault};
use crate::harness::End;
use crate::run::Run;
use crate::stage::{Stage, StageAccess};
use deed_canon::{ContentHash, hash_of};
use deed_diag::{Invariant as _, codes};
use deed_model::{Backend, FailureClass, IsolationLevel, STEP_CODE_TAG, StepCode, StepContract};
use std::fs;
use std::io::Read;
use std::sync::Arc;

/// The invariant of a contract whose backend runs code.
pub(crate) const LANGUAGE: &str = "a step with code names its language";

pub(crate) fn workspace(run: &Arc<Run>, contract: &Arc<StepContract>, number: u32) -> Result<Arc<Attempt>, End> {
    let failed = |error: std::io::Error| disk("the step cannot be staged", &error);
    let stage = Stage::below(&run.world.stage.join(&run.request.run_id)).map_err(failed)?;
    Ok(Arc::new(Attempt::new(run.clone(), contract.clone(), number, stage)))
}

/// The folders of an attempt, with all that code can read about its step. What runs in this process needs none.
pub(crate) fn folders(attempt: &Attempt) -> Result<(), End> {
    if attempt.contract.execution_contract.routing.backend == Backend::SandboxSession {
        let mounted = attempt.run.world.sandbox.probe().level >= IsolationLevel::L2;
        let walked = if mounted { StageAccess::ByOwner } else { StageAccess::ByUserOfCode };
        attempt.stage.make(walked).map_err(|error| disk("the step cannot be staged", &error))?;
        meta(attempt)?;
    }
    Ok(())
}

fn meta(attempt: &Attempt) -> Result<(), End> {
    let failed = |error: std::io::Error| disk("the step cannot be staged", &error);
    let folder = attempt.stage.meta();
    write_clients(&folder).map_err(failed)?;
    let contract = serde_json::to_vec_pretty(&*attempt.contract)
        .map_err(|error| fault(FailureClass::ContractSchema, codes::STORE_FAILED, error.to_string()))?;
    fs::write(folder.join("contract.json"), contract).map_err(failed)?;
    let language = attempt.contract.execution_contract.language.as_deref().invariant(LANGUAGE);
    let place = attempt.run.request.code_places.get(&attempt.contract.step_id);
    let staged = code::staged(language, &code(attempt)?, place);
    let file = folder.join(&staged.file);
    if let Some(above) = file.parent() {
        fs::create_dir_all(above).map_err(failed)?;
    }
    fs::write(file, staged.text).map_err(failed)?;
    attempt.set_staged(staged.args);
    Ok(())
}

/// The code of the step, which has to be the one that the contract froze.
pub(crate) fn code(attempt: &Attempt) -> Result<String, End> {
    let step = &attempt.contract.step_id;
    let missing = || {
        fault(FailureClass::MissingArtifact, codes::NEEDS_MODEL, "the step has no code")
            .about(step.clone())
            .help("give the step its code under `code`")
    };
    let blob = attempt.run.request.code.get(step).ok_or_else(missing)?;
    let mut text = String::new();
    let mut reader = attempt.run.world.blobs.open(blob).map_err(store)?;
    reader.read_to_string(&mut text).map_err(|error| disk("the code cannot be read", &error))?;
    let language = attempt.contract.execution_contract.language.clone().invariant(LANGUAGE);
    let altered = || {
        let message = "the stored code is not the code that the contract froze";
        fault(FailureClass::ContractSchema, codes::STORE_FAILED, message).about(step.clone())
    };
    if ContentHash::of_bytes(text.as_bytes()) != *blob {
        return Err(altered().into());
    }
    let code = StepCode { language, source: text, file: None };
    let hash = hash_of(&STEP_CODE_TAG, &code).ok();
    // The language is frozen in small letters, and the plan may have written it otherwise.
    let frozen = attempt.contract.execution_contract.code_hash;
    if frozen.is_some() && hash != frozen {
        return Err(altered().into());
    }
    Ok(code.source)
}
