//! Redaction: replaces every value that a named matcher finds.
//!
//! A value becomes `[redacted:<rule>]`. If findings overlap, their union is replaced once and counts once, for the
//! finding that starts first; of those the longest, of those the matcher that was named first.
//!
//! Hidden characters, digits of other scripts and typographic separators do not hide a value: a text that has any is
//! searched as it is and in views without them.

use deed_diag::Invariant as _;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use deed_detect::{Matcher, Outline};

use super::fold::{Folded, Joint, differs};

/// The prefix of every placeholder.
const PLACEHOLDER: &str = "[redacted:";
/// The maximum number of passes. A removed value may uncover its neighbour, which was part of it before, so passes
/// continue until one finds nothing. Two or three are enough; the limit is for custom patterns that match placeholders.
const MOST_PASSES: usize = 8;

/// Named matchers, in the order in which they were given.
#[derive(Debug, Clone)]
pub(crate) struct Redactor {
    matchers: Vec<Matcher>,
    /// The placeholder of each, by index.
    placeholders: Vec<String>,
}

/// A range to replace, and the matcher that names it, by index.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hit {
    range: Range<usize>,
    matcher: usize,
}

impl Redactor {
    /// Creates a redactor with these matchers; their order decides between findings of the same bytes.
    pub(crate) fn new(matchers: Vec<Matcher>) -> Self {
        let placeholders = matchers.iter().map(|matcher| format!("{PLACEHOLDER}{}]", matcher.name())).collect();
        Self { matchers, placeholders }
    }

    /// Iterates over the names of the matchers, in order: `counts` has a slot for each.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &str> {
        self.matchers.iter().map(Matcher::name)
    }

    /// Replaces everything that the matchers find; borrowed if they find nothing.
    ///
    /// An existing placeholder is left alone, so redacting twice is the same as redacting once.
    pub(crate) fn redact<'a>(&self, text: &'a str, counts: &mut [u64]) -> Cow<'a, str> {
        let mut redacted = Cow::Borrowed(text);
        if self.matchers.is_empty() {
            return redacted;
        }
        for _ in 0..MOST_PASSES {
            let hits = self.hits(&redacted);
            if hits.is_empty() {
                break;
            }
            redacted = Cow::Owned(self.replace(&redacted, &hits, counts));
        }
        redacted
    }

    /// Returns the ranges to replace, from left to right and disjoint.
    fn hits(&self, text: &str) -> Vec<Hit> {
        let mut found = self.find(text);
        if differs(text) {
            let joined = Folded::of(text, Joint::Everywhere);
            self.find_folded(&joined, &mut found);
            if joined.has_joints() {
                self.find_folded(&Folded::of(text, Joint::ButBeforeNumbers), &mut found);
            }
        }
        if found.is_empty() {
            return found;
        }
        let standing = self.placeholders_in(text);
        unite(found).into_iter().flat_map(|hit| cut(hit, &standing)).collect()
    }

    /// Returns everything that the matchers find, unordered.
    fn find(&self, text: &str) -> Vec<Hit> {
        let outline = Outline::of(text);
        let mut hits = Vec::new();
        for (index, matcher) in self.matchers.iter().enumerate().filter(|(_, matcher)| matcher.may_match(&outline)) {
            hits.extend(matcher.scan(text).into_iter().map(|found| Hit { range: found.range, matcher: index }));
        }
        hits
    }

    /// Adds the findings in a view, mapped to the original.
    fn find_folded(&self, folded: &Folded<'_>, found: &mut Vec<Hit>) {
        let seen = self.find(folded.view()).into_iter();
        found.extend(seen.map(|hit| Hit { range: folded.in_original(&hit.range), ..hit }));
    }

    /// Returns the ranges of placeholders of these matchers in the text, from left to right.
    fn placeholders_in(&self, text: &str) -> Vec<Range<usize>> {
        let place = |(at, _): (usize, &str)| {
            let rest = text.get(at..)?;
            let placeholder = self.placeholders.iter().find(|placeholder| rest.starts_with(placeholder.as_str()))?;
            Some(at..at + placeholder.len())
        };
        text.match_indices(PLACEHOLDER).filter_map(place).collect()
    }

    fn replace(&self, text: &str, hits: &[Hit], counts: &mut [u64]) -> String {
        let mut out = String::with_capacity(text.len());
        let mut copied = 0;
        for Hit { range, matcher } in hits {
            out.push_str(text.get(copied..range.start).invariant("findings are apart and in order"));
            out.push_str(self.placeholders.get(*matcher).map_or(PLACEHOLDER, String::as_str));
            copied = range.end;
            if let Some(count) = counts.get_mut(*matcher) {
                *count += 1;
            }
        }
        out.push_str(text.get(copied..).invariant("findings end between characters"));
        out
    }
}

