//! Cases compiled one by one: findings, what moved, and what each would have to expect.

use super::observe::Observation;
use super::read::{self, GoldenInputs};
use super::ready::Packs;
use super::{GoldenMove, compare, moves, refused, stems, version};
use crate::cache::Hydrations;
use crate::compile::{compile_candidate, compile_recorded};
use crate::hydrate::PackMaterial;
use crate::outcome::Outcome;
use crate::replay::{StageDifference, moved_between};
use deed_diag::{Diagnostic, Document, Severity, codes, quote};
use deed_model::{CompileOutcome, ContextPack, GoldenCase, GoldenExpectation, RecordedStage, Stage, schema_for};
use deed_pack::Bundle;
use deed_schema::Shape;
use serde_json::Value;

/// A golden case that was compiled, or the reason why it was not.
#[derive(Debug)]
pub struct ExaminedCase {
    /// The name: the stem of the file.
    pub name: String,
    /// The file.
    pub file: String,
    /// A sentence about what the case shows; empty if it cannot be read.
    pub description: String,
    /// The findings, with their places in the case.
    pub findings: Vec<Diagnostic>,
    /// The expectations that do not hold, in the order of stages.
    pub moved: Vec<GoldenMove>,
    /// The first difference in what the stages read and decided, compared with the base.
    pub rederived: Option<StageDifference>,
    /// The expectation that would hold now; none if the case cannot be compiled.
    pub expectation: Option<GoldenExpectation>,
}

impl ExaminedCase {
    /// Returns true if the case was compiled and its expectations hold.
    pub fn passes(&self) -> bool {
        self.expectation.is_some() && self.findings.iter().all(|finding| finding.severity != Severity::Error)
    }

    /// Returns the first stage that moved.
    pub fn stage(&self) -> Option<Stage> {
        self.moved.iter().find_map(|moved| moved.stage)
    }
}

/// Compiles every golden case of a pack. With a base, another version of the pack, each failing case is compiled with it
/// too, and the first difference between the two is stated.
pub fn examine(bundle: &Bundle, pack: &ContextPack, base: Option<&PackMaterial>) -> Vec<ExaminedCase> {
    let shape = Shape::new(schema_for::<GoldenCase>());
    let mut packs = Packs::of(bundle, pack);
    bundle.golden.iter().map(|document| one(document, &shape, &mut packs, pack, base)).collect()
}

fn one(
    document: &Document,
    shape: &Shape,
    packs: &mut Packs<'_>,
    pack: &ContextPack,
    base: Option<&PackMaterial>,
) -> ExaminedCase {
    let file = document.source().name().to_owned();
    let mut examined = ExaminedCase {
        name: stems::stem(&file).to_owned(),
        file,
        description: String::new(),
        findings: Vec::new(),
        moved: Vec::new(),
        rederived: None,
        expectation: None,
    };
    let mut case = match read::case(document, shape) {
        Ok(case) => case,
        Err(faults) => return ExaminedCase { findings: faults, ..examined },
    };
    examined.description.clone_from(&case.description);
    examined.findings = weakness(document, &case.expect);
    let named = version::settle(&mut case, pack);
    judge(document, &case, named.as_deref(), packs, &mut examined);
    if let Some(base) = base.filter(|_| !examined.passes()) {
        examined.rederived = rederived(&case, packs, base);
        told(&mut examined, base);
    }
    examined
}

/// Gives a hash that moved alone the stage that the base tells, and says where.
fn told(examined: &mut ExaminedCase, base: &PackMaterial) {
    let Some(found) = &examined.rederived else { return };
    examined.moved.iter_mut().filter(|moved| moved.stage.is_none()).for_each(|moved| moved.stage = Some(found.stage));
    let named = |key: &str| base.pack.pointer(key).and_then(Value::as_str).unwrap_or("?");
    let reference = format!("{}@{}", named("/pack_meta/pack_id"), named("/pack_meta/pack_version"));
    let shown = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), |value| quote(&value.to_string()));
    let (before, after) = (shown(found.before.as_ref()), shown(found.after.as_ref()));
    let line =
        format!("against {reference} the stage `{}` moved at {}: {before} -> {after}", found.stage, found.pointer);
    let hash = |finding: &&mut Diagnostic| {
        finding.place.as_ref().and_then(|place| place.pointer.as_deref()) == Some("/expect/compiled_context_hash")
    };
    let moved = examined.findings.iter_mut().filter(|finding| finding.severity == Severity::Error).find(hash);
    if let Some(finding) = moved {
        finding.help = Some(line);
    }
}

/// Compiles a readable case and adds what does not hold.
fn judge(
    document: &Document,
    case: &GoldenCase,
    named: Option<&str>,
    packs: &mut Packs<'_>,
    examined: &mut ExaminedCase,
) {
    let before = |part: &str, refusal| refused::before_compile(document, &case.expect, part, refusal);
    let inputs = match GoldenInputs::read(case) {
        Ok(inputs) => inputs,
        Err((part, refusal)) => return ended(examined, &case.expect, before(part, &refusal), refusal),
    };
    let tokenizer = match inputs.run.tokenizer() {
        Ok(tokenizer) => tokenizer,
        Err(refusal) => return ended(examined, &case.expect, before("run", &refusal), refusal),
    };
    let hydrated = match packs.ready(&case.overlays, tokenizer) {
        Ok(Ok(hydrated)) => hydrated,
        Ok(Err(refusal)) => {
            let found = refused::unusable_pack(document, &case.expect, &refusal);
            return ended(examined, &case.expect, found, refusal);
        }
        Err(report) => return examined.findings.push(refused::unusable_overlays(document, &report)),
    };
    let (outcome, records) = compile_recorded(&hydrated, inputs.borrow());
    let seen = Observation::of((&hydrated, inputs.borrow()), &outcome, &records);
    let asked = comparable(case, named, &seen, document, examined);
    let found = compare::outcome(document, &asked, &outcome, &seen);
    let moved = moves::moves(&asked, &seen);
    examined.findings.extend(annotated(found, &moved));
    examined.moved = moved;
    examined.expectation = Some(now(&case.expect, &seen));
}

