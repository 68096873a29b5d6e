//! Lint: eight gates in order, each reporting all it finds.

use crate::bundle::{Bundle, Draft};
use crate::gates::replay::{Golden, NoRunner};
use crate::gates::{self, Gate, GateInput};
use crate::overlay::check_overlays;
use crate::policies::Policies;
use deed_diag::{Code, Diagnostic, Report, Severity};
use deed_model::ContextPack;
use serde::Serialize;

const GATE_NOT_RUN: Code = Code::new("D0200");

/// What a gate came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GateOutcome {
    /// Which gate.
    pub gate: Gate,
    /// False where it could not run, for want of a readable pack.
    pub ran: bool,
    /// How many errors.
    pub errors: usize,
    /// How many warnings.
    pub warnings: usize,
}

/// What lint has to say.
#[derive(Debug, Clone)]
pub struct LintReport {
    /// The pack by name and hash, where it has the shape of one.
    pub draft: Option<Draft>,
    /// One entry for each gate that was asked for.
    pub gates: Vec<GateOutcome>,
    /// All findings, in order of gates.
    pub report: Report,
}

impl LintReport {
    /// True where nothing stands against publishing.
    pub fn passed(&self) -> bool {
        self.draft.is_some() && !self.report.has_errors()
    }
}

/// Runs all gates, without a compiler: golden cases are reported as not run.
pub fn lint(bundle: &Bundle) -> LintReport {
    lint_gates(bundle, &Gate::ALL)
}

/// Runs some of the gates, in their order, without a compiler.
pub fn lint_gates(bundle: &Bundle, wanted: &[Gate]) -> LintReport {
    lint_with(bundle, wanted, &NoRunner)
}

/// Runs some of the gates, in their order, with something that runs golden cases.
pub fn lint_with(bundle: &Bundle, wanted: &[Gate], golden: &dyn Golden) -> LintReport {
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

/// The document as a typed pack, or why it is none.
pub(crate) type Typed = Result<ContextPack, serde_json::Error>;

/// A gate's findings, or nothing where it needs the typed pack and there is none.
fn run(
    gate: Gate,
    bundle: &Bundle,
    typed: &Typed,
    input: Option<&GateInput<'_>>,
    golden: &dyn Golden,
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
    let message = format!("not run, since the document is not yet a pack: {}", gates.join(", "));
    Diagnostic::warning(GATE_NOT_RUN, message)
        .stage("lint")
        .at(deed_diag::Place::file(bundle.document.source().name()))
        .help("mend what the schema gate found and lint again")
}
