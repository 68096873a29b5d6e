//! Changes between two versions of a pack, each judged by the rule of its metric.

use super::controls::{self, RemovedControl};
use super::definition::MetricName;
use super::measured::Measured;
use super::metrics;
use super::observation::Observation;
use super::report::{MetricReport, MetricRow};
use deed_model::PackRef;
use schemars::JsonSchema;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A change of one value between two versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RowChange {
    /// It is worse, by the rule of the metric.
    Regression,
    /// It moved, and neither direction is better.
    Shift,
    /// It is better.
    Improvement,
    /// It is the same, or the difference is too small for the rule.
    Same,
    /// It cannot be compared.
    NotComparable,
}

/// A value in both versions.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MetricChange {
    /// The metric.
    pub metric: MetricName,
    /// The intent; none for all of them.
    pub intent: Option<String>,
    /// The rule, bucket, evidence, gate or environment.
    pub of: Option<String>,
    /// The value in the earlier version, if it has one.
    pub before: Option<Measured>,
    /// The value in the later version, if it has one.
    pub after: Option<Measured>,
    /// The judgement.
    pub change: RowChange,
    /// The reason for the judgement.
    pub why: String,
}

/// Two versions of a pack, compared.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PackComparison {
    /// The earlier version.
    #[schemars(with = "String")]
    pub before: PackRef,
    /// The later version.
    #[schemars(with = "String")]
    pub after: PackRef,
    /// The number of regressions, those of `removed` among them.
    pub regressions: u64,
    /// Controls that acted in the earlier version and that the later one no longer has.
    pub removed: Vec<RemovedControl>,
    /// Every value, in the order of metrics and rows.
    pub changes: Vec<MetricChange>,
}

/// A judgement, and its reason.
pub(super) struct Judgement {
    change: RowChange,
    why: String,
}

impl Judgement {
    fn new(change: RowChange, why: impl Into<String>) -> Self {
        Self { change, why: why.into() }
    }
}

/// Compares every row of two versions.
pub(super) fn compare(
    metrics: &[MetricReport],
    observations: &[&Observation],
    before: &PackRef,
    after: &PackRef,
) -> PackComparison {
    let mut changes = Vec::new();
    for report in metrics {
        let rows = |pack: &PackRef| report.rows.iter().filter(|row| row.pack_ref == *pack).collect::<Vec<_>>();
        let (old, new) = (rows(before), rows(after));
        let key = |row: &&MetricRow| (row.intent.clone(), row.of.clone());
        let keys: BTreeSet<_> = old.iter().chain(&new).map(key).collect();
        for (intent, of) in keys {
            let find = |rows: &[&MetricRow]| {
                let row = rows.iter().find(|row| row.intent == intent && row.of == of);
                row.map(|row| row.measured.clone())
            };
            let (was, is) = (find(&old), find(&new));
            let Judgement { change, why } = judge(report.definition.metric, was.as_ref(), is.as_ref());
            changes.push(MetricChange {
                metric: report.definition.metric,
                intent,
                of,
                before: was,
                after: is,
                change,
                why,
            });
        }
    }
    let removed = controls::removed(observations, before, after);
    let worse = changes.iter().filter(|change| change.change == RowChange::Regression).count();
    let regressions = (worse + removed.len()) as u64;
    PackComparison { before: before.clone(), after: after.clone(), regressions, removed, changes }
}

fn judge(metric: MetricName, before: Option<&Measured>, after: Option<&Measured>) -> Judgement {
    match (before, after) {
        (Some(Measured::NotKnown { reason }), _) => {
            Judgement::new(RowChange::NotComparable, format!("not known before: {reason}"))
        }
        (_, Some(Measured::NotKnown { reason })) => {
            Judgement::new(RowChange::NotComparable, format!("not known after: {reason}"))
        }
        (Some(before), Some(after)) => (metrics::of(metric).judge)(before, after),
        (None, _) => Judgement::new(RowChange::NotComparable, "only the later version has it"),
        (Some(_), None) => Judgement::new(RowChange::NotComparable, "only the earlier version has it"),
    }
}

/// Judges a share of which less is worse.
pub(super) fn less_is_worse(before: &Measured, after: &Measured) -> Judgement {
    directed(rates(before, after), RowChange::Improvement, RowChange::Regression)
}

/// Judges a share of which more is worse.
pub(super) fn more_is_worse(before: &Measured, after: &Measured) -> Judgement {
    directed(rates(before, after), RowChange::Regression, RowChange::Improvement)
}

