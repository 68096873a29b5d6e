//! The fourteen metrics, one file each: what is counted, of what, and when a change is a regression.

mod bucket_truncation_by_bucket;
mod bucket_truncation_rate;
mod compile_latency;
mod compile_success_rate;
mod compile_time;
mod distinct_compile_success_rate;
mod identical_context_rate;
mod policy_rule_activation_rate;
mod release_gate_pass_rate;
mod replay_determinism_rate;
mod required_evidence_resolution_rate;
mod rollback_time;
mod tool_surface_share;
mod tool_surface_size;

use super::compare::Judgement;
use super::definition::{MetricDefinition, MetricName};
use super::measured::Measured;
use super::observation::{CompileFacts, GateObservation, Observation, RollbackObservation};
use super::report::Part;
use deed_diag::Invariant as _;

/// A metric: its meaning, its computation, and its rule for regressions.
pub(super) struct Metric {
    pub(super) definition: MetricDefinition,
    pub(super) measure: Measure,
    pub(super) judge: fn(&Measured, &Measured) -> Judgement,
}

/// The computation of a metric, by what it is computed from.
pub(super) enum Measure {
    /// From recordings of one version, or of one intent of it.
    Compiles(fn(&[&Observation]) -> Vec<Part>),
    /// From the release gates that judged one version.
    Gates(fn(&[&GateObservation]) -> Vec<Part>),
    /// From the rollbacks of one version; none if there is no registry to ask.
    Rollbacks(fn(Option<&[&RollbackObservation]>) -> Vec<Part>),
}

/// All metrics: first those of packs, then those of the compiler.
pub(super) const ALL: [Metric; 14] = [
    compile_success_rate::METRIC,
    compile_latency::METRIC,
    tool_surface_size::METRIC,
    policy_rule_activation_rate::METRIC,
    bucket_truncation_rate::METRIC,
    required_evidence_resolution_rate::METRIC,
    replay_determinism_rate::METRIC,
    release_gate_pass_rate::METRIC,
    rollback_time::METRIC,
    distinct_compile_success_rate::METRIC,
    compile_time::METRIC,
    bucket_truncation_by_bucket::METRIC,
    tool_surface_share::METRIC,
    identical_context_rate::METRIC,
];

/// Returns the metric of a name.
pub(super) fn of(name: MetricName) -> Metric {
    ALL.into_iter().find(|metric| metric.definition.metric == name).invariant("every name has a metric")
}

/// The reason for a group in which every recording was changed since.
const NO_FACTS: &str = "every recording of this group was changed since it was made";

/// Iterates over the facts of recordings that were not changed since.
fn facts<'o>(group: &[&'o Observation]) -> impl Iterator<Item = &'o CompileFacts> {
    group.iter().filter_map(|observation| observation.facts.as_ref()).collect::<Vec<_>>().into_iter()
}
