//! Bucket truncation rate.

use super::super::compare::more_is_worse;
use super::super::definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
use super::super::measured::Measured;
use super::super::observation::Observation;
use super::super::report::Part;
use super::{Measure, Metric, facts};

pub(super) const METRIC: Metric = Metric {
    definition: MetricDefinition {
        metric: MetricName::BucketTruncationRate,
        source: MetricSource::ContextPack,
        numerator: "compiles in which a block did not fit into its bucket",
        denominator: "recordings whose compile reached the buckets stage",
        origin: "the recorded buckets stage",
        unit: MetricUnit::Share,
        better: Better::Lower,
        regression: "it is higher than before",
    },
    measure: Measure::Compiles(measure),
    judge: more_is_worse,
};

fn measure(group: &[&Observation]) -> Vec<Part> {
    let packed = facts(group).filter_map(|one| one.truncated.as_ref());
    let without = "no compile of this group reached the buckets stage";
    vec![(None, Measured::share(packed, |buckets| !buckets.is_empty(), without))]
}
