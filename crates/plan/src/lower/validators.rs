//! C8, validators: what is checked of every file, when and how strictly, and when a step has succeeded.

use super::state::{Lowering, Output, Source, Step, Told};
use crate::codes::{NO_CRITERIA, NOT_CHECKABLE, UNKNOWN_FACT};
use crate::criteria::{Facts, Fault, understand};
use deed_canon::Pointer;
use deed_diag::{Code, Severity, quote};
use deed_model::{
    ArtifactContract, BindingRank, Condition, ConditionCheck, Criterion, EntitySchemaId, FailureClass, Kind, KindKey,
    KindShape, LadderMode, OutputRole, Phase, PolicyRules, ProvenanceDemand, RepairBoundary, RepairPolicy,
    RepairStrategy, Validator, ValidatorCheck,
};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn compute(lowering: &mut Lowering<'_>) {
    lowering.stage = "validators";
    for index in 0..lowering.steps.len() {
        let validators = validators(lowering, index);
        if let Some(step) = lowering.steps.get_mut(index) {
            step.validators = validators;
        }
        criteria(lowering, index);
    }
    mission(lowering);
}

fn validators(lowering: &Lowering<'_>, index: usize) -> Vec<Validator> {
    let Some(step) = lowering.steps.get(index) else { return Vec::new() };
    let mut all = Vec::new();
    for (position, (read, need)) in step.read_from.iter().zip(&step.needs).enumerate() {
        let bound = step.bound.get(position).and_then(Option::as_ref);
        let authored = step.authored.abstract_inputs.get(position);
        let asked = authored.is_some_and(|input| input.provenance_policy != ProvenanceDemand::None);
        // What the mission is given is its own source.
        let given = bound.is_some_and(|bound| matches!(bound.source, Source::Mission(_)));
        let (Some((path, kind)), Some(need)) = (read, need) else { continue };
        let shape = lowering.catalog.kind(kind.as_str()).map(|kind| (kind.shape, kind.has_form()));
        let mut check = |check: ValidatorCheck, mode: LadderMode| {
            all.push(Validator { phase: Phase::StepInput, mode, path: path.clone(), check });
        };
        check(ValidatorCheck::Exists, LadderMode::Block);
        let Some((shape, true)) = shape else { continue };
        check(ValidatorCheck::Parses, LadderMode::Block);
        if shape == KindShape::Rows {
            check(ValidatorCheck::Fields, LadderMode::Block);
        }
        // What steps give was checked when they ended; what the mission gives, and what nothing describes, was not.
        let raw = bound.is_some_and(|bound| bound.rank == BindingRank::Generic || given && bound.route.is_empty());
        for held in held(lowering, kind, &need.entity, &need.grain).into_iter().filter(|_| raw) {
            check(held, input_mode(&step.policy.rules));
        }
        match need.provenance {
            _ if given && !asked => {}
            ProvenanceDemand::Required if shape == KindShape::Rows => {
                check(ValidatorCheck::Provenance, LadderMode::Block)
            }
            ProvenanceDemand::Preferred if shape == KindShape::Rows => {
                check(ValidatorCheck::Provenance, LadderMode::Report)
            }
            _ => {}
        }
    }
    for output in step.by_path.iter().filter_map(|source| Some((source, lowering.output(*source)?))) {
        all.extend(of_path(lowering, step, output));
    }
    for (path, role) in &step.writes {
        let phase = if *role == OutputRole::Primary { Phase::FinalOutput } else { Phase::StepOutput };
        let Some(contract) = step.artifacts.get(path) else { continue };
        let output = step.outputs.iter().find(|output| output.path == *path);
        let grain = output.is_some_and(|output| !output.grain.is_empty());
        let provenance = output.is_some_and(|output| !owed_provenance(lowering, step, output).is_empty());
        all.extend(of_file(lowering, path, contract, phase, grain, provenance, step.policy.rules.allows_generic()));
    }
    all
}

/// The fields by which rows of an output have to say where they came from: those that the plan names, those that the
/// entity requires, and all that the entity has where the policy asks for provenance.
pub(super) fn owed_provenance(lowering: &Lowering<'_>, step: &Step<'_>, output: &Output) -> Vec<String> {
    let authored = step.authored.abstract_outputs.iter().flat_map(|output| &output.provenance_fields);
    let named: BTreeSet<&String> = authored.collect();
    let entity = output.derived.as_deref().or_else(|| lowering.catalog.entity(output.entity.as_str()));
    let asked = step.policy.rules.provenance != ProvenanceDemand::None;
    let owed = |field: &&String| {
        asked || named.contains(field) || entity.is_some_and(|entity| entity.required.contains(*field))
    };
    output.provenance.iter().filter(owed).cloned().collect()
}

/// How strictly an input is held to its entity: where generic data may be bound, a violation is only reported.
pub(super) fn input_mode(rules: &PolicyRules) -> LadderMode {
    if rules.allows_generic() { LadderMode::Report } else { LadderMode::Block }
}

