//! Derives the verdicts of validation packs again, from stored bytes and the packs that were frozen with the run.
//!
//! A corrected artifact is derived from the bytes that entered: the same packs have to give the same corrected bytes and
//! the same report.

use super::Pass;
use crate::models::{RunModels, load_reply, load_value, written};
use crate::validation::correct::{self, FrozenProposals};
use crate::validation::{self, Subject, Subjects, judge, schema};
use deed_canon::{ContentHash, Envelope};
use deed_model::{
    ArtifactRecord, AskedCorrector, ModelCallOutcome, Phase, PostflightReceipt, PreflightReceipt, Proposals,
    RunRequest, StepContract, ValidationMode, ValidationRecord, ValidationStage,
};
use deed_validation::{CANDIDATE_PATH, Judged, Validator};
use std::io::Read;

/// Derives the verdicts on what the run was submitted with.
pub(super) fn submission(pass: &Pass<'_>, request: &RunRequest) -> Result<(), String> {
    let Some(validator) = &pass.validator else { return nothing(&request.validation) };
    let Some(types) = &pass.types else { return Ok(()) };
    let said = &request.validation;
    let candidate = match validator.mode(Phase::PlannerCandidate) {
        ValidationMode::Off => None,
        ValidationMode::Report | ValidationMode::Block => Some(candidate(pass, validator, said)?),
    };
    let given: Vec<ArtifactRecord> = request.inputs.iter().map(|input| as_given(said, input)).collect();
    let subjects = Subjects { plan: pass.plan, plan_blob: &request.plan_blob, types, inputs: &given };
    let derived = validation::submission(validator, candidate, &subjects, pass.blobs).map_err(|error| error.message)?;
    same(said, &derived.records)?;
    if derived.inputs != request.inputs {
        return Err("the run reads other inputs than those that were corrected".to_owned());
    }
    derived.judged.iter().try_for_each(|judged| kept(pass, judged))
}

/// An input as it was given: before its correction, if there was one.
fn as_given(said: &[ValidationRecord], input: &ArtifactRecord) -> ArtifactRecord {
    let mut own = said.iter().filter(|record| record.phase == Phase::Ingestion);
    let record = own.find(|record| record.path.as_deref() == Some(input.path.as_str()));
    match record.and_then(|record| record.correction.as_ref()) {
        Some(correction) => ArtifactRecord { path: input.path.clone(), ..correction.original.clone() },
        None => input.clone(),
    }
}

fn candidate(pass: &Pass<'_>, validator: &Validator, said: &[ValidationRecord]) -> Result<ValidationRecord, String> {
    let mut own = said.iter().filter(|record| record.phase == Phase::PlannerCandidate);
    let before = own.next().and_then(|record| record.before).ok_or("no verdict on the plan is recorded")?;
    let subject = Subject {
        phase: Phase::PlannerCandidate,
        path: CANDIDATE_PATH,
        sha256: before,
        schema: None,
        may_correct: true,
        proposed: None,
    };
    let judged = derived(pass, validator, subject)?;
    kept(pass, &judged)?;
    Ok(judged.record)
}

/// Derives the verdicts on the inputs of a step.
pub(super) fn inputs(pass: &Pass<'_>, contract: &StepContract, receipt: &PreflightReceipt) -> Result<(), String> {
    let Some(validator) = &pass.validator else { return nothing(&receipt.validation) };
    let Some(types) = &pass.types else { return Ok(()) };
    let derived: Vec<ValidationRecord> = validation::unless_off(validator, Phase::StepInput, || {
        let one = |file: &deed_model::FileReceipt| {
            let schema = schema::of_input(types, contract, &file.path);
            let (path, sha256) = (file.path.as_str(), file.found.sha256);
            let subject = Subject { phase: Phase::StepInput, path, sha256, schema, may_correct: false, proposed: None };
            derived(pass, validator, subject).map(|judged| judged.record)
        };
        receipt.inputs.iter().map(one).collect::<Result<_, String>>()
    })?;
    same(&receipt.validation, &derived)
}

