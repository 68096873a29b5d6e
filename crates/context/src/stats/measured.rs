//! Measured values: shares, distributions, and what is not known.

use deed_diag::Invariant as _;
use schemars::JsonSchema;
use serde::Serialize;

/// A measured value.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Measured {
    /// A share.
    Rate {
        /// The counted part.
        part: u64,
        /// The whole; never 0.
        of: u64,
        /// `part / of`.
        rate: f64,
    },
    /// A distribution of samples. Percentiles are samples: the smallest one that so many percent do not exceed.
    Distribution {
        /// The number of samples; never 0.
        samples: u64,
        /// Cases without a sample.
        unrecorded: u64,
        /// The sum of the samples.
        sum: u64,
        /// The mean.
        mean: f64,
        /// The median.
        p50: u64,
        /// The 95th percentile.
        p95: u64,
        /// The 99th percentile.
        p99: u64,
        /// The largest sample.
        max: u64,
    },
    /// It is not known.
    NotKnown {
        /// The reason.
        reason: String,
    },
}

impl Measured {
    /// Returns a share, or `without` as the reason where the whole is empty.
    pub(super) fn rate(part: u64, of: u64, without: &str) -> Self {
        match of {
            0 => Self::not_known(without),
            of => Self::Rate { part, of, rate: part as f64 / of as f64 },
        }
    }

    /// Returns a share of counted items that meet a condition.
    pub(super) fn share<T>(items: impl Iterator<Item = T>, met: impl Fn(&T) -> bool, without: &str) -> Self {
        let (mut part, mut of) = (0, 0);
        for item in items {
            of += 1;
            part += u64::from(met(&item));
        }
        Self::rate(part, of, without)
    }

    /// Returns the distribution of those samples that are there.
    pub(super) fn distribution(samples: impl Iterator<Item = Option<u64>>, without: &str) -> Self {
        let mut unrecorded = 0;
        let mut found: Vec<u64> = samples
            .filter_map(|sample| {
                unrecorded += u64::from(sample.is_none());
                sample
            })
            .collect();
        found.sort_unstable();
        let Some(max) = found.last().copied() else { return Self::not_known(without) };
        // Saturating: a recording may claim any number.
        let sum = found.iter().fold(0_u64, |sum, sample| sum.saturating_add(*sample));
        let percentile = |percent: usize| {
            let rank = (found.len() * percent).div_ceil(100) - 1;
            found.get(rank).copied().invariant("the rank of a percentile is below the number of samples")
        };
        Self::Distribution {
            samples: found.len() as u64,
            unrecorded,
            sum,
            mean: sum as f64 / found.len() as f64,
            p50: percentile(50),
            p95: percentile(95),
            p99: percentile(99),
            max,
        }
    }

    /// Returns what is not known, and why.
    pub(super) fn not_known(reason: &str) -> Self {
        Self::NotKnown { reason: reason.to_owned() }
    }
}
