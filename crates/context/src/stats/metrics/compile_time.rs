//! Compile time: median and 99th percentile.

use super::super::compare::{Judgement, Percentile, slower_is_worse};
use super::super::definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
use super::super::measured::Measured;
use super::super::observation::Observation;
use super::super::report::Part;
use super::{Measure, Metric, facts};

pub(super) const METRIC: Metric = Metric {
    definition: MetricDefinition {
        metric: MetricName::CompileTime,
        source: MetricSource::Compiler,
        numerator: "the time of a compile with a prepared pack: median and 99th percentile",
        denominator: "recordings that compiled and whose time was measured",
        origin: "`measured.compile_us` of a recording, outside its seal; machines differ",
        unit: MetricUnit::Microseconds,
        better: Better::Lower,
        regression: "one of the two percentiles is above the earlier one by more than a tenth, with 20 samples or more \
                     on both sides",
    },
    measure: Measure::Compiles(measure),
    judge,
};

fn measure(group: &[&Observation]) -> Vec<Part> {
    let times = facts(group).filter(|one| one.compiled()).map(|one| one.compile_us);
    vec![(None, Measured::distribution(times, "no recording of this group that compiled has a measured time"))]
}

fn judge(before: &Measured, after: &Measured) -> Judgement {
    slower_is_worse(before, after, [Percentile::P50, Percentile::P99])
}
