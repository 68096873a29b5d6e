use deed_validation::{covers_pattern, matches_path};
use proptest::prelude::*;

/// The same by trying every split, which is exponential and obvious.
fn naive(pattern: &[char], path: &[char]) -> bool {
    match pattern.split_first() {
        None => path.is_empty(),
        Some(('*', rest)) => (0..=path.len()).any(|from| naive(rest, &path[from..])),
        Some((c, rest)) => path.first() == Some(c) && naive(rest, &path[1..]),
    }
}

fn letters(text: &str) -> Vec<char> {
    text.chars().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn matching_is_that_of_the_naive_matcher(pattern in "[ab/*]{0,7}", path in "[ab/]{0,9}") {
        prop_assert_eq!(matches_path(&pattern, &path), naive(&letters(&pattern), &letters(&path)));
    }

    /// What a covered pattern matches, the covering one matches.
    #[test]
    fn covering_holds_for_every_path(wide in "[ab*]{0,6}", narrow in "[ab*]{0,6}", path in "[ab]{0,8}") {
        if covers_pattern(&wide, &narrow) && matches_path(&narrow, &path) {
            prop_assert!(matches_path(&wide, &path));
        }
    }

    /// A pattern that does not cover misses a path: its stars filled with letters that no pattern has.
    #[test]
    fn what_is_not_covered_has_a_witness(wide in "[ab*]{0,6}", narrow in "[ab*]{0,6}") {
        let witness = narrow.replace('*', "z");
        prop_assert_eq!(covers_pattern(&wide, &narrow), matches_path(&wide, &witness) );
    }
}

#[test]
fn long_patterns_of_stars_end() {
    let pattern = "*a".repeat(200);
    let path = "a".repeat(199);
    assert!(!matches_path(&pattern, &path));
    assert!(matches_path(&pattern, &"a".repeat(200)));
}
