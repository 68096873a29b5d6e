//! Required-evidence resolution rate.

use super::super::compare::less_is_worse;
use super::super::definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
use super::super::measured::Measured;
use super::super::observation::Observation;
use super::super::report::Part;
use super::{Measure, Metric, facts};
use std::collections::BTreeMap;

pub(super) const METRIC: Metric = Metric {
    definition: MetricDefinition {
        metric: MetricName::RequiredEvidenceResolutionRate,
        source: MetricSource::ContextPack,
        numerator: "demands of decisions and rules for evidence that are met",
        denominator: "demands of decisions and rules for evidence",
        origin: "decisions and obligations of the recorded manifests stage",
        unit: MetricUnit::Share,
        better: Better::Higher,
        regression: "it is lower than before",
    },
    measure: Measure::Compiles(measure),
    judge: less_is_worse,
};

fn measure(group: &[&Observation]) -> Vec<Part> {
    let mut counts: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (name, (demanded, met)) in facts(group).filter_map(|one| one.evidence.as_ref()).flatten() {
        let (of, part) = counts.entry(name).or_default();
        *of += demanded;
        *part += met;
    }
    let (of, part) = counts.values().fold((0, 0), |(of, part), (more, met)| (of + more, part + met));
    let all = Measured::rate(part, of, "no compile of this group demanded evidence");
    let each = counts.iter().map(|(name, (of, part))| (Some((*name).to_owned()), Measured::rate(*part, *of, "")));
    std::iter::once((None, all)).chain(each).collect()
}
