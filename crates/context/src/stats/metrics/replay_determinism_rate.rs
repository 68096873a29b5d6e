//! Replay determinism rate.

use super::super::compare::less_is_worse;
use super::super::definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
use super::super::measured::Measured;
use super::super::observation::{Observation, ReplayOutcome};
use super::super::report::Part;
use super::{Measure, Metric};

pub(super) const METRIC: Metric = Metric {
    definition: MetricDefinition {
        metric: MetricName::ReplayDeterminismRate,
        source: MetricSource::ContextPack,
        numerator: "recordings that are unchanged and whose replay is equal in every stage",
        denominator: "recordings",
        origin: "a replay of every recording, made for these statistics",
        unit: MetricUnit::Share,
        better: Better::Higher,
        regression: "it is lower than before",
    },
    measure: Measure::Compiles(measure),
    judge: less_is_worse,
};

fn measure(group: &[&Observation]) -> Vec<Part> {
    let equal = |one: &&&Observation| one.replay == ReplayOutcome::Equal;
    vec![(None, Measured::share(group.iter(), equal, "there are no recordings"))]
}
