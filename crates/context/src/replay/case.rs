//! A golden case made from a recording.
//!
//! Enters: a recording, and the pack that the case will lie beside. Leaves: the case as text. Must prove: the case passes
//! with this pack, and its expectations are those of the recording, unless an operator corrected it.

use super::inputs::{counted_by, prepare};
use super::run::ReplayReport;
use crate::cache::Hydrations;
use crate::golden::{ExaminedCase, examine, is_clean, settle_version, stage_hashes, yaml_document, yaml_section};
use crate::hydrate::{PackMaterial, hydrate_for};
use crate::refusal::Refusal;
use deed_diag::{Diagnostic, Document, Format, Invariant as _, Place, Report, codes, quote};
use deed_model::{CompileOutcome, ContextPack, GoldenCase, GoldenExpectation, ReplayBundle, ReplayResult, Stage};
use deed_pack::Bundle;
use serde_json::{Value, json};

/// A golden case that was made, as text and as its document.
#[derive(Debug)]
pub struct MadeCase {
    /// The text of the file.
    pub text: String,
    /// The file's document.
    pub document: Document,
    /// What the case expects.
    pub expect: GoldenExpectation,
}

/// Makes a golden case of a recording, for a pack folder.
///
/// `replayed` is the replay of the recording with this pack. The name is that of the file, and `description` a sentence about
/// what the case shows.
///
/// # Errors
/// The pack no longer compiles the request as it was recorded, or does not do what a correction states; or the case would
/// not pass, which the report tells.
pub fn make_case(
    bundle: &ReplayBundle,
    replayed: &ReplayReport,
    beside: (&Bundle, &ContextPack),
    name: &str,
    description: &str,
) -> Result<MadeCase, Report> {
    as_it_should(replayed)?;
    let inputs = &bundle.inputs;
    let list = |value: &Value| value.as_array().cloned().invariant("what was replayed is a list");
    let mut run = inputs.run.clone();
    if let Some(fields) = run.as_object_mut() {
        // The default may change, and the counts with it.
        fields.entry("tokenizer").or_insert_with(|| Value::from(inputs.tokenizer.as_str()));
    }
    let mut case = GoldenCase {
        description: description.to_owned(),
        overlays: replayed.overlays.clone(),
        request: inputs.request.clone(),
        run,
        evidence: list(&inputs.evidence),
        memory: list(&inputs.memory),
        // Something that is read and replaced.
        expect: GoldenExpectation {
            outcome: CompileOutcome::Refused,
            code: Some("D0000".to_owned()),
            ..GoldenExpectation::default()
        },
    };
    settle_version(&mut case, beside.1);
    let draft = written(&case, name, bundle)?;
    case.expect = expected(&draft, beside)?;
    match &bundle.packet.correction {
        // Texts that a prompt must have or lack are not found by looking at it.
        Some(correction) => {
            case.expect.prompt_has.clone_from(&correction.expect.prompt_has);
            case.expect.prompt_lacks.clone_from(&correction.expect.prompt_lacks);
        }
        None => as_recorded(bundle, replayed, &case.expect)?,
    }
    let (text, document) = written(&case, name, bundle)?;
    let found = judged(&document, beside);
    if is_clean(&found) {
        return Ok(MadeCase { text, document, expect: case.expect });
    }
    let mut report = Report::default();
    report.add_source(document.source().clone());
    found.into_iter().for_each(|finding| report.push(finding.stage("golden")));
    Err(report)
}

fn refuse(code: deed_diag::Code, message: String, pointer: &str, help: &str) -> Result<(), Report> {
    let place = Place { source: "bundle".to_owned(), pointer: Some(pointer.to_owned()), span: None };
    Err(Report::of(Diagnostic::error(code, message).stage("golden").at(place).help(help)))
}

const HELP: &str = "record the request again with this pack, if what it does now is right";

/// Refuses a pack that decides otherwise than was recorded. Its version, and texts that this request does not read, may be
/// others.
fn as_recorded(bundle: &ReplayBundle, replayed: &ReplayReport, now: &GoldenExpectation) -> Result<(), Report> {
    if replayed.result == ReplayResult::ReplayEqual {
        return Ok(());
    }
    let cache = Hydrations::new();
    let inputs = prepare(&bundle.inputs)?;
    let pack = hydrate_for(&PackMaterial::recorded(&bundle.inputs), counted_by(&bundle.inputs, &inputs.run), &cache)?;
    let then = stage_hashes(&pack, &bundle.expected.stages);
    let same_end = now.outcome == bundle.expected.outcome && now.code == bundle.expected.refusal;
    // A refusal has no hashes of stages, and its code says enough.
    let same_stages = now.outcome == CompileOutcome::Refused || now.stages == then;
    if same_end && same_stages {
        return Ok(());
    }
    let differs = |stage: &Stage| now.stages.get(stage) != then.get(stage);
    // A refusal has no hashes of stages to compare.
    let moved = Stage::ALL.into_iter().filter(|_| now.outcome != CompileOutcome::Refused).find(differs);
    let Some(stage) = moved else {
        let (ended, ends) =
            (end(&bundle.expected.outcome, bundle.expected.refusal.as_deref()), end(&now.outcome, now.code.as_deref()));
        return refuse(
            codes::GOLDEN_RECORDING_MOVED,
            format!("the pack does not compile it as recorded: it ends with {ends}, and ended with {ended}"),
            "/expected/outcome",
            HELP,
        );
    };
    let at = replayed.moved.as_ref().filter(|moved| moved.stage == stage).map(|moved| {
        let shown =
            |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), |value| quote(&value.to_string()));
        format!(" at {}: {} -> {}", moved.pointer, shown(moved.before.as_ref()), shown(moved.after.as_ref()))
    });
    let recorded = bundle.expected.stages.iter().position(|record| record.stage == stage);
    let pointer = recorded.map_or_else(|| "/expected/outcome".to_owned(), |index| format!("/expected/stages/{index}"));
    refuse(
        codes::GOLDEN_RECORDING_MOVED,
        format!("the pack does not compile it as recorded: the stage `{stage}` moved{}", at.unwrap_or_default()),
        &pointer,
        HELP,
    )
}

