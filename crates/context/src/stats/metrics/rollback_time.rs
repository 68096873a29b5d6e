//! Rollback time.

use super::super::compare::larger_median_is_worse;
use super::super::definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
use super::super::measured::Measured;
use super::super::observation::RollbackObservation;
use super::super::report::Part;
use super::{Measure, Metric};
use std::collections::BTreeSet;

pub(super) const METRIC: Metric = Metric {
    definition: MetricDefinition {
        metric: MetricName::RollbackTime,
        source: MetricSource::ContextPack,
        numerator: "the time that the operation of the rollback took, golden cases included, until it was recorded",
        denominator: "rollbacks of this version, over all environments and for each",
        origin: "`took_ms` of rollbacks in the log of the registry",
        unit: MetricUnit::Milliseconds,
        better: Better::Lower,
        regression: "the median is longer than before",
    },
    measure: Measure::Rollbacks(measure),
    judge: larger_median_is_worse,
};

fn measure(rollbacks: Option<&[&RollbackObservation]>) -> Vec<Part> {
    let Some(rollbacks) = rollbacks else {
        return vec![(None, Measured::not_known("there is no registry here whose log could be read"))];
    };
    let of = |environment: Option<&str>| {
        let own = rollbacks.iter().filter(|one| environment.is_none_or(|name| one.environment == name));
        let without = match rollbacks.is_empty() {
            true => "this version was never rolled back",
            false => "the log does not say how long its rollbacks took",
        };
        Measured::distribution(own.map(|one| one.took_ms), without)
    };
    let environments: BTreeSet<&str> = rollbacks.iter().map(|one| one.environment.as_str()).collect();
    let each = environments.into_iter().map(|name| (Some(name.to_owned()), of(Some(name))));
    std::iter::once((None, of(None))).chain(each).collect()
}
