//! Identical compiled contexts on identical inputs.

use super::super::compare::less_is_worse;
use super::super::definition::{Better, MetricDefinition, MetricName, MetricSource, MetricUnit};
use super::super::measured::Measured;
use super::super::observation::{CompileFacts, Observation, ReplayOutcome};
use super::super::report::Part;
use super::{Measure, Metric, NO_FACTS};
use deed_canon::ContentHash;
use std::collections::BTreeMap;

pub(super) const METRIC: Metric = Metric {
    definition: MetricDefinition {
        metric: MetricName::IdenticalContextRate,
        source: MetricSource::Compiler,
        numerator: "recordings that agree with their replay and with every other recording of the same inputs",
        denominator: "recordings that were not changed since they were made",
        origin: "hashes of recorded inputs and contexts, and a replay of every recording",
        unit: MetricUnit::Share,
        better: Better::Higher,
        regression: "it is lower than before",
    },
    measure: Measure::Compiles(measure),
    judge: less_is_worse,
};

/// The result of a compile: the context by its hash, or the code of the refusal.
type Outcome<'o> = (Option<ContentHash>, Option<&'o str>);

fn measure(group: &[&Observation]) -> Vec<Part> {
    let of = |facts: &'_ CompileFacts| facts.inputs.to_string();
    let unchanged = || group.iter().filter_map(|one| Some((one.replay, one.facts.as_ref()?)));
    // The result of each input; none where recordings disagree.
    let mut results: BTreeMap<String, Option<Outcome<'_>>> = BTreeMap::new();
    for (_, facts) in unchanged() {
        let outcome = (facts.context, facts.refusal.as_deref());
        let agreed = results.entry(of(facts)).or_insert(Some(outcome));
        if *agreed != Some(outcome) {
            *agreed = None;
        }
    }
    let agrees = |(replay, facts): &(ReplayOutcome, &CompileFacts)| {
        *replay == ReplayOutcome::Equal && results.get(&of(facts)).is_some_and(Option::is_some)
    };
    vec![(None, Measured::share(unchanged(), agrees, NO_FACTS))]
}