/// Derives the verdicts on the outputs of a step that succeeded, from the bytes that it wrote.
pub(super) fn outputs(pass: &Pass<'_>, contract: &StepContract, receipt: &PostflightReceipt) -> Result<(), String> {
    let Some(validator) = &pass.validator else { return nothing(&receipt.validation) };
    let Some(types) = &pass.types else { return Ok(()) };
    let derived: Vec<ValidationRecord> = validation::unless_off(validator, Phase::StepOutput, || {
        let one = |file: &deed_model::FileReceipt| {
            let mut said = receipt.validation.iter();
            let said = said.find(|record| record.path.as_deref() == Some(file.path.as_str()));
            let before = said.and_then(|record| record.before).unwrap_or(file.found.sha256);
            let schema = schema::of_output(types, contract, &file.path);
            let may_correct = receipt.execution.reused.is_none();
            let (phase, path) = (Phase::StepOutput, file.path.as_str());
            let subject = Subject { phase, path, sha256: before, schema, may_correct, proposed: None };
            let record = said.and_then(|record| record.corrector.as_ref());
            let proposals = match may_correct {
                true => proposed(pass, (validator, contract), receipt, subject, record)?,
                false => None,
            };
            let proposed = proposals.as_ref().map(FrozenProposals::proposed);
            let judged = derived(pass, validator, Subject { proposed, ..subject })?;
            kept(pass, &judged)?;
            let after = judged.record.correction.as_ref().map_or(before, |correction| correction.after);
            match after == file.found.sha256 {
                true => Ok(judged.record),
                false => Err(format!("`{}` is not what its correction gives", file.path)),
            }
        };
        receipt.outputs.iter().map(one).collect::<Result<_, String>>()
    })?;
    same(&receipt.validation, &derived)
}

/// Reads the proposals that a model made for an output, which have to follow from its reply, and to be asked for exactly where a
/// contract waits for them.
fn proposed(
    pass: &Pass<'_>,
    (validator, contract): (&Validator, &StepContract),
    receipt: &PostflightReceipt,
    subject: Subject<'_>,
    record: Option<&AskedCorrector>,
) -> Result<Option<FrozenProposals>, String> {
    let path = subject.path;
    let mut blob = pass.blobs.open(&subject.sha256).map_err(|error| error.message)?;
    let correctable = validation::correctable(validator, subject, &mut *blob).map_err(|error| error.to_string())?;
    let request = pass.state.request.as_ref().ok_or("nothing says what was submitted")?;
    let models = RunModels::of_run(request, pass.blobs)?.filter(|models| models.desk.binding(correct::SLOT).is_some());
    let (record, correctable) = match (record, correctable, &models) {
        (Some(record), Some(correctable), Some(_)) => (record, correctable),
        (None, None, _) | (None, Some(_), None) => return Ok(None),
        (None, Some(_), Some(_)) => {
            return Err(format!("no model was asked about `{path}`, and its contract waits for one"));
        }
        (Some(_), _, _) => return Err(format!("a model was asked about `{path}`, and nothing waits for it")),
    };
    let (Some(key), Some(kept)) = (&record.call, &record.proposals) else {
        return match record.fault {
            Some(_) => Ok(Some(FrozenProposals { record: record.clone(), proposals: Proposals::default() })),
            None => Err(format!("the record of the model that was asked about `{path}` says nothing")),
        };
    };
    let proposals: Proposals = load_value(pass.blobs, &kept.sha256)?;
    let step = pass.state.step(&contract.step_id);
    let call = step.and_then(|step| step.models.iter().find(|model| model.intent.key == *key));
    let answer = call.and_then(|call| call.answer.as_ref()).map(|answer| &answer.outcome);
    let Some(ModelCallOutcome::Replied { reply, .. }) = answer else {
        return Err(format!("the proposals for `{path}` name a call without a reply"));
    };
    let text = written(&load_reply(pass.blobs, reply)?).map_err(|failed| failed.failure.message.clone())?;
    let mut sources = correct::Sources::default();
    for input in &receipt.inputs {
        let mut blob = pass.blobs.open(&input.sha256).map_err(|error| error.message)?;
        sources.add(&input.path, input.bytes, &mut *blob).map_err(|error| error.to_string())?;
    }
    let name = contract.spec_hash.to_string();
    let question = correct::question(&name, (path, subject.sha256), &correctable, &sources);
    let form = question.form().map_err(|refusal| refusal.message)?;
    match question.read(&form, &text) {
        Ok(read) if read == proposals && record.fault.is_none() => {
            Ok(Some(FrozenProposals { record: record.clone(), proposals }))
        }
        Ok(_) => Err(format!("the proposals for `{path}` are not those of the reply")),
        Err(fault) => Err(format!("the reply with the proposals for `{path}` cannot be used: {fault}")),
    }
}

