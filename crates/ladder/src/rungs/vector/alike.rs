//! Names that may be one name, by their letters or by a word of each.
//!
//! Far more names are alike here than a rename takes for one: a default that is kept out for nothing is seen, and one
//! that replaces what was said is not.

use crate::embed::{singular, words};
use crate::naming::{same_but_style, skeleton};
use deed_diag::nearest;

/// Letters of a name that are compared.
const LONGEST: usize = 128;
/// A part of a name is recognised in another one from so many letters on.
const PART: usize = 3;
/// Two words have one stem from so many letters at their beginning on.
const STEM: usize = 4;
/// Words that connect others and say nothing by themselves.
const CONNECTING: [&str; 6] = ["a", "an", "and", "of", "or", "the"];

/// Whether two names have the same letters, apart from case, separators and marks.
pub(crate) fn same_letters(one: &str, two: &str) -> bool {
    let (here, there) = (letters(one), letters(two));
    same_but_style(one, two) || (!here.is_empty() && here == there)
}

/// Whether a name may be another one, shortened, lengthened, misspelt, in the other number or with a word in common.
pub(crate) fn may_be_one(name: &str, other: &str) -> bool {
    let (here, there) = (letters(name), letters(other));
    if here.is_empty() || there.is_empty() {
        return false;
    }
    let (short, long) = ordered(&here, &there);
    let part = long.starts_with(short) || (count(short) >= PART && long.contains(short));
    // Where no letter is left, as of `a` for `b`, nothing is misspelt.
    let near = || here.contains(|c| there.contains(c));
    part || abbreviates(short, long, 2)
        || (near() && (nearest(name, [other]).is_some() || nearest(&here, [there.as_str()]).is_some()))
        || have_word_in_common(&words(name), &words(other))
}

/// The letters and digits of a name as a reader sees them.
fn letters(name: &str) -> String {
    skeleton(name).chars().filter(|c| c.is_alphanumeric()).take(LONGEST).collect()
}

/// Whether a word of one name may be a word of another, or one name stands within the other.
fn have_word_in_common(one: &[String], two: &[String]) -> bool {
    let within = |short: &[String], long: &[String]| !short.is_empty() && long.windows(short.len()).any(|w| w == short);
    let says = |word: &&String| !CONNECTING.contains(&word.as_str());
    let shared = || one.iter().filter(says).any(|a| two.iter().filter(says).any(|b| may_be_one_word(a, b)));
    within(one, two) || within(two, one) || shared()
}

fn may_be_one_word(one: &str, two: &str) -> bool {
    let (short, long) = ordered(one, two);
    let forms = |word: &str| -> Vec<String> { singular(word).into_iter().chain([word.to_owned()]).collect() };
    let same_stem = || {
        let stem = one.chars().zip(two.chars()).take_while(|(a, b)| a == b).count();
        stem >= STEM && stem * 2 >= count(short)
    };
    one == two
        || (count(short) >= PART && long.starts_with(short))
        || abbreviates(short, long, PART)
        || same_stem()
        || forms(one).iter().any(|form| forms(two).contains(form))
        || (count(short) >= STEM && nearest(one, [two]).is_some())
}

/// Whether a text of at least so many letters leaves out letters of another, and not the first: `ccy`, `lmt`, `dob`.
fn abbreviates(short: &str, long: &str, least: usize) -> bool {
    let mut rest = long.chars();
    let mut begins = short.chars().zip(long.chars());
    count(short) >= least
        && begins.next().is_some_and(|(a, b)| a == b)
        && short.chars().all(|c| rest.any(|other| other == c))
}

/// Two texts, the shorter one first.
fn ordered<'t>(one: &'t str, two: &'t str) -> (&'t str, &'t str) {
    if count(one) <= count(two) { (one, two) } else { (two, one) }
}

fn count(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::{may_be_one, same_letters};

    #[test]
    fn marks_case_and_separators_leave_the_letters() {
        for name in ["limit", "limit_", "_Limit", "LI-MIT", "limit:", "$limit", "limit[]", "límit", "ｌｉｍｉｔ"]
        {
            assert!(same_letters(name, "limit"), "{name}");
        }
        for name in ["limits", "lim", "", "_"] {
            assert!(!same_letters(name, "limit"), "{name}");
        }
        assert!(same_letters("?", "?") && !same_letters("?", "!"));
    }

    #[test]
    fn parts_abbreviations_and_shared_words_may_be_one_name() {
        for (name, other) in [
            ("lim", "limit"),
            ("l", "limit"),
            ("rowlimit", "limit"),
            ("limit", "row_limit"),
            ("ccy", "currency"),
            ("dob", "date_of_birth"),
            ("currencies", "currency"),
            ("indexes", "index"),
            ("ship", "ship_on"),
            ("on", "ship_on"),
            ("status_order", "order_status"),
            ("cur_code", "currency"),
            ("activated", "active"),
            ("stauts", "status"),
            ("quantity", "qty"),
        ] {
            assert!(may_be_one(name, other), "{name} and {other}");
        }
    }

    #[test]
    fn names_without_anything_in_common_are_two() {
        for (name, other) in [
            ("note", "limit"),
            ("comment", "status"),
            ("author", "currency"),
            ("", "limit"),
            ("_", "limit"),
            ("state_of_mind", "price_of_it"),
            ("limit", "?"),
            ("a", "b"),
        ] {
            assert!(!may_be_one(name, other), "{name} and {other}");
        }
    }
}
