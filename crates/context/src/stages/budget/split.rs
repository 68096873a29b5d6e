//! Exact splits of a number of tokens.

use deed_diag::Invariant as _;
use deed_model::{Bucket, BudgetSplit, TokensByBucket};

/// Shares in millionths, in the order that decides ties.
pub(super) type Weights = [u64; 6];

/// In percent: business 10, policy 20, tool 15, evidence 30, memory 15, session 10.
pub(super) const DEFAULT: Weights = [100_000, 200_000, 150_000, 300_000, 150_000, 100_000];

/// Returns the declared split, or `None` if its shares do not sum to one.
pub(super) fn declared(split: &BudgetSplit) -> Option<Weights> {
    let mut weights = [0; 6];
    for (name, part) in split.parts() {
        let bucket: Bucket = name.parse().ok().invariant("a split names every bucket");
        let scaled = (part.as_f64()? * 1e6).round();
        let whole = (0.0..=1e6).contains(&scaled);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to a million")]
        let millionths = whole.then_some(scaled as u64)?;
        *weights.get_mut(bucket as usize)? = millionths;
    }
    (weights.iter().sum::<u64>() == 1_000_000).then_some(weights)
}

/// Allocates whole shares first, then one token each to the largest remainders; ties go in bucket order.
pub(super) fn largest_remainder(total: u64, weights: Weights) -> TokensByBucket {
    let mut allocated = TokensByBucket::default();
    let mut remainders: Vec<(Bucket, u128)> = Vec::with_capacity(6);
    let mut given = 0;
    for (bucket, weight) in Bucket::ALL.into_iter().zip(weights) {
        let share = u128::from(total) * u128::from(weight);
        let whole = u64::try_from(share / 1_000_000).invariant("a share is at most the total");
        *allocated.get_mut(bucket) = whole;
        given += whole;
        remainders.push((bucket, share % 1_000_000));
    }
    // The sort is stable.
    remainders.sort_by_key(|(_, remainder)| std::cmp::Reverse(*remainder));
    let left = total.checked_sub(given).invariant("whole parts sum to at most the total");
    let left = usize::try_from(left).invariant("less than a token is left of each part");
    for (bucket, _) in remainders.into_iter().take(left) {
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