/// Ends a case that was refused before anything was compiled. It passes if it expects exactly that.
fn ended(
    examined: &mut ExaminedCase,
    expect: &GoldenExpectation,
    found: Vec<Diagnostic>,
    refusal: crate::refusal::Refusal,
) {
    if expect.outcome == CompileOutcome::Refused {
        let outcome = Outcome::Refused(Box::new(refusal));
        let seen = Observation::before_compile(&outcome);
        examined.moved = moves::moves(expect, &seen);
        examined.expectation = Some(now(expect, &seen));
    }
    examined.findings.extend(annotated(found, &examined.moved));
}

/// Returns what the case would have to expect: its own fields. A case whose outcome was a refusal has none that are worth
/// keeping, and gets those of a new one.
fn now(expect: &GoldenExpectation, seen: &Observation<'_, '_>) -> GoldenExpectation {
    let now = seen.expectation(expect);
    match (&expect.outcome, &now.outcome) {
        (CompileOutcome::Refused, CompileOutcome::Refused) => now,
        (CompileOutcome::Refused, _) | (_, CompileOutcome::Refused) => seen.full(),
        _ => now,
    }
}

/// Returns the expectations that can be compared. The hash of the whole covers the version and every text of the pack: it
/// is left out, with a note, if the case names another version, and if every stage is known to decide as it did.
fn comparable(
    case: &GoldenCase,
    named: Option<&str>,
    seen: &Observation<'_, '_>,
    document: &Document,
    examined: &mut ExaminedCase,
) -> GoldenExpectation {
    let mut asked = case.expect.clone();
    let Some(expected) = &asked.compiled_context_hash else { return asked };
    let covered = Stage::ALL
        .iter()
        .all(|stage| asked.stages.contains_key(stage) && asked.stages.get(stage) == seen.stages().get(stage));
    let found = seen.expectation(&asked).compiled_context_hash;
    if found.as_ref() == Some(expected) || found.is_none() {
        return asked;
    }
    let place = document.place("/expect/compiled_context_hash");
    let note = match (covered, named) {
        (true, _) => Diagnostic::info(
            codes::GOLDEN_HASH_NOT_COMPARED,
            "the hash of the whole has moved with the version or a text of the pack, and every stage decides as before",
        ),
        (false, Some(version)) => Diagnostic::warning(
            codes::GOLDEN_HASH_NOT_COMPARED,
            format!("the hash is that of the version {}, so it was not compared", quote(version)),
        )
        .help("expect `stages` too: they do not move with the version"),
        (false, None) => return asked,
    };
    examined.findings.push(note.at(place));
    asked.compiled_context_hash = None;
    asked
}

/// Adds the stage, and the values before and after, to each finding.
fn annotated(found: Vec<Diagnostic>, moved: &[GoldenMove]) -> Vec<Diagnostic> {
    let told = |finding: &Diagnostic| {
        let pointer = finding.place.as_ref()?.pointer.as_deref()?;
        let within = |moved: &&GoldenMove| {
            let (short, long) = if pointer.len() < moved.pointer.len() {
                (pointer, moved.pointer.as_str())
            } else {
                (moved.pointer.as_str(), pointer)
            };
            long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let exact = moved.iter().find(|moved| moved.pointer == pointer);
        exact.or_else(|| moved.iter().find(within)).map(GoldenMove::line)
    };
    let with_stage = |mut finding: Diagnostic| {
        if let Some(line) = told(&finding) {
            finding.help = Some(match finding.help.take() {
                Some(help) => format!("{line}; {help}"),
                None => line,
            });
        }
        finding
    };
    found.into_iter().map(with_stage).collect()
}

/// Compiles a case with the pack of its folder and with the base, and returns the first difference.
fn rederived(case: &GoldenCase, packs: &mut Packs<'_>, base: &PackMaterial) -> Option<StageDifference> {
    let inputs = GoldenInputs::read(case).ok()?;
    let hydrated = packs.ready(&case.overlays, inputs.run.tokenizer().ok()?).ok()?.ok()?;
    let known = case.overlays.iter().filter(|name| base.overlays.contains_key(*name)).cloned().collect();
    let base = PackMaterial { selected: known, ..base.clone() };
    let cache = Hydrations::new();
    let before = crate::hydrate::hydrate(&base, &inputs.run, &cache).ok()?;
    let (outcome_before, before): (Outcome<'_>, Vec<RecordedStage>) = compile_candidate(&before, inputs.borrow());
    let (outcome_now, now) = compile_recorded(&hydrated, inputs.borrow());
    moved_between((&outcome_before, before, &base.pack), (&outcome_now, now, packs.document()))
}

/// Reports a case that would pass whatever the compiler put into the context.
fn weakness(document: &Document, expect: &GoldenExpectation) -> Vec<Diagnostic> {
    let bare = GoldenExpectation { outcome: expect.outcome.clone(), ..GoldenExpectation::default() };
    if *expect != bare {
        return Vec::new();
    }
    let help = match expect.outcome {
        CompileOutcome::Refused => "add the expected `code`",
        _ => "add further expectations: rules, tools, evidence, blocks, or the hash of the whole",
    };
    let message = "the case expects nothing beyond the outcome";
    vec![Diagnostic::warning(codes::GOLDEN_CASE_WEAK, message).at(document.place("/expect/outcome")).help(help)]
}
