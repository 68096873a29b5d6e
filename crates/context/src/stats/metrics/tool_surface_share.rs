//! The share of the declared capabilities that is surfaced: the smallest sufficient set is the target.

use super::super::compare::more_is_worse;
use super::super::definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
use super::super::measured::Measured;
use super::super::observation::Observation;
use super::super::report::Part;
use super::{Measure, Metric, facts};

pub(super) const METRIC: Metric = Metric {
    definition: MetricDefinition {
        metric: MetricName::ToolSurfaceShare,
        source: MetricSource::Compiler,
        numerator: "surfaced capabilities, over all compiles",
        denominator: "capabilities of the pack's registry, over all compiles that reached the tools stage",
        origin: "the recorded tools stage",
        unit: MetricUnit::Share,
        better: Better::Lower,
        regression: "it is higher than before",
    },
    measure: Measure::Compiles(measure),
    judge: more_is_worse,
};

fn measure(group: &[&Observation]) -> Vec<Part> {
    let (surfaced, declared) = facts(group)
        .filter_map(|one| one.surface)
        .fold((0, 0), |(surfaced, declared), one| (surfaced + one.surfaced, declared + one.declared));
    vec![(None, Measured::rate(surfaced, declared, "no compile of this group considered a capability"))]
}
