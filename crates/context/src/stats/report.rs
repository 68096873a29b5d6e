//! Aggregates observations: the rows of each metric by version and intent, and the comparison of two versions.

use super::compare::{PackComparison, compare};
use super::definition::MetricDefinition;
use super::measured::Measured;
use super::metrics::{self, Measure};
use super::observation::{GateObservation, Observation, ReplayOutcome, RollbackObservation};
use deed_model::PackRef;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The facts that statistics are made from.
#[derive(Debug, Clone, Default)]
pub struct ArchiveEvidence {
    /// The recordings.
    pub observations: Vec<Observation>,
    /// The judgements of release gates.
    pub gates: Vec<GateObservation>,
    /// The rollbacks; none if there is no registry to ask.
    pub rollbacks: Option<Vec<RollbackObservation>>,
}

/// Fourteen metrics over an archive, and the changes between versions.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Statistics {
    /// The versions in the archive, in their order.
    pub packs: Vec<PackSummary>,
    /// The metrics, in a fixed order.
    pub metrics: Vec<MetricReport>,
    /// The versions that were compared.
    pub comparisons: Vec<PackComparison>,
}

/// The recordings of one version.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PackSummary {
    /// The version.
    #[schemars(with = "String")]
    pub pack_ref: PackRef,
    /// Its recordings.
    pub recordings: u64,
    /// Those that were changed since they were made. They count as not deterministic, and nowhere else.
    pub tampered: u64,
    /// The number of different documents under this version; a published version has one.
    pub contents: u64,
    /// The intents that were asked for.
    pub intents: Vec<String>,
}

/// A metric with its values.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MetricReport {
    /// The meaning.
    #[serde(flatten)]
    pub definition: MetricDefinition,
    /// The values.
    pub rows: Vec<MetricRow>,
}

/// A value of a metric.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MetricRow {
    /// The version.
    #[schemars(with = "String")]
    pub pack_ref: PackRef,
    /// The intent; none for all of them.
    pub intent: Option<String>,
    /// The rule, bucket, evidence, gate or environment; none for all of them.
    pub of: Option<String>,
    /// The value.
    pub measured: Measured,
}

/// Aggregates an archive. Each pair of versions is compared, the earlier one first.
pub fn statistics(evidence: &ArchiveEvidence, compared: &[(PackRef, PackRef)]) -> Statistics {
    let mut by_pack: BTreeMap<&PackRef, Vec<&Observation>> = BTreeMap::new();
    for observation in &evidence.observations {
        by_pack.entry(&observation.pack_ref).or_default().push(observation);
    }
    let metrics: Vec<MetricReport> = metrics::ALL
        .iter()
        .map(|metric| {
            let rows = match metric.measure {
                Measure::Compiles(measure) => of_compiles(measure, &by_pack),
                Measure::Gates(measure) => {
                    let judged = |pack: &PackRef| -> Vec<&GateObservation> {
                        evidence.gates.iter().filter(|gate| gate.pack_ref == *pack).collect()
                    };
                    rows(by_pack.keys().copied(), |pack| measure(&judged(pack)))
                }
                Measure::Rollbacks(measure) => of_rollbacks(measure, evidence, &by_pack),
            };
            MetricReport { definition: metric.definition.clone(), rows }
        })
        .collect();
    let all: Vec<&Observation> = evidence.observations.iter().collect();
    let comparisons = compared.iter().map(|(before, after)| compare(&metrics, &all, before, after)).collect();
    Statistics { packs: by_pack.iter().map(|(pack, found)| summary(pack, found)).collect(), metrics, comparisons }
}

/// Returns the two newest versions of every pack that has two or more, the earlier one first. The newest is the one with
/// the highest number.
pub fn newest_versions<'p>(packs: impl IntoIterator<Item = &'p PackRef>) -> Vec<(PackRef, PackRef)> {
    let mut by_id: BTreeMap<&str, BTreeSet<&PackRef>> = BTreeMap::new();
    for pack in packs {
        by_id.entry(&pack.pack_id).or_default().insert(pack);
    }
    let newest = by_id.values().filter_map(|versions| {
        let mut newest = versions.iter().rev();
        let (after, before) = (newest.next()?, newest.next()?);
        Some(((*before).clone(), (*after).clone()))
    });
    newest.collect()
}

/// A part of a metric: the rule, bucket, evidence, gate or environment, and its value.
pub(super) type Part = (Option<String>, Measured);

fn rows<'p>(packs: impl Iterator<Item = &'p PackRef>, parts: impl Fn(&PackRef) -> Vec<Part>) -> Vec<MetricRow> {
    let row = |pack: &PackRef, (of, measured): Part| MetricRow { pack_ref: pack.clone(), intent: None, of, measured };
    packs.flat_map(|pack| parts(pack).into_iter().map(|part| row(pack, part)).collect::<Vec<_>>()).collect()
}

fn of_compiles(
    measure: fn(&[&Observation]) -> Vec<Part>,
    by_pack: &BTreeMap<&PackRef, Vec<&Observation>>,
) -> Vec<MetricRow> {
    let mut rows = Vec::new();
    for (pack, found) in by_pack {
        let mut by_intent: BTreeMap<Option<&str>, Vec<&Observation>> = BTreeMap::from([(None, found.clone())]);
        for observation in found {
            by_intent.entry(Some(&observation.intent)).or_default().push(observation);
        }
        for (intent, group) in by_intent {
            rows.extend(measure(&group).into_iter().map(|(of, measured)| MetricRow {
                pack_ref: (*pack).clone(),
                intent: intent.map(str::to_owned),
                of,
                measured,
            }));
        }
    }
    rows
}

/// Rollbacks have a row for each version that was rolled back, in the archive or not.
fn of_rollbacks(
    measure: fn(Option<&[&RollbackObservation]>) -> Vec<Part>,
    evidence: &ArchiveEvidence,
    by_pack: &BTreeMap<&PackRef, Vec<&Observation>>,
) -> Vec<MetricRow> {
    let logged = evidence.rollbacks.as_deref();
    let packs: BTreeSet<&PackRef> =
        by_pack.keys().copied().chain(logged.into_iter().flatten().map(|one| &one.pack_ref)).collect();
    rows(packs.into_iter(), |pack| {
        let own = logged.map(|all| all.iter().filter(|one| one.pack_ref == *pack).collect::<Vec<_>>());
        measure(own.as_deref())
    })
}

fn summary(pack: &PackRef, found: &[&Observation]) -> PackSummary {
    let contents: BTreeSet<_> =
        found.iter().filter_map(|one| one.facts.as_ref()?.pack_hash).map(|hash| hash.to_string()).collect();
    let intents: BTreeSet<&String> = found.iter().map(|one| &one.intent).collect();
    PackSummary {
        pack_ref: pack.clone(),
        recordings: found.len() as u64,
        tampered: found.iter().filter(|one| one.replay == ReplayOutcome::Tampered).count() as u64,
        contents: contents.len() as u64,
        intents: intents.into_iter().cloned().collect(),
    }
}
