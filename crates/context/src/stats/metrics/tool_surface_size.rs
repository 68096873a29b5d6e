//! Tool-surface size by intent.

use super::super::compare::larger_mean_is_worse;
use super::super::definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
use super::super::measured::Measured;
use super::super::observation::Observation;
use super::super::report::Part;
use super::{Measure, Metric, facts};

pub(super) const METRIC: Metric = Metric {
    definition: MetricDefinition {
        metric: MetricName::ToolSurfaceSize,
        source: MetricSource::ContextPack,
        numerator: "the capabilities that a compile surfaced",
        denominator: "recordings whose compile reached the tools stage",
        origin: "the recorded tools stage",
        unit: MetricUnit::Capabilities,
        better: Better::Lower,
        regression: "the mean is higher than before",
    },
    measure: Measure::Compiles(measure),
    judge: larger_mean_is_worse,
};

fn measure(group: &[&Observation]) -> Vec<Part> {
    let sizes = facts(group).filter_map(|one| one.surface).map(|surface| Some(surface.surfaced));
    vec![(None, Measured::distribution(sizes, "no compile of this group reached the tools stage"))]
}
