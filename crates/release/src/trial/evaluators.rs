//! Evaluators: the score targets of each intent, as far as compiles can judge them.
//!
//! A compile shows whether policy and safety hold as they are expected to, and whether a request gets what it should. It
//! does not show whether the task succeeded, what the model and the tools took, or what they cost.

use super::{GOLDEN, Measured, TrialResult};
use crate::release::{Release, golden_stem};
use deed_context::{GoldenRunner, RequestComparison};
use deed_diag::{Diagnostic, Invariant as _, Severity};
use deed_model::{EvalTarget, Metric};
use deed_pack::GoldenCaseRunner as _;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A score target, and what was measured.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct EvaluatorResult {
    /// The intent.
    pub intent: String,
    /// The metric.
    pub metric: Metric,
    /// The target.
    pub target: f64,
    /// What was measured, if compiles can tell.
    pub measured: Option<f64>,
    /// The number of requests that it was measured on.
    pub requests: usize,
    /// The verdict.
    pub verdict: EvaluatorVerdict,
    /// What was measured and what was not, in words.
    pub basis: String,
}

/// The verdict on a score target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvaluatorVerdict {
    /// It is met.
    Met,
    /// It is missed.
    Missed,
    /// Compiles cannot tell; the basis says why.
    NotJudged,
}

impl EvaluatorVerdict {
    /// Returns the verdict in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Missed => "missed",
            Self::NotJudged => "not judged",
        }
    }
}

/// Judges every target of the candidate. What changes for requests does not count for metrics whose regression is accepted.
pub(crate) fn evaluate(
    release: &Release<'_>,
    result: &TrialResult,
    accepted: &BTreeSet<Metric>,
) -> Vec<EvaluatorResult> {
    let candidate = &release.candidate;
    let failures = Failures::of(&GoldenRunner.run(candidate.bundle, &candidate.pack));
    let changed: BTreeMap<&str, &RequestComparison> =
        result.what_if.changed.iter().map(|c| (c.packet_id.as_str(), c)).collect();
    let none = BTreeMap::new();
    let targets = candidate.pack.evaluation_layer.eval_targets.iter();
    let judged = targets.flat_map(|target| {
        let requests: Vec<&Measured> = result.measured.iter().filter(|m| m.intent == target.intent).collect();
        let (failures, changed, none) = (&failures, &changed, &none);
        Metric::ALL.into_iter().filter_map(move |metric| {
            let changed = if accepted.contains(&metric) { none } else { changed };
            one(target, metric, &requests, failures, changed)
        })
    });
    judged.collect()
}

fn one(
    target: &EvalTarget,
    metric: Metric,
    requests: &[&Measured],
    failures: &Failures,
    changed: &BTreeMap<&str, &RequestComparison>,
) -> Option<EvaluatorResult> {
    let wanted = target.get(metric)?;
    let share = |fails: &dyn Fn(&Measured) -> bool| {
        let failed = requests.iter().filter(|m| fails(m)).count();
        1.0 - failed as f64 / requests.len().max(1) as f64
    };
    let differs = |m: &Measured, is: fn(&RequestComparison) -> bool| changed.get(m.id.as_str()).is_some_and(|c| is(c));
    let (measured, basis) = match metric {
        _ if requests.is_empty() => (None, "no golden case or recording has this intent".to_owned()),
        Metric::Policy => (
            Some(share(&|m| failures.policy.contains(&m.id) || differs(m, |c| c.loosened))),
            "share of requests whose outcome, rules, gates and bounds are as expected and not looser".to_owned(),
        ),
        Metric::Safety => (
            Some(share(&|m| failures.safety.contains(&m.id) || differs(m, |c| c.widened))),
            "share of requests whose surface, redactions and admitted data are as expected and not wider".to_owned(),
        ),
        Metric::Utility => (
            Some(share(&|m| failures.any.contains(&m.id) || differs(m, gets_less))),
            "a proxy: share of requests that compile to what they should and lose no block; task success shows only \
             in runs"
                .to_owned(),
        ),
        Metric::LatencyP99Ms => latency(requests, wanted),
        Metric::EconomicsCentsPerDecision => (None, cost(requests)),
    };
    let verdict = match measured {
        None => EvaluatorVerdict::NotJudged,
        Some(found) if metric == Metric::LatencyP99Ms => match found > wanted {
            true => EvaluatorVerdict::Missed,
            // The compile is only a part of the run.
            false => EvaluatorVerdict::NotJudged,
        },
        Some(found) if found + 1e-12 < wanted => EvaluatorVerdict::Missed,
        Some(_) => EvaluatorVerdict::Met,
    };
    let requests = requests.len();
    Some(EvaluatorResult { intent: target.intent.clone(), metric, target: wanted, measured, requests, verdict, basis })
}

