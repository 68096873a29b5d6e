//! The eight lines. Each takes what was found, and returns its state with its findings.

use super::report::{CiLine, CiStep, LineState, Readiness};
use super::{CiInput, surface as surfaces};
use crate::regressions::Regression;
use crate::trial::{EvaluatorVerdict, TrialResult, evaluate};
use deed_diag::{Diagnostic, Invariant as _, Severity, codes, quote};
use deed_model::RegressionMetric;
use deed_pack::{Gate, LintReport};

/// The lines so far, and what they are made from.
pub(super) struct Lines<'i, 'b> {
    input: &'i CiInput<'b>,
    linted: &'i LintReport,
    lines: Vec<CiLine>,
}

impl<'i, 'b> Lines<'i, 'b> {
    pub(super) fn of(input: &'i CiInput<'b>, linted: &'i LintReport) -> Self {
        Self { input, linted, lines: Vec::new() }
    }

    pub(super) fn push(&mut self, line: CiLine) {
        self.lines.push(line);
    }

    pub(super) fn into_lines(self) -> Vec<CiLine> {
        self.lines
    }

    /// Returns the findings of some validation gates.
    fn of_gates(&self, gates: &[Gate]) -> Vec<Diagnostic> {
        let found = self.linted.report.diagnostics().iter();
        found.filter(|d| gates.iter().any(|gate| gate.as_str() == d.stage)).cloned().collect()
    }

    /// Returns the reason why nothing that needs the typed pack can run.
    fn not_a_pack(&self) -> Option<&'static str> {
        self.linted.draft.is_none().then_some("the document is not a pack")
    }

    fn trial(&self) -> Option<&'i TrialResult> {
        self.input.trial.as_ref().and_then(|trial| trial.as_ref().ok())
    }

    /// Returns the regressions of a line; one that was accepted is a note.
    fn regressions(&self, of: impl Fn(&Regression) -> bool) -> Vec<Diagnostic> {
        let found = self.input.regressions.iter().filter(|regression| of(regression));
        found
            .map(|regression| match self.input.accepted.contains(&regression.finding) {
                false => regression.diagnostic.clone(),
                true => {
                    let mut note = Diagnostic::info(
                        codes::REGRESSION_ACCEPTED,
                        format!("accepted on the record: {}", regression.diagnostic.message),
                    );
                    note.place.clone_from(&regression.diagnostic.place);
                    let here = self.input.acceptance.accepted.iter().find(|own| own.finding == regression.finding);
                    match here {
                        Some(own) => {
                            note.help(format!("in this report, as {} by {}: {}", own.role, own.by, own.reason))
                        }
                        None => note,
                    }
                }
            })
            .collect()
    }
}

/// Line 1: parse, and validate the JSON Schema.
pub(super) fn schema(lines: &Lines<'_, '_>) -> CiLine {
    CiLine::ran(CiStep::Schema, None, lines.of_gates(&[Gate::Schema]))
}

/// Line 2: validate all internal references.
pub(super) fn references(lines: &Lines<'_, '_>) -> CiLine {
    match lines.not_a_pack() {
        Some(why) => CiLine::not_run(CiStep::References, why),
        None => CiLine::ran(CiStep::References, None, lines.of_gates(&[Gate::References])),
    }
}

/// Line 3: compare the tool surface with the expected one, and judge its risk.
pub(super) fn surface(lines: &Lines<'_, '_>) -> CiLine {
    let (Some(release), Some(trial)) = (lines.input.release, lines.trial()) else {
        return CiLine::not_run(
            CiStep::Surface,
            lines.not_a_pack().unwrap_or("the golden requests cannot be compiled"),
        );
    };
    let mut findings = lines.of_gates(&[Gate::Risk]);
    findings.extend(surfaces::check(release, trial));
    let entries = surfaces::entries(release, trial);
    let intents = release.candidate.pack.intents().len();
    let note = format!("{} on the surface of {}", counted(entries.len(), "tool"), counted(intents, "intent"));
    CiLine::ran(CiStep::Surface, Some(note), findings)
}

