//! Policy rule activation rate: dead rules, and policy that shifts.

use super::super::compare::silence_is_worse;
use super::super::definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
use super::super::measured::Measured;
use super::super::observation::Observation;
use super::super::report::Part;
use super::{Measure, Metric, facts};
use std::collections::BTreeMap;

pub(super) const METRIC: Metric = Metric {
    definition: MetricDefinition {
        metric: MetricName::PolicyRuleActivationRate,
        source: MetricSource::ContextPack,
        numerator: "compiles in which the predicate of the rule held; for `RULE else`, in which it did not",
        denominator: "compiles that evaluated policy for an intent that the rule applies to",
        origin: "the recorded policy stage, and the rules of the recorded pack",
        unit: MetricUnit::Share,
        better: Better::Neither,
        regression: "it activated before and no longer does; a move by more than ten points is a shift",
    },
    measure: Measure::Compiles(measure),
    judge: silence_is_worse,
};

fn measure(group: &[&Observation]) -> Vec<Part> {
    let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let mut count = |name: String, active: bool| {
        let (part, of) = counts.entry(name).or_default();
        *part += u64::from(active);
        *of += 1;
    };
    for (id, rule) in facts(group).filter_map(|one| one.rules.as_ref()).flatten() {
        count(id.clone(), rule.fired);
        if let Some(otherwise) = rule.otherwise {
            count(format!("{id} else"), otherwise);
        }
    }
    if counts.is_empty() {
        return vec![(None, Measured::not_known("no compile of this group evaluated a rule"))];
    }
    counts.into_iter().map(|(name, (part, of))| (Some(name), Measured::rate(part, of, ""))).collect()
}