/// Merges overlapping hits, under the name of the one that starts first, is longest, is named first.
fn unite(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by_key(|hit| (hit.range.start, Reverse(hit.range.end), hit.matcher));
    let mut united: Vec<Hit> = Vec::with_capacity(hits.len());
    for hit in hits {
        match united.last_mut() {
            Some(last) if hit.range.start < last.range.end => last.range.end = last.range.end.max(hit.range.end),
            _ => united.push(hit),
        }
    }
    united
}

/// Returns the parts of a hit outside of existing placeholders.
fn cut(hit: Hit, standing: &[Range<usize>]) -> Vec<Hit> {
    let mut parts = Vec::new();
    let mut from = hit.range.start;
    let first = standing.partition_point(|place| place.end <= hit.range.start);
    let touched = standing.iter().skip(first).take_while(|place| place.start < hit.range.end);
    for place in touched {
        parts.push(from..place.start);
        from = place.end;
    }
    parts.push(from..hit.range.end);
    let matcher = hit.matcher;
    parts.into_iter().filter(|range| range.start < range.end).map(|range| Hit { range, matcher }).collect()
}

#[cfg(test)]
mod tests {
    use deed_detect::{CustomPattern, PersonalKind};
    use proptest::prelude::*;

    use super::*;

    fn redactor(names: &[&str]) -> Redactor {
        Redactor::new(names.iter().map(|name| Matcher::named(name).unwrap()).collect())
    }

    /// How many kinds of personal data there are.
    const KINDS: usize = PersonalKind::ALL.len();

    fn all() -> Redactor {
        Redactor::new(PersonalKind::ALL.into_iter().map(Matcher::Personal).collect())
    }

    fn custom(name: &str, pattern: &str) -> Matcher {
        Matcher::Custom(CustomPattern::new(name, pattern).unwrap())
    }

    /// Redacts, checks that doing it again changes nothing, and that every placeholder was counted.
    fn check_with(redactor: &Redactor, text: &str, expected: &str, counts: &[u64]) {
        let mut counted = vec![0; redactor.rules().count()];
        let result = redactor.redact(text, &mut counted);
        assert_eq!((result.as_ref(), counted.as_slice()), (expected, counts), "from {text:?}");
        assert_eq!(matches!(result, Cow::Borrowed(_)), counts.iter().all(|count| *count == 0));
        let mut again = vec![0; counted.len()];
        assert_eq!(redactor.redact(&result, &mut again), result);
        assert!(again.iter().all(|count| *count == 0));
    }

    fn check(text: &str, expected: &str, counts: [u64; 2]) {
        check_with(&redactor(&["email", "credit_card"]), text, expected, &counts);
    }

    #[test]
    fn replaces_and_counts_by_rule() {
        check("nothing here, 2026-05-01", "nothing here, 2026-05-01", [0, 0]);
        check(
            "jane@acme.io paid 4111 1111 1111 1111, joe@acme.io did not",
            "[redacted:email] paid [redacted:credit_card], [redacted:email] did not",
            [2, 1],
        );
        check_with(&Redactor::new(Vec::new()), "jane@acme.io", "jane@acme.io", &[]);
    }

    #[test]
    fn hidden_characters_hide_no_number() {
        check("n 4111\u{200b}1111\u{202e}11\u{ad}111111 ok", "n [redacted:credit_card] ok", [0, 1]);
        check("n 4\u{0}111111111111111", "n [redacted:credit_card]", [0, 1]);
        check("jane\u{2060}@acme.io", "[redacted:email]", [1, 0]);
        // What is hidden may as well be what sets the number apart.
        check("x\u{200b}4111111111111111", "x\u{200b}[redacted:credit_card]", [0, 1]);
        check("4111111111111111\u{200b}5", "[redacted:credit_card]\u{200b}5", [0, 1]);
        check("x\u{200b}4111\u{200b}111111111111", "x\u{200b}[redacted:credit_card]", [0, 1]);
    }

