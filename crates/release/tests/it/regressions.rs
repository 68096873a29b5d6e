//! Laws of regressions.

use crate::common::{blessed, bundle, edited, tried};
use deed_release::Release;
use proptest::prelude::*;
use serde_json::json;

/// The amounts of the golden requests that the base holds back, computed from the cases alone.
fn held_back(limit: u64) -> usize {
    let base = bundle("packs/support");
    let amounts = base.golden.iter().filter_map(|case| case.value().pointer("/request/input/context/refund_amount"));
    amounts.filter_map(serde_json::Value::as_u64).filter(|amount| *amount > 3000 && *amount <= limit).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// The release gate fails exactly if a golden request lies between the old limit and the new one, and a limit that rises
    /// is a regression whatever the golden requests are.
    #[test]
    fn a_limit_is_a_regression_exactly_if_a_request_slips_through(limit in 1u64..12_000) {
        let base = bundle("packs/support");
        let candidate = blessed(&edited(&base, |pack, _| {
            pack["policy_layer"]["approval_gates"][0]["when"][">"][1] = json!(limit);
            pack["policy_layer"]["policy_bundles"][0]["policy_dsl"]["rules"][1]["if"]["and"][1][">"][1] = json!(limit);
        }));
        let release = Release::of((&candidate, &[]), Some((&base, &[]))).unwrap();
        let found = tried(&release, &[]).regressions;
        let has = |code: &str| found.iter().any(|r| r.diagnostic.code.as_str() == code);
        prop_assert_eq!(has("D1533"), held_back(limit) > 0, "{:?}", found);
        prop_assert_eq!(has("D2413"), limit > 3000, "{:?}", found);
    }
}

#[test]
fn the_same_release_gives_the_same_findings() {
    let base = bundle("packs/support");
    let candidate = edited(&base, |pack, _| {
        pack["policy_layer"]["guardrails"]["must_refuse"] = json!([]);
        pack["evaluation_layer"]["eval_targets"][0]["utility"] = json!(0.1);
    });
    let release = Release::of((&candidate, &[]), Some((&base, &[]))).unwrap();
    let (first, second) = (tried(&release, &[]).regressions, tried(&release, &[]).regressions);
    assert!(first.len() >= 2);
    assert_eq!(first, second);
    // Every regression has a hash of its own.
    let hashes: std::collections::BTreeSet<_> = first.iter().map(|r| r.finding).collect();
    assert_eq!(hashes.len(), first.len());
}

#[test]
fn nothing_is_worse_than_itself() {
    for folder in ["packs/support", "packs/grid"] {
        let pack = bundle(folder);
        let release = Release::of((&pack, &[]), Some((&pack, &[]))).unwrap();
        let tried = tried(&release, &[]);
        assert_eq!(tried.regressions, [], "{folder}");
        assert!(tried.result.golden >= 10);
    }
}