/// Judges a distribution by its mean: a larger one is worse.
pub(super) fn larger_mean_is_worse(before: &Measured, after: &Measured) -> Judgement {
    let order = match (before, after) {
        (
            Measured::Distribution { samples: old, sum: was, .. },
            Measured::Distribution { samples: new, sum: is, .. },
        ) => Some(product(*is, *old).cmp(&product(*was, *new))),
        _ => None,
    };
    directed(order, RowChange::Regression, RowChange::Improvement)
}

/// Judges a distribution by its median: a larger one is worse.
pub(super) fn larger_median_is_worse(before: &Measured, after: &Measured) -> Judgement {
    let order = match (before, after) {
        (Measured::Distribution { p50: was, .. }, Measured::Distribution { p50: is, .. }) => Some(is.cmp(was)),
        _ => None,
    };
    directed(order, RowChange::Regression, RowChange::Improvement)
}

/// The least number of samples on each side with which times are compared.
const LEAST_SAMPLES: u64 = 20;

/// Judges times by two of their percentiles: one that is above the earlier one by more than a tenth is a regression.
pub(super) fn slower_is_worse(before: &Measured, after: &Measured, percentiles: [Percentile; 2]) -> Judgement {
    let samples = |measured: &Measured| match measured {
        Measured::Distribution { samples, .. } => *samples,
        Measured::Rate { .. } | Measured::NotKnown { .. } => 0,
    };
    if samples(before).min(samples(after)) < LEAST_SAMPLES {
        return Judgement::new(RowChange::NotComparable, "fewer than 20 samples on one side");
    }
    let mut change = RowChange::Same;
    let mut why = "no percentile differs by more than a tenth".to_owned();
    for percentile in percentiles {
        let (was, is) = (percentile.of(before), percentile.of(after));
        let found = if product(is, 10) > product(was, 11) {
            RowChange::Regression
        } else if product(was, 10) > product(is, 11) {
            RowChange::Improvement
        } else {
            RowChange::Same
        };
        if found < change {
            change = found;
            why = format!("{} moved by more than a tenth", percentile.name());
        }
    }
    Judgement::new(change, why)
}

/// A percentile that times are judged by.
#[derive(Clone, Copy)]
pub(super) enum Percentile {
    P50,
    P95,
    P99,
}

impl Percentile {
    fn of(self, measured: &Measured) -> u64 {
        match (self, measured) {
            (Self::P50, Measured::Distribution { p50, .. }) => *p50,
            (Self::P95, Measured::Distribution { p95, .. }) => *p95,
            (Self::P99, Measured::Distribution { p99, .. }) => *p99,
            (_, Measured::Rate { .. } | Measured::NotKnown { .. }) => 0,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::P50 => "p50",
            Self::P95 => "p95",
            Self::P99 => "p99",
        }
    }
}

/// Judges an activation: what went silent is a regression, and a move by more than ten points is shown.
pub(super) fn silence_is_worse(before: &Measured, after: &Measured) -> Judgement {
    let (Measured::Rate { part: was, of: old, .. }, Measured::Rate { part: is, of: new, .. }) = (before, after) else {
        return directed(None, RowChange::Same, RowChange::Same);
    };
    let (earlier, later) = (product(*was, *new), product(*is, *old));
    let whole = product(*old, *new);
    match (*was, *is) {
        (0, 0) => Judgement::new(RowChange::Same, "silent in both"),
        (_, 0) => Judgement::new(RowChange::Regression, "it no longer activates"),
        (0, _) => Judgement::new(RowChange::Shift, "it did not activate before"),
        _ if earlier.abs_diff(later).saturating_mul(10) > whole => {
            Judgement::new(RowChange::Shift, "it moved by more than ten points")
        }
        _ => Judgement::new(RowChange::Same, "within ten points"),
    }
}

/// Orders the later share against the earlier one, exactly.
fn rates(before: &Measured, after: &Measured) -> Option<Ordering> {
    match (before, after) {
        (Measured::Rate { part: was, of: old, .. }, Measured::Rate { part: is, of: new, .. }) => {
            Some(product(*is, *old).cmp(&product(*was, *new)))
        }
        _ => None,
    }
}

fn product(left: u64, right: u64) -> u128 {
    u128::from(left) * u128::from(right)
}

/// Judges the order of the later value against the earlier one.
fn directed(order: Option<Ordering>, more: RowChange, less: RowChange) -> Judgement {
    match order {
        Some(Ordering::Greater) => Judgement::new(more, "higher than before"),
        Some(Ordering::Less) => Judgement::new(less, "lower than before"),
        Some(Ordering::Equal) => Judgement::new(RowChange::Same, "as before"),
        None => Judgement::new(RowChange::NotComparable, "measured in different ways"),
    }
}
