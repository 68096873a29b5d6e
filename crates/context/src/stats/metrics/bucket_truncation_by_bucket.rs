//! Truncation per bucket and intent.

use super::super::compare::more_is_worse;
use super::super::definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
use super::super::measured::Measured;
use super::super::observation::Observation;
use super::super::report::Part;
use super::{Measure, Metric, facts};
use deed_model::Bucket;

pub(super) const METRIC: Metric = Metric {
    definition: MetricDefinition {
        metric: MetricName::BucketTruncationByBucket,
        source: MetricSource::Compiler,
        numerator: "compiles in which a block did not fit into this bucket",
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
    let without = "no compile of this group reached the buckets stage";
    let of = |bucket: Bucket| {
        let packed = facts(group).filter_map(|one| one.truncated.as_ref());
        Measured::share(packed, |buckets| buckets.contains(&bucket), without)
    };
    Bucket::ALL.into_iter().map(|bucket| (Some(bucket.to_string()), of(bucket))).collect()
}