/// A request gets less than it should: it is refused, or loses blocks that it kept.
fn gets_less(compared: &RequestComparison) -> bool {
    compared.broken || !compared.blocks_lost.is_empty()
}

fn latency(requests: &[&Measured], target: f64) -> (Option<f64>, String) {
    let mut times: Vec<f64> = requests.iter().filter_map(|m| m.took).map(|took| took.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    // The smallest time that 99 of 100 compiles do not exceed.
    let rank = (times.len() * 99).div_ceil(100).saturating_sub(1);
    let Some(p99) = times.get(rank).copied() else { return (None, "nothing was compiled".to_owned()) };
    let basis = match p99 > target {
        true => "the compile alone takes longer than the whole run may",
        false => "the compile alone; the time of the model and the tools shows only in runs",
    };
    (Some(p99), basis.to_owned())
}

fn cost(requests: &[&Measured]) -> String {
    let tokens: Vec<u64> = requests.iter().filter_map(|m| m.tokens).collect();
    let mean = tokens.iter().sum::<u64>().checked_div(tokens.len() as u64);
    match mean {
        Some(mean) => format!("{mean} tokens in a prompt at the mean; there is no price of tokens here"),
        None => "every compile was refused".to_owned(),
    }
}

/// The golden requests that fail, by what they fail in.
#[derive(Default)]
struct Failures {
    policy: BTreeSet<String>,
    safety: BTreeSet<String>,
    any: BTreeSet<String>,
}

/// Expectations about policy, by their names under `expect`.
const POLICY: [&str; 9] = [
    "outcome",
    "code",
    "rules",
    "verdicts",
    "must_refuse",
    "must_escalate",
    "approval_gates_active",
    "arguments",
    "calls",
];
/// Expectations about safety.
const SAFETY: [&str; 9] = [
    "tools",
    "hidden",
    "redaction_rules_active",
    "redactions",
    "rejected_evidence",
    "rejected_memory",
    "evidence",
    "memory",
    "prompt_lacks",
];

impl Failures {
    fn of(found: &[Diagnostic]) -> Self {
        let mut failures = Self::default();
        for diagnostic in found.iter().filter(|d| d.severity == Severity::Error) {
            let place = diagnostic.place.as_ref().invariant("a finding about a golden case has its place");
            let id = format!("{GOLDEN}{}", golden_stem(&place.source));
            let expected = place.pointer.as_deref().and_then(|p| p.strip_prefix("/expect/"));
            let expected = expected.and_then(|rest| rest.split('/').next());
            match expected {
                // The hash moves with every change of the pack, and says nothing of what moved.
                Some("compiled_context_hash") => continue,
                Some(name) if POLICY.contains(&name) => drop(failures.policy.insert(id.clone())),
                Some(name) if SAFETY.contains(&name) => drop(failures.safety.insert(id.clone())),
                Some(_) => {}
                // It could not be compiled.
                None => {
                    failures.policy.insert(id.clone());
                    failures.safety.insert(id.clone());
                }
            }
            failures.any.insert(id);
        }
        failures
    }
}