/// The checks that hold the contents of a file to its entity and grain, as far as its kind lets them be looked into.
fn held(
    lowering: &Lowering<'_>,
    kind: &KindKey,
    entity: &EntitySchemaId,
    grain: &BTreeSet<String>,
) -> Vec<ValidatorCheck> {
    let Some(kind) = lowering.catalog.kind(kind.as_str()).filter(|kind| kind.readable) else { return Vec::new() };
    let mut checks = Vec::new();
    if !entity.is_generic() && matches!(kind.shape, KindShape::Rows | KindShape::Document) {
        checks.push(ValidatorCheck::EntitySchema);
    }
    // The grain of a generic entity is that of a list of files or records, and says nothing of the rows of one.
    if !entity.is_generic() && kind.shape == KindShape::Rows && !grain.is_empty() {
        checks.push(ValidatorCheck::UniqueGrain);
    }
    checks
}

/// The checks of a file that a step reads by its path, by what its producer says it is.
fn of_path(lowering: &Lowering<'_>, step: &Step<'_>, (source, output): (&Source, &Output)) -> Vec<Validator> {
    let mut checks = vec![(ValidatorCheck::Exists, LadderMode::Block)];
    if lowering.catalog.kind(output.kind.as_str()).is_some_and(Kind::has_form) {
        checks.push((ValidatorCheck::Parses, LadderMode::Block));
    }
    if matches!(source, Source::Mission(_)) {
        let mode = input_mode(&step.policy.rules);
        checks
            .extend(held(lowering, &output.kind, &output.entity, &output.grain).into_iter().map(|check| (check, mode)));
    }
    let made = |(check, mode)| Validator { phase: Phase::StepInput, mode, path: output.path.clone(), check };
    checks.into_iter().map(made).collect()
}

/// What is checked of a file that was written.
fn of_file(
    lowering: &Lowering<'_>,
    path: &str,
    contract: &ArtifactContract,
    phase: Phase,
    grain: bool,
    provenance: bool,
    lenient: bool,
) -> Vec<Validator> {
    let mut checks = vec![(ValidatorCheck::Exists, LadderMode::Block)];
    let kind = lowering.catalog.kind(contract.kind_key.as_str());
    if kind.is_some_and(Kind::has_form) {
        checks.push((ValidatorCheck::Parses, LadderMode::Block));
    }
    if let Some(kind) = kind.filter(|kind| kind.readable) {
        let structured = matches!(kind.shape, KindShape::Rows | KindShape::Document);
        if !contract.required_fields.is_empty() && structured {
            checks.push((ValidatorCheck::Fields, LadderMode::Block));
        }
        let described = contract.entity_schema_id.as_ref().is_some_and(|entity| !entity.is_generic());
        if described && structured {
            let mode = if lenient { LadderMode::Report } else { LadderMode::Block };
            checks.push((ValidatorCheck::EntitySchema, mode));
        }
        if grain && kind.shape == KindShape::Rows {
            checks.push((ValidatorCheck::UniqueGrain, LadderMode::Block));
        }
        if provenance && kind.shape == KindShape::Rows {
            checks.push((ValidatorCheck::Provenance, LadderMode::Block));
        }
    }
    checks.into_iter().map(|(check, mode)| Validator { phase, mode, path: path.to_owned(), check }).collect()
}

/// What a file that an adapter wrote is checked for.
pub(super) fn of_adapted(lowering: &Lowering<'_>, path: &str, contract: &ArtifactContract) -> Vec<Validator> {
    of_file(lowering, path, contract, Phase::StepOutput, false, false, false)
}

fn facts<'l>(lowering: &'l Lowering<'_>, index: usize) -> Facts<'l> {
    let mut facts = Facts::default();
    let Some(step) = lowering.steps.get(index) else { return facts };
    for (path, contract) in &step.artifacts {
        facts.files.insert(path.as_str(), lowering.catalog.kind(contract.kind_key.as_str()));
        if contract.entity_schema_id.is_some() {
            facts.described.insert(path);
        }
    }
    facts.doubtful.extend(step.authored.expected_outputs.iter().map(|expected| expected.path.as_str()));
    facts.doubtful.extend(step.writes.iter().map(|(path, _)| path.as_str()));
    for output in &step.outputs {
        facts.outputs.entry(output.slot.as_str()).or_default().push(lowering.catalog.kind(output.kind.as_str()));
    }
    for (input, read) in step.authored.abstract_inputs.iter().zip(&step.read_from) {
        let kind = read.as_ref().and_then(|(_, kind)| lowering.catalog.kind(kind.as_str()));
        facts.inputs.entry(input.slot.as_str()).or_default().push(kind);
        if read.is_none() && input.required {
            facts.unbound.insert(input.slot.as_str());
        }
    }
    facts
}

