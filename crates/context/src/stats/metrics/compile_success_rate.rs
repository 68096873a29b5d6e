//! Compile success rate by pack version.

use super::super::compare::less_is_worse;
use super::super::definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
use super::super::measured::Measured;
use super::super::observation::{CompileFacts, Observation};
use super::super::report::Part;
use super::{Measure, Metric, NO_FACTS, facts};

pub(super) const METRIC: Metric = Metric {
    definition: MetricDefinition {
        metric: MetricName::CompileSuccessRate,
        source: MetricSource::ContextPack,
        numerator: "recordings whose compile gave a context, whatever its verdict",
        denominator: "recordings; refused compiles are recordings too",
        origin: "the recorded outcome",
        unit: MetricUnit::Share,
        better: Better::Higher,
        regression: "it is lower than before",
    },
    measure: Measure::Compiles(measure),
    judge: less_is_worse,
};

fn measure(group: &[&Observation]) -> Vec<Part> {
    vec![(None, Measured::share(facts(group), |one: &&CompileFacts| one.compiled(), NO_FACTS))]
}
