//! Proposals of the model that the profile binds to the corrector, for an output whose contract waits for them.
//!
//! Enters: what may be corrected of an output, and the inputs of its step. Leaves: proposals, frozen, or the reason why there
//! are none. The ladder judges them as it judges any; `receipts verify` reads them from where they are kept.

use crate::attempt::Attempt;
use crate::checks::InspectedFile;
use crate::harness::End;
use crate::models::{self, AskFailure, BESIDE_CALLS, Caller, RunModels};
use crate::steps::{spent_before, store};
use deed_canon::{ContentHash, to_canonical_of};
use deed_desk::{CorrectablePlace, Correction, CorrectionSource, DeskRefusal};
use deed_diag::codes;
use deed_model::{
    ArtifactRecord, AskedCorrector, BindingSlot, BridgeErrorKind, Budget, CorrectorFault, FailureClass, ModelConsumer,
    Phase, Proposals,
};
use deed_ports::{StoreError, StoreErrorKind};
use deed_validation::{Correctable, Proposed};
use serde_json::Value;
use std::io::{self, Read};
use std::sync::Arc;

/// The slot of the corrector.
pub(crate) const SLOT: BindingSlot = BindingSlot::Consumer(ModelConsumer::Corrector);
/// The size limit of an input that the model reads, in bytes.
const LARGEST_SOURCE: u64 = 256 << 10;

/// Proposals for an output, or the reason why there are none, with the record that names them.
#[derive(Debug, Clone)]
pub(crate) struct FrozenProposals {
    pub(crate) record: AskedCorrector,
    pub(crate) proposals: Proposals,
}

impl FrozenProposals {
    /// Returns them as a judgement takes them.
    pub(crate) fn proposed(&self) -> Proposed<'_> {
        Proposed { record: &self.record, proposals: &self.proposals }
    }
}

/// The texts that an output was made from.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    texts: Vec<(String, Value)>,
    left_out: Vec<String>,
}

impl Sources {
    /// Adds an input: its text, or that it is left out.
    pub(crate) fn add(&mut self, path: &str, bytes: u64, content: &mut dyn Read) -> io::Result<()> {
        let mut text = String::new();
        if bytes > LARGEST_SOURCE {
            self.left_out.push(format!("{path}, left out for its {bytes} bytes"));
        } else if let Err(error) = content.take(LARGEST_SOURCE).read_to_string(&mut text) {
            match error.kind() {
                io::ErrorKind::InvalidData => self.left_out.push(format!("{path}, left out: it is not text")),
                _ => return Err(error),
            }
        } else {
            self.texts.push((path.to_owned(), Value::String(text)));
        }
        Ok(())
    }
}

/// The question about an output.
pub(crate) fn question<'q>(
    contract: &'q str,
    (path, artifact): (&'q str, ContentHash),
    correctable: &'q Correctable,
    sources: &'q Sources,
) -> Correction<'q> {
    let place = |(pointer, wrong): &'q (String, String)| {
        let value = correctable.payload.pointer(pointer)?;
        Some(CorrectablePlace { pointer: pointer.clone(), value, wrong: wrong.clone() })
    };
    Correction {
        contract,
        artifact,
        path,
        payload: &correctable.payload,
        rules: &correctable.rules,
        places: correctable.places.iter().filter_map(place).collect(),
        rung: correctable.rung,
        finds: correctable.finds,
        sources: sources.texts.iter().map(|(path, content)| CorrectionSource { path, content }).collect(),
        left_out: &sources.left_out,
        most_edits: correctable.places.len(),
    }
}

/// Asks for proposals for an output; none where the profile binds no model to the corrector.
pub(crate) fn propose(
    attempt: &Arc<Attempt>,
    inputs: &[InspectedFile],
    output: &InspectedFile,
    correctable: &Correctable,
) -> Result<Option<FrozenProposals>, End> {
    let corrupt = |why: String| {
        let message = format!("what models of the run read cannot be used: {why}");
        store(StoreError::new(StoreErrorKind::Corrupt, message).help("restore the blobs from a backup"))
    };
    let Some(models) = attempt.run.models().map_err(corrupt)? else { return Ok(None) };
    if models.desk.binding(SLOT).is_none() {
        return Ok(None);
    }
    let mut sources = Sources::default();
    for input in inputs {
        let added = input.content.open().and_then(|mut file| sources.add(&input.path, input.found.bytes, &mut file));
        added.map_err(|error| crate::steps::disk("an input cannot be read", &error))?;
    }
    let contract = attempt.contract.spec_hash.to_string();
    let asked = question(&contract, (&output.path, output.found.sha256), correctable, &sources);
    let grant = &attempt.contract.execution_contract.attempt;
    attempt.run.ledger.open(&attempt.account, grant, &spent_before(attempt));
    let answered = ask(attempt, &models, &asked);
    attempt.run.ledger.close(&attempt.account);
    if let Some(error) = attempt.unavailable() {
        return Err(End::Unavailable(error));
    }
    if attempt.run.is_stopping() {
        return Err(End::Stopped);
    }
    frozen(attempt, output, answered).map(Some).map_err(store)
}

fn ask(
    attempt: &Arc<Attempt>,
    models: &RunModels,
    question: &Correction<'_>,
) -> Result<(ContentHash, Proposals), AskFailure> {
    let refused = |refusal: DeskRefusal| AskFailure::of_refusal(&refusal);
    let form = question.form().map_err(refused)?;
    let prepared = question.prepare(&models.desk, &form, models::native_schema(models, SLOT)).map_err(refused)?;
    if let Some(gate) = prepared.escalations.first() {
        let message = format!(
            "the context pack demands a decision of `{}` at `{}` before a model is asked, and none can be asked for here",
            gate.role, gate.control
        );
        let kind = BridgeErrorKind::Denied;
        return Err(AskFailure::new(kind, FailureClass::PolicyViolation, codes::MODEL_CALL_REFUSED_BY_PACK, message));
    }
    let caller: Arc<dyn Caller> = attempt.clone();
    // Another output of the same attempt, as after a crash, is another question.
    let place = format!("{BESIDE_CALLS}correction:{}:{}", question.path, question.artifact);
    let read = |text: &str| question.read(&form, text);
    models::until_usable(&caller, models, (&place, &prepared), read, &mut Budget::default())
}

/// Keeps what was answered.
fn frozen(
    attempt: &Attempt,
    output: &InspectedFile,
    answered: Result<(ContentHash, Proposals), AskFailure>,
) -> Result<FrozenProposals, StoreError> {
    let (call, proposals) = match answered {
        Ok(answered) => answered,
        Err(failed) => {
            let failure = *failed.failure;
            let fault = CorrectorFault { code: failure.code.as_str().to_owned(), message: failure.message };
            let record = AskedCorrector { call: None, proposals: None, fault: Some(fault) };
            return Ok(FrozenProposals { record, proposals: Proposals::default() });
        }
    };
    let bytes = to_canonical_of(&proposals).map_err(|error| {
        StoreError::new(StoreErrorKind::Unavailable, format!("the proposals have no canonical form: {error}"))
    })?;
    attempt.run.world.blobs.put(&mut bytes.as_slice())?;
    let path = format!("validation/{}/{}.proposals.json", Phase::StepOutput.as_str(), output.path);
    let kept = ArtifactRecord { path, sha256: ContentHash::of_bytes(&bytes), bytes: bytes.len() as u64 };
    Ok(FrozenProposals { record: AskedCorrector { call: Some(call), proposals: Some(kept), fault: None }, proposals })
}