fn criteria(lowering: &mut Lowering<'_>, index: usize) {
    let Some(step) = lowering.plan.steps.get(index) else { return };
    let (mut conditions, mut faults) = (Vec::new(), Vec::new());
    {
        let facts = facts(lowering, index);
        for (position, criterion) in step.success_criteria.iter().enumerate() {
            match understand(criterion, &facts) {
                Ok(understood) => conditions.extend(understood),
                Err(fault) => faults.push((place(criterion, position, &fault), fault)),
            }
        }
    }
    for (at, fault) in faults {
        lowering.tell(Told::error(index, code(&fault), at, fault.message).help_opt(fault.help));
    }
    if let Some(message) = contradiction(&conditions) {
        let told = Told::error(index, NOT_CHECKABLE, "/success_criteria", message);
        lowering.tell(told.help("no number of rows satisfies both; change one of them"));
    }
    if step.success_criteria.is_empty() && step.adapter.is_none() {
        let told = Told::warning(index, NO_CRITERIA, "", "nothing says when it has succeeded");
        lowering.tell(told.help("its outputs are checked all the same; say more under `success_criteria`"));
    }
    if let Some(step) = lowering.steps.get_mut(index) {
        step.conditions = conditions;
    }
}

/// Two conditions on the rows of one file that no file can meet.
fn contradiction(conditions: &[Condition]) -> Option<String> {
    let of = |check: ConditionCheck| conditions.iter().filter(move |condition| condition.check == check);
    of(ConditionCheck::RowsAtLeast).find_map(|least| {
        let most = of(ConditionCheck::RowsAtMost).find(|most| most.path == least.path && most.count < least.count)?;
        let (least_rows, most_rows) = (least.count?, most.count?);
        let path = quote(least.path.as_deref()?);
        Some(format!("{path} is to have at least {least_rows} rows and at most {most_rows}"))
    })
}

fn code(fault: &Fault) -> Code {
    if fault.unknown { UNKNOWN_FACT } else { NOT_CHECKABLE }
}

fn place(criterion: &Criterion, position: usize, fault: &Fault) -> String {
    let at = format!("/success_criteria/{position}");
    match criterion {
        Criterion::Sentence(_) => at,
        Criterion::Condition(_) => fault.part.iter().fold(at, |at, part| Pointer::push(&at, part)),
    }
}

/// Conditions of the mission speak of what any step writes.
fn mission(lowering: &mut Lowering<'_>) {
    let mut faults = Vec::new();
    {
        let mut facts = Facts { whole: true, ..Facts::default() };
        for step in &lowering.steps {
            facts.doubtful.extend(step.authored.expected_outputs.iter().map(|expected| expected.path.as_str()));
            facts.doubtful.extend(step.writes.iter().map(|(path, _)| path.as_str()));
            for (path, contract) in &step.artifacts {
                facts.files.insert(path.as_str(), lowering.catalog.kind(contract.kind_key.as_str()));
                if contract.entity_schema_id.is_some() {
                    facts.described.insert(path);
                }
            }
        }
        for (position, criterion) in lowering.plan.mission.success_criteria.iter().enumerate() {
            if let Err(fault) = understand(criterion, &facts) {
                faults.push((place(criterion, position, &fault), fault));
            }
        }
    }
    for (at, fault) in faults {
        lowering.say(Severity::Error, code(&fault), &format!("/mission{at}"), fault.message, fault.help);
    }
}

/// How often a step is tried again if nobody says.
const RETRIES: u32 = 6;

/// Where each class of failure ends.
pub(super) fn repair(needs_model: bool, adapter: bool, effects: bool, asked: Option<u32>) -> RepairPolicy {
    let boundary = |class: FailureClass| match class {
        FailureClass::ContractSchema => RepairBoundary::RejectPlan,
        FailureClass::MissingArtifact => RepairBoundary::BlockStep,
        FailureClass::SandboxRuntime => RepairBoundary::FreshContainer,
        FailureClass::ToolBridge => RepairBoundary::RetrySameContract,
        FailureClass::SemanticVerdict => RepairBoundary::BlockStep,
        // The same adapter gives the same again, and so does code that nobody writes anew.
        FailureClass::OutputShape if adapter || !needs_model => RepairBoundary::HardStop,
        FailureClass::OutputShape => RepairBoundary::RetrySameContract,
        FailureClass::PolicyViolation | FailureClass::BudgetExhaustion => RepairBoundary::HardStop,
        FailureClass::HumanGatePending => RepairBoundary::Pause,
    };
    let boundaries: BTreeMap<FailureClass, RepairBoundary> =
        FailureClass::ALL.into_iter().map(|class| (class, boundary(class))).collect();
    RepairPolicy {
        strategy: if adapter { RepairStrategy::None } else { RepairStrategy::RetrySameContract },
        // What acts beyond the workspace is not done twice unless the plan asks for it.
        max_retries: if adapter { 0 } else { asked.unwrap_or(if effects { 0 } else { RETRIES }) },
        immutable_output_bindings: true,
        boundaries,
    }
}
