//! Metrics over an archive of recorded compiles.
//!
//! [`observe`] turns a recording into typed facts, [`statistics`] aggregates them: fourteen metrics by version of a
//! pack and by intent, and the changes between two versions. What an archive cannot tell is not known, with the reason.

mod compare;
mod controls;
mod definition;
mod measured;
mod metrics;
mod observation;
mod report;

pub use compare::{MetricChange, PackComparison, RowChange};
pub use controls::{PackControlKind, PackControls, RemovedControl};
pub use definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
pub use measured::Measured;
pub use observation::{
    CompileFacts, GateObservation, Observation, Observed, ReplayOutcome, RollbackObservation, RuleFacts, SurfaceFacts,
    observe,
};
pub use report::{ArchiveEvidence, MetricReport, MetricRow, PackSummary, Statistics, newest_versions, statistics};