/// Derives what the signed receipt of a stage states.
pub(super) fn stage(
    pass: &Pass<'_>,
    stage: ValidationStage,
    said: &[ValidationRecord],
    receipt: &Envelope,
) -> Result<(), String> {
    let request = pass.state.request.as_ref().ok_or("nothing says what was submitted")?;
    let signed = validation::opened(receipt, request, stage, pass.known)?;
    if signed != said {
        return Err("the journal has other verdicts than the receipt".to_owned());
    }
    match stage {
        ValidationStage::Submission => same(said, &request.validation),
        ValidationStage::Delivery => {
            let Some(validator) = &pass.validator else { return nothing(said) };
            let Some(types) = &pass.types else { return Ok(()) };
            let files = crate::engine::delivered(pass.plan, pass.state);
            let derived = validation::delivered(validator, (types, pass.plan), &files, pass.blobs);
            same(said, &derived.map_err(|error| error.message)?)
        }
    }
}

fn derived(pass: &Pass<'_>, validator: &Validator, subject: Subject<'_>) -> Result<Judged, String> {
    let mut blob = pass.blobs.open(&subject.sha256).map_err(|error| error.message)?;
    judge(validator, subject, &mut *blob).map_err(|error| error.to_string())
}

/// Checks that the bytes of a correction are stored as they were derived.
fn kept(pass: &Pass<'_>, judged: &Judged) -> Result<(), String> {
    let Some(correction) = &judged.correction else { return Ok(()) };
    for bytes in [&correction.bytes, &correction.report] {
        let mut stored = Vec::new();
        let mut blob = pass.blobs.open(&ContentHash::of_bytes(bytes)).map_err(|error| error.message)?;
        blob.read_to_end(&mut stored).map_err(|error| error.to_string())?;
        if stored != *bytes {
            let path = judged.record.path.as_deref().unwrap_or_default();
            return Err(format!("the stored correction of `{path}` was altered"));
        }
    }
    Ok(())
}

fn nothing(said: &[ValidationRecord]) -> Result<(), String> {
    if said.is_empty() {
        Ok(())
    } else {
        Err("it has verdicts of validation packs, and the run has no profile".to_owned())
    }
}

/// Compares verdicts, in order.
fn same(said: &[ValidationRecord], derived: &[ValidationRecord]) -> Result<(), String> {
    let named = |record: &ValidationRecord| {
        format!("`{}` of `{}`", record.phase.as_str(), record.path.as_deref().unwrap_or("*"))
    };
    for (place, derived) in derived.iter().enumerate() {
        match said.get(place) {
            Some(said) if said == derived => {}
            Some(said) if said.path == derived.path && said.phase == derived.phase => {
                let word = derived.verdict.as_str();
                return Err(format!("the verdict {} comes out otherwise than it is recorded: {word}", named(derived)));
            }
            _ => return Err(format!("the verdict {} is missing, or stands elsewhere", named(derived))),
        }
    }
    match said.get(derived.len()) {
        None => Ok(()),
        Some(extra) => Err(format!("the verdict {} does not follow from the profile", named(extra))),
    }
}
