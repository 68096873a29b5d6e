//! Compile success per pack version over distinct inputs: a request that is sent again counts once.

use super::super::compare::less_is_worse;
use super::super::definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
use super::super::measured::Measured;
use super::super::observation::Observation;
use super::super::report::Part;
use super::{Measure, Metric, NO_FACTS, facts};
use std::collections::BTreeMap;

pub(super) const METRIC: Metric = Metric {
    definition: MetricDefinition {
        metric: MetricName::DistinctCompileSuccessRate,
        source: MetricSource::Compiler,
        numerator: "distinct inputs that gave a context whenever they were recorded",
        denominator: "distinct inputs; recordings of the same inputs count once",
        origin: "the recorded outcome, and a hash over the recorded inputs",
        unit: MetricUnit::Share,
        better: Better::Higher,
        regression: "it is lower than before",
    },
    measure: Measure::Compiles(measure),
    judge: less_is_worse,
};

fn measure(group: &[&Observation]) -> Vec<Part> {
    let mut compiled: BTreeMap<String, bool> = BTreeMap::new();
    for one in facts(group) {
        *compiled.entry(one.inputs.to_string()).or_insert(true) &= one.compiled();
    }
    vec![(None, Measured::share(compiled.values(), |compiled| **compiled, NO_FACTS))]
}
