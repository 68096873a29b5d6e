//! A number of tokens in exact parts.

use deed_model::{Bucket, BudgetSplit, ByBucket};

/// Parts in millionths, in the order in which ties are broken.
pub(super) type Weights = [u64; 6];

/// Business 10, policy 20, tool 15, evidence 30, memory 15, session 10 of a hundred.
pub(super) const DEFAULT: Weights = [100_000, 200_000, 150_000, 300_000, 150_000, 100_000];

/// What a pack declares, or nothing where its parts do not sum to one.
pub(super) fn declared(split: &BudgetSplit) -> Option<Weights> {
    let mut weights = [0; 6];
    for (name, part) in split.parts() {
        let bucket: Bucket = name.parse().ok()?;
        let scaled = (part.as_f64()? * 1e6).round();
        let whole = (0.0..=1e6).contains(&scaled);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to a million")]
        let millionths = whole.then_some(scaled as u64)?;
        *weights.get_mut(bucket as usize)? = millionths;
    }
    (weights.iter().sum::<u64>() == 1_000_000).then_some(weights)
}

/// Whole parts first, then one token each to the largest remainders; ties go in bucket order.
pub(super) fn largest_remainder(total: u64, weights: Weights) -> ByBucket {
    let mut allocated = ByBucket::default();
    let mut remainders: Vec<(Bucket, u128)> = Vec::with_capacity(6);
    let mut given = 0;
    for (bucket, weight) in Bucket::ALL.into_iter().zip(weights) {
        let share = u128::from(total) * u128::from(weight);
        let whole = u64::try_from(share / 1_000_000).unwrap_or(u64::MAX);
        *allocated.get_mut(bucket) = whole;
        given += whole;
        remainders.push((bucket, share % 1_000_000));
    }
    // The sort keeps the order of equals.
    remainders.sort_by_key(|(_, remainder)| std::cmp::Reverse(*remainder));
    for (bucket, _) in remainders.into_iter().take(usize::try_from(total.saturating_sub(given)).unwrap_or(0)) {
        *allocated.get_mut(bucket) += 1;
    }
    allocated
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn ties_go_in_bucket_order() {
        let five = largest_remainder(5, DEFAULT);
        let shares = Bucket::ALL.map(|b| five.get(b));
        assert_eq!(shares, [1, 1, 1, 1, 1, 0]);
    }

    #[test]
    fn decimals_are_exact() {
        let split: BudgetSplit = serde_json::from_value(json!({
            "business": 0.1, "policy": 0.2, "tool": 0.1, "evidence": 0.3, "memory": 0.2, "session": 0.1
        }))
        .unwrap();
        let weights = declared(&split).unwrap();
        assert_eq!(weights, [100_000, 200_000, 100_000, 300_000, 200_000, 100_000]);
        assert_eq!(declared(&BudgetSplit::default()), None);
    }

    proptest! {
        #[test]
        fn parts_sum_to_the_whole(total in 0u64..=1 << 53, cuts in prop::array::uniform5(0u64..=1_000_000)) {
            let mut cuts = cuts;
            cuts.sort_unstable();
            let [a, b, c, d, e] = cuts;
            let weights = [a, b - a, c - b, d - c, e - d, 1_000_000 - e];
            prop_assert_eq!(largest_remainder(total, weights).sum(), total);
        }
    }
}