    #[test]
    fn other_digits_and_separators_hide_no_number() {
        check("４１１１１１１１１１１１１１１１", "[redacted:credit_card]", [0, 1]);
        check("٤١١١ ١١١١ ١١١١ ١١١١.", "[redacted:credit_card].", [0, 1]);
        check("4111\u{a0}1111\u{a0}1111\u{a0}1111", "[redacted:credit_card]", [0, 1]);
        check("4111\u{2011}1111\u{2011}1111\u{2011}1111", "[redacted:credit_card]", [0, 1]);
        check("jane＠acme.io", "[redacted:email]", [1, 0]);
    }

    #[test]
    fn overlaps_are_replaced_once_by_the_first_to_start_then_the_longest_then_the_first_named() {
        let order = || vec![custom("b", "bcd"), custom("c", "cdef"), custom("d", "bcd")];
        let redactor = Redactor::new(order());
        assert!(redactor.rules().eq(["b", "c", "d"]));
        check_with(&redactor, "abcdefg", "a[redacted:b]g", &[1, 0, 0]);
        let longest = Redactor::new(vec![custom("short", "bc"), custom("long", "bcd")]);
        check_with(&longest, "abcde", "a[redacted:long]e", &[0, 1]);
    }

    #[test]
    fn a_number_that_another_covered_is_found_in_the_next_pass() {
        let redactor = redactor(&["credit_card", "phone"]);
        let text = "4111111111111111 98765 43210";
        check_with(&redactor, text, "[redacted:credit_card] [redacted:phone]", &[1, 1]);
    }

    #[test]
    fn no_placeholder_is_found_again() {
        for kind in PersonalKind::ALL {
            let placeholder = format!("password: [redacted:{kind}] key = \"[redacted:{kind}]\"");
            check_with(&all(), &placeholder, &placeholder, &[0; KINDS]);
            for other in PersonalKind::ALL {
                assert!(Matcher::Personal(other).scan(&format!("[redacted:{kind}]")).is_empty());
            }
        }
    }

    #[test]
    fn patterns_that_match_placeholders_end() {
        check_with(&Redactor::new(vec![custom("all", "(?s).+")]), "a\nb", "[redacted:all]", &[1]);
        check_with(&Redactor::new(vec![custom("word", r"\w+")]), "a b", "[redacted:word] [redacted:word]", &[2]);
        let two = Redactor::new(vec![custom("two", r"\S+ \S+")]);
        check_with(&two, "a b c", "[redacted:two][redacted:two]", &[2]);
    }

    #[test]
    fn secrets_go_under_the_name_of_keys() {
        for rule in deed_detect::rules() {
            let sample = deed_detect::sample(rule.id(), 7).unwrap();
            let secret = sample.text.get(sample.secret).unwrap();
            let mut counts = [0];
            let result = redactor(&["api_key"]).redact(&sample.text, &mut counts).into_owned();
            assert!(!result.contains(secret) && result.contains("[redacted:api_key]"), "{}", rule.id());
            assert_eq!(counts[0], result.matches("[redacted:").count() as u64, "{}", rule.id());
        }
    }

    proptest! {
        #[test]
        fn any_text_is_redacted_once_and_counted(parts in prop::collection::vec(prop::sample::select(vec![
            "4111 1111 1111 1111", "378282246310005", "2341 2341 2346", "536-22-1847", "+14155552671", "98765 43210",
            "GB29NWBK60161331926819", "ABCPD1234E", "jane@acme.io", "password: ", "hunter2Xy!9", " ", " ", "-", ".",
            ":", "\"", "x", "é", "\u{200b}", "\u{a0}", "７", "12", "1234", "\n", "[redacted:email]", "[redacted:",
        ]), 0..14)) {
            let text = parts.concat();
            let redactor = all();
            let mut counts = [0; KINDS];
            let result = redactor.redact(&text, &mut counts);
            let count = |text: &str| redactor.placeholders_in(text).len() as u64;
            prop_assert_eq!(counts.iter().sum::<u64>(), count(&result) - count(&text));
            prop_assert_eq!(matches!(result, Cow::Borrowed(_)), result == text);
            let mut again = [0; KINDS];
            prop_assert!(matches!(redactor.redact(&result, &mut again), Cow::Borrowed(_)));
            prop_assert_eq!(again, [0; KINDS]);
        }
    }
}