/// Line 4: compile the golden requests.
pub(super) fn golden(lines: &Lines<'_, '_>) -> CiLine {
    if let Some(why) = lines.not_a_pack() {
        return CiLine::not_run(CiStep::Golden, why);
    }
    let candidate = lines.input.candidate;
    let mut findings = lines.of_gates(&[Gate::Replay]);
    if candidate.golden.is_empty() {
        findings.push(
            Diagnostic::error(codes::NO_GOLDEN_CASES, "the pack has no golden cases to be judged on")
                .at(candidate.document.place(""))
                .help("write some under `golden/`"),
        );
    }
    findings.extend(lines.regressions(|r| r.metric == RegressionMetric::Golden));
    CiLine::ran(CiStep::Golden, Some(counted(candidate.golden.len(), "case")), findings)
}

/// Line 5: replay incidents and corrections.
pub(super) fn replay(lines: &Lines<'_, '_>) -> CiLine {
    let trial = match &lines.input.trial {
        Some(Ok(trial)) => trial,
        Some(Err(report)) => return CiLine::ran(CiStep::Replay, None, report.diagnostics().to_vec()),
        None => return CiLine::not_run(CiStep::Replay, lines.not_a_pack().unwrap_or("nothing was tried")),
    };
    if trial.archives.is_empty() {
        let why = match trial.foreign {
            0 => "no archive was named: `--archive DIR`, or `deed registry archive add`".to_owned(),
            count => format!("the archives have {} of other packs alone", counted(count, "recording")),
        };
        return CiLine::not_run(CiStep::Replay, why);
    }
    let shown = [codes::RECORDED_REQUESTS_REFUSED, codes::CORRECTION_STILL_FAILING];
    let findings = lines.regressions(|r| shown.contains(&r.diagnostic.code));
    let archives = trial.archives.iter().map(|(name, count)| format!("{name}: {}", counted(*count, "recording")));
    let mut note = archives.collect::<Vec<_>>().join(", ");
    if trial.foreign > 0 {
        note.push_str(&format!("; {} of other packs left out", trial.foreign));
    }
    CiLine::ran(CiStep::Replay, Some(note), findings)
}

/// Line 6: run the evaluators of policy, safety, utility, latency and cost, and judge the release gates.
pub(super) fn evaluators(lines: &Lines<'_, '_>) -> CiLine {
    let (Some(release), Some(trial)) = (lines.input.release, lines.trial()) else {
        return CiLine::not_run(
            CiStep::Evaluators,
            lines.not_a_pack().unwrap_or("the golden requests cannot be compiled"),
        );
    };
    let mut findings = lines.of_gates(&[Gate::Policy, Gate::Evaluation]);
    let judged = evaluate(release, trial, &lines.input.accepted_metrics());
    for missed in judged.iter().filter(|e| e.verdict == EvaluatorVerdict::Missed) {
        let measured = missed.measured.invariant("a target that is missed was measured");
        let message = format!(
            "{} of {} is {measured:.4}, and the target is {}",
            quote(missed.metric.as_str()),
            quote(&missed.intent),
            missed.target
        );
        let targets = &release.candidate.pack.evaluation_layer.eval_targets;
        let at = targets.iter().position(|t| t.intent == missed.intent);
        let at = at.invariant("a target that was judged is one of the pack's");
        let pointer = format!("/evaluation_layer/eval_targets/{at}/{}", missed.metric);
        findings.push(
            Diagnostic::error(codes::TARGET_MISSED, message)
                .at(release.candidate.bundle.document.place(&pointer))
                .help(format!("measured on {} requests: {}", missed.requests, missed.basis)),
        );
    }
    // Line 5 shows the requests that are refused, if there are recordings.
    let elsewhere = |r: &Regression| {
        r.metric == RegressionMetric::Golden
            || r.metric == RegressionMetric::Correction
            || is_static(r)
            || (r.diagnostic.code == codes::RECORDED_REQUESTS_REFUSED && !trial.archives.is_empty())
    };
    findings.extend(lines.regressions(|r| !elsewhere(r)));
    let against = match (&lines.input.no_base, trial.what_if.requests) {
        (_, 0) => "no request was compared".to_owned(),
        (Some(_), count) => {
            format!("{} compared with the packs that they were recorded with", counted(count, "request"))
        }
        (None, count) => format!("{} compared with the base", counted(count, "request")),
    };
    let unjudged = judged.iter().filter(|e| e.verdict == EvaluatorVerdict::NotJudged).count();
    let note = format!("{}, {unjudged} not judged; {against}", counted(judged.len(), "target"));
    CiLine::ran(CiStep::Evaluators, Some(note), findings)
}

