//! Lint: eight validation gates in order, each reporting all its findings.

use crate::bundle::{Bundle, Draft};
use crate::gates::replay::{GoldenCaseRunner, NoRunner};
use crate::gates::{self, Gate, GateInput};
use crate::overlay::check_overlays;
use crate::policies::Policies;
use deed_diag::{Diagnostic, Report, Severity, codes};
use deed_model::ContextPack;
use serde::Serialize;

/// The result of a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct GateOutcome {
    /// The gate.
    pub gate: Gate,
    /// False if it could not run because the document is not a pack.
    pub ran: bool,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
}

/// The report of a lint.
#[derive(Debug, Clone)]
pub struct LintReport {
    /// The pack with its reference and hash, if it has the shape of one.
    pub draft: Option<Draft>,
    /// One entry for each requested gate.
    pub gates: Vec<GateOutcome>,
    /// All findings, in order of gates.
    pub report: Report,
}

impl LintReport {
    /// Returns true if there is no error.
    pub fn passed(&self) -> bool {
        self.draft.is_some() && !self.report.has_errors()
    }
}

/// Runs all gates, without a compiler: golden cases are reported as not run.
///
/// ```
/// use deed_diag::{Document, Format};
/// use deed_pack::{Bundle, lint};
///
/// let document = Document::read("pack.yaml", b"contract_meta: {}", Format::Yaml).unwrap();
/// let report = lint(&Bundle::of_document(document));
/// assert!(!report.passed());
/// ```
pub fn lint(bundle: &Bundle) -> LintReport {
    lint_gates(bundle, &Gate::ALL)
}

/// Runs some of the gates, in their order, without a compiler.
pub fn lint_gates(bundle: &Bundle, wanted: &[Gate]) -> LintReport {
    lint_with(bundle, wanted, &NoRunner)
}

/// Runs some of the gates, in their order, with a runner for golden cases.
pub fn lint_with(bundle: &Bundle, wanted: &[Gate], golden: &dyn GoldenCaseRunner) -> LintReport {
    let typed = bundle.read_typed();
    let policies = typed.as_ref().ok().map(Policies::compile);
    let input = match (typed.as_ref().ok(), &policies) {
        (Some(pack), Some(policies)) => Some(GateInput { bundle, pack, policies }),
        _ => None,
    };
    let mut report = bundle.report();
    let mut outcomes = Vec::new();
    for gate in Gate::ALL.into_iter().filter(|g| wanted.contains(g)) {
        let findings = run(gate, bundle, &typed, input.as_ref(), golden);
        outcomes.push(outcome(gate, findings.as_deref()));
        for finding in findings.unwrap_or_default() {
            report.push(finding.stage(gate.as_str()));
        }
    }
    let skipped: Vec<&str> = outcomes.iter().filter(|o| !o.ran).map(|o| o.gate.as_str()).collect();
    if !skipped.is_empty() {
        report.push(not_run(&skipped, bundle));
    }
    let draft = typed.ok().and_then(|pack| bundle.draft_of(pack));
    LintReport { draft, gates: outcomes, report }
}

/// The document as a typed pack, or the reason why it is not one.
pub(crate) type Typed = Result<ContextPack, serde_json::Error>;

/// Returns a gate's findings, or `None` if it needs the typed pack and there is none.
fn run(
    gate: Gate,
    bundle: &Bundle,
    typed: &Typed,
    input: Option<&GateInput<'_>>,
    golden: &dyn GoldenCaseRunner,
) -> Option<Vec<Diagnostic>> {
    match gate {
        Gate::Schema => Some(gates::schema::check(bundle, typed)),
        Gate::Security => Some(gates::security::check(bundle, input.map(|i| i.pack))),
        Gate::References => input.map(|i| {
            let mut findings = gates::references::check(i);
            findings.extend(check_overlays(i.bundle, i.pack));
            findings
        }),
        Gate::Policy => input.map(gates::policy::check),
        Gate::Risk => input.map(gates::risk::check),
        Gate::Tenancy => input.map(gates::tenancy::check),
        Gate::Replay => input.map(|i| gates::replay::check(i, golden)),
        Gate::Evaluation => input.map(gates::evaluation::check),
    }
}

fn outcome(gate: Gate, findings: Option<&[Diagnostic]>) -> GateOutcome {
    let count = |severity| findings.unwrap_or_default().iter().filter(|d| d.severity == severity).count();
    GateOutcome { gate, ran: findings.is_some(), errors: count(Severity::Error), warnings: count(Severity::Warning) }
}

fn not_run(gates: &[&str], bundle: &Bundle) -> Diagnostic {
    let message = format!("not run because the document is not a valid pack: {}", gates.join(", "));
    Diagnostic::warning(codes::GATES_NOT_RUN, message)
        .stage("lint")
        .at(deed_diag::Place::file(bundle.document.source().name()))
        .help("fix what the schema gate found and lint again")
}
