//! Release-gate pass rate.

use super::super::compare::less_is_worse;
use super::super::definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
use super::super::measured::Measured;
use super::super::observation::GateObservation;
use super::super::report::Part;
use super::{Measure, Metric};
use crate::whatif::GateVerdict;
use std::collections::BTreeMap;

pub(super) const METRIC: Metric = Metric {
    definition: MetricDefinition {
        metric: MetricName::ReleaseGatePassRate,
        source: MetricSource::ContextPack,
        numerator: "release gates that pass",
        denominator: "release gates that a compile can judge",
        origin: "a what-if of this version over the recordings of the version before it in the archive",
        unit: MetricUnit::Share,
        better: Better::Higher,
        regression: "it is lower than before",
    },
    measure: Measure::Gates(measure),
    judge: less_is_worse,
};

fn measure(gates: &[&GateObservation]) -> Vec<Part> {
    let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for gate in gates {
        let (part, of) = counts.entry(gate.metric.to_string()).or_default();
        match gate.verdict {
            GateVerdict::Passed => (*part, *of) = (*part + 1, *of + 1),
            GateVerdict::Failed => *of += 1,
            GateVerdict::NotJudged => {}
        }
    }
    let (part, of) = counts.values().fold((0, 0), |(part, of), (passed, judged)| (part + passed, of + judged));
    let without = match gates {
        [] => "the archive has no recordings of an earlier version of this pack that it could be judged against",
        _ => "no release gate of this pack can be judged by compiles",
    };
    let each = counts.iter().map(|(name, (part, of))| {
        (Some(name.clone()), Measured::rate(*part, *of, "a compile cannot judge this gate: only a run can tell"))
    });
    std::iter::once((None, Measured::rate(part, of, without))).chain(each).collect()
}