/// Returns true for a regression that the comparison of the documents alone finds.
fn is_static(regression: &Regression) -> bool {
    [codes::CHANGE_NOT_PROVEN_TO_TIGHTEN, codes::PROMPT_TEXT_CHANGED].contains(&regression.diagnostic.code)
}

/// Line 7: review the differences, layer by layer.
pub(super) fn diff(lines: &Lines<'_, '_>) -> CiLine {
    match &lines.input.diff {
        Some(Ok((diff, report))) => {
            let found = report.diagnostics().iter().filter(|d| d.code != codes::NOTHING_CHANGED).cloned();
            let unused = lines.input.acceptance.unused.iter().cloned();
            let found = found.chain(lines.regressions(is_static)).chain(unused).collect();
            let required = diff.required.map_or_else(|| "no version".to_owned(), |class| class.to_string());
            let note = format!(
                "{} -> {}: {}, {required} required",
                diff.before,
                diff.after,
                counted(diff.changes.len(), "change")
            );
            CiLine::ran(CiStep::Diff, Some(note), found)
        }
        Some(Err(report)) => CiLine::ran(CiStep::Diff, None, report.diagnostics().to_vec()),
        None => {
            let why = lines.not_a_pack().map(str::to_owned).or_else(|| lines.input.no_base.clone());
            CiLine::not_run(CiStep::Diff, why.unwrap_or_else(|| "there is no base".to_owned()))
        }
    }
}

/// Line 8: judge whether the pack can be signed and published, once every other line passed.
pub(super) fn readiness(lines: &Lines<'_, '_>) -> CiLine {
    let mut findings = lines.of_gates(&[Gate::Tenancy, Gate::Security]);
    if let Some(why) = lines.not_a_pack() {
        let failed = findings.iter().any(|d| d.severity == Severity::Error);
        return if failed {
            CiLine::ran(CiStep::Readiness, None, findings)
        } else {
            CiLine::not_run(CiStep::Readiness, why)
        };
    }
    let mut note = None;
    match &lines.input.readiness {
        Readiness::Checked { findings: objections, left } => {
            findings.extend(objections.iter().cloned());
            if !left.is_empty() {
                let message = format!("left until the publication: {}", left.join(", "));
                findings.push(
                    Diagnostic::info(codes::REVIEW_STEPS_LEFT, message)
                        .at(lines.input.candidate.document.place("/pack_meta/pack_version"))
                        .help("`deed pack show` says which keys could take them"),
                );
            }
        }
        Readiness::NotChecked { why } => note = Some(why.clone()),
    }
    let failed: Vec<&str> =
        lines.lines.iter().filter(|l| l.state == LineState::Failed).map(|l| l.step.as_str()).collect();
    if !failed.is_empty() {
        note = Some(format!("not ready: {} failed", failed.join(", ")));
    }
    let mut line = CiLine::ran(CiStep::Readiness, note, findings);
    // Sign and publish only after the gates pass.
    if !failed.is_empty() {
        line.state = LineState::Failed;
    }
    line
}

fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}
