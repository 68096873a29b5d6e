//! The law of diffs: however edits are combined, the class is never lower than the table gives the greatest.

use crate::fixtures::edits;

use deed_pack::{ChangeClass, diff};
use edits::{EDITS, bundle, pack};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Edits whose change hangs on an index come last, so that the others find their places.
fn applied(chosen: &[usize], version: (u64, u64, u64)) -> (Value, Option<ChangeClass>) {
    let mut pack = pack();
    let mut order: Vec<usize> = chosen.to_vec();
    order.sort_unstable();
    order.dedup();
    order.sort_by_key(|i| EDITS[*i].0.starts_with("removed") || EDITS[*i].0.starts_with("order"));
    order.iter().for_each(|i| EDITS[*i].2(&mut pack));
    pack["pack_meta"]["pack_version"] = json!(format!("{}.{}.{}", version.0, version.1, version.2));
    (pack, order.iter().map(|i| EDITS[*i].1).max())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_class_is_never_lower_than_the_table(
        chosen in proptest::collection::vec(0..EDITS.len(), 0..6),
        version in (1..3u64, 0..4u64, 0..5u64),
    ) {
        let (after, table) = applied(&chosen, version);
        let found = diff(&bundle("before.json", &pack()), &bundle("after.json", &after), &[]).unwrap();
        prop_assert!(found.required >= table, "{:?} where the table says {:?}", found.required, table);
        let greatest = found.changes.iter().map(|c| c.class).max();
        prop_assert_eq!(found.required, greatest);

        // The number is refused exactly where it says less than the changes need.
        let old = (1, 2, 3);
        let least = match found.required {
            None => old,
            Some(ChangeClass::Patch) => (1, 2, 4),
            Some(ChangeClass::Minor) => (1, 3, 0),
            Some(ChangeClass::Major | ChangeClass::Reject) => (2, 0, 0),
        };
        let refused = found.diagnostics.iter().any(|d| d.severity == deed_diag::Severity::Error);
        prop_assert_eq!(refused, version < least, "{:?} against {:?}", version, least);
    }

    #[test]
    fn only_words_are_a_patch(path in any::<proptest::sample::Index>(), number in 1..1000u64) {
        let words = ["description", "owner", "rationale", "reason", "created_at", "name", "pack_version"];
        let mut leaves = Vec::new();
        scalars(&pack(), "", &mut leaves);
        leaves.retain(|p| !words.iter().any(|w| p.ends_with(&format!("/{w}"))));
        let pointer = path.get(&leaves);
        let mut after = pack();
        let slot = after.pointer_mut(pointer).unwrap();
        let old = slot.clone();
        *slot = match &old {
            Value::Bool(flag) => json!(!flag),
            Value::Number(n) => json!(n.as_f64().unwrap() + number as f64),
            Value::String(text) => json!(format!("{text}{number}")),
            other => other.clone(),
        };
        // What is no pack any more has no class.
        if let Ok(found) = diff(&bundle("before.json", &pack()), &bundle("after.json", &after), &[]) {
            prop_assert!(found.required >= Some(ChangeClass::Minor), "{} {:?}", pointer, found.changes);
        }
    }

    #[test]
    fn nothing_changes_by_itself(version in (1..3u64, 0..4u64, 0..5u64)) {
        let (after, _) = applied(&[], version);
        let found = diff(&bundle("before.json", &pack()), &bundle("after.json", &after), &[]).unwrap();
        prop_assert_eq!(found.required, None);
        prop_assert!(found.changes.is_empty());
    }
}

fn scalars(value: &Value, at: &str, out: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(i, v)| scalars(v, &format!("{at}/{i}"), out)),
        Value::Object(members) => members.iter().for_each(|(k, v)| scalars(v, &format!("{at}/{k}"), out)),
        _ => out.push(at.to_owned()),
    }
}