fn end(outcome: &CompileOutcome, code: Option<&str>) -> String {
    code.map_or_else(|| format!("`{outcome}`"), |code| format!("`{outcome}` ({code})"))
}

/// Refuses a recording that is not one, and a correction that this pack does not meet.
fn as_it_should(replayed: &ReplayReport) -> Result<(), Report> {
    match replayed.result {
        ReplayResult::ReplayEqual | ReplayResult::Fixed | ReplayResult::ReplayMismatch => Ok(()),
        ReplayResult::StillFailing => {
            let (pointer, line) = replayed
                .unmet
                .first()
                .map_or((String::new(), String::new()), |unmet| (unmet.pointer.clone(), format!(": {}", unmet.line())));
            refuse(
                codes::GOLDEN_CORRECTION_UNMET,
                format!("the pack does not do what the correction states{line}"),
                &format!("/packet/correction{pointer}"),
                "correct the pack first: a golden case passes when it is made",
            )
        }
        ReplayResult::Invalid | ReplayResult::NotRun | ReplayResult::Superseded => refuse(
            codes::RECORDING_TAMPERED,
            format!("the bundle is not what was recorded: {}", replayed.tampered.join(", ")),
            "",
            "restore the original recording",
        ),
    }
}

/// Returns what a draft would have to expect.
fn expected((_, document): &(String, Document), beside: (&Bundle, &ContextPack)) -> Result<GoldenExpectation, Report> {
    let alone = alone(document, beside.0);
    let mut cases = examine(&alone, beside.1, None);
    match cases.pop() {
        Some(ExaminedCase { expectation: Some(expectation), .. }) => Ok(expectation),
        other => {
            let mut report = Report::default();
            report.add_source(document.source().clone());
            let found = other.into_iter().flat_map(|case| case.findings);
            found.for_each(|finding| report.push(finding.stage("golden")));
            Err(report)
        }
    }
}

fn judged(document: &Document, beside: (&Bundle, &ContextPack)) -> Vec<Diagnostic> {
    examine(&alone(document, beside.0), beside.1, None).into_iter().flat_map(|case| case.findings).collect()
}

/// The pack with this case alone.
fn alone(document: &Document, bundle: &Bundle) -> Bundle {
    Bundle::new(bundle.document.clone(), bundle.overlays.clone(), vec![document.clone()])
}

/// The fields of an expectation in the order that people read them.
const ORDER: [&str; 24] = [
    "outcome",
    "code",
    "rules",
    "verdicts",
    "tools",
    "hidden",
    "arguments",
    "calls",
    "approval_gates_active",
    "must_refuse",
    "must_escalate",
    "evidence",
    "rejected_evidence",
    "memory",
    "rejected_memory",
    "redaction_rules_active",
    "redactions",
    "blocks",
    "dropped",
    "prompt_has",
    "prompt_lacks",
    "tokens_allocated",
    "stages",
    "compiled_context_hash",
];

/// Returns a case as text, with the document that it reads as.
fn written(case: &GoldenCase, name: &str, bundle: &ReplayBundle) -> Result<(String, Document), Report> {
    let comment = format!("Made from {} ({}).", bundle.packet.packet_id, bundle.packet.source_kind);
    let mut members = vec![("description", json!(case.description))];
    let optional =
        [("overlays", json!(case.overlays)), ("evidence", json!(case.evidence)), ("memory", json!(case.memory))];
    let [overlays, evidence, memory] = optional;
    let is_set = |(_, value): &(&str, Value)| value.as_array().is_some_and(|items| !items.is_empty());
    members.extend(Some(overlays).filter(is_set));
    members.push(("request", case.request.clone()));
    members.push(("run", case.run.clone()));
    members.extend([evidence, memory].into_iter().filter(is_set));
    let mut text = yaml_document(&comment, &members);
    let expect = json!(case.expect);
    let set = ORDER.iter().filter_map(|key| Some((*key, expect.get(key)?.clone())));
    yaml_section(&mut text, "expect", &set.collect::<Vec<_>>());
    members.push(("expect", expect));
    let document = Document::read(name, text.as_bytes(), Format::Yaml)?;
    let whole: serde_json::Map<String, Value> =
        members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    if *document.value() == Value::Object(whole) {
        return Ok((text, document));
    }
    let message = "the inputs have a value that cannot be written as YAML";
    Err(Report::of(*Refusal::before(codes::GOLDEN_CASE_NOT_READABLE, message).diagnostic))
}
