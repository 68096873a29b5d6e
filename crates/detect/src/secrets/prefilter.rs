//! The keyword prefilter: one pass over the text tells which rules to run, and where.

use std::collections::BTreeMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::rule::Rule;

/// How far before a keyword a secret's surroundings may begin.
const REACH_BEFORE: usize = 128;

/// Finds the windows of text that each rule must look at.
pub(super) struct Prefilter {
    /// Absent only if the automaton cannot be built; then every rule looks at the whole text.
    automaton: Option<AhoCorasick>,
    /// The rules that each keyword of the automaton announces, by index.
    announced: Vec<Vec<usize>>,
    /// How far each rule looks after its keyword, by index.
    reaches: Vec<usize>,
}

impl Prefilter {
    /// Builds the automaton over the keywords of all rules.
    pub(super) fn new(rules: &[Rule]) -> Self {
        let mut by_keyword: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, rule) in rules.iter().enumerate() {
            for keyword in rule.keywords {
                by_keyword.entry(keyword.to_ascii_lowercase()).or_default().push(index);
            }
        }
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(by_keyword.keys())
            .ok();
        Self {
            automaton,
            announced: by_keyword.into_values().collect(),
            reaches: rules.iter().map(|rule| rule.reach).collect(),
        }
    }

    /// For each rule that has any, by index, the windows to search: sorted, apart, on character boundaries.
    ///
    /// Overlapping windows merge, so a rule never reads a byte twice however often its keyword
    /// occurs.
    pub(super) fn windows(&self, text: &str) -> BTreeMap<usize, Vec<Range<usize>>> {
        let Some(automaton) = &self.automaton else {
            return (0..self.reaches.len()).map(|rule| (rule, std::iter::once(0..text.len()).collect())).collect();
        };
        let mut windows: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
        for hit in automaton.find_overlapping_iter(text) {
            let start = text.floor_char_boundary(hit.start().saturating_sub(REACH_BEFORE));
            let announced = self.announced.get(hit.pattern().as_usize());
            for rule in announced.into_iter().flatten() {
                if let Some(reach) = self.reaches.get(*rule) {
                    let end = text.ceil_char_boundary(hit.end().saturating_add(*reach));
                    add(windows.entry(*rule).or_default(), start..end);
                }
            }
        }
        windows
    }
}

/// Appends a window, merged with those before it that it touches.
///
/// Hits arrive by their end, so a window of a longer keyword may begin before the last one does.
fn add(windows: &mut Vec<Range<usize>>, mut window: Range<usize>) {
    while let Some(last) = windows.pop_if(|last| window.start <= last.end) {
        window = last.start.min(window.start)..last.end.max(window.end);
    }
    windows.push(window);
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &[Rule] = &[
        Rule::token("one", "one", "one").keywords(&["ONE"]),
        Rule::token("two", "two", "two").keywords(&["two", "twofold"]),
    ];

    #[test]
    fn opens_a_window_around_each_keyword_whatever_its_case() {
        let text = format!("{}One{}", "-".repeat(1_000), "-".repeat(1_000));
        let windows = Prefilter::new(RULES).windows(&text);
        assert_eq!(windows, BTreeMap::from([(0, std::iter::once(872..1_643).collect())]));
    }

    #[test]
    fn merges_windows_that_touch() {
        let text = "twofold ".repeat(1_000);
        let windows = Prefilter::new(RULES).windows(&text);
        assert_eq!(windows, BTreeMap::from([(1, std::iter::once(0..8_000).collect())]));
    }

    #[test]
    fn keeps_to_character_boundaries() {
        let text = format!("{}one{}", "é".repeat(401), "é".repeat(401));
        for window in Prefilter::new(RULES).windows(&text).into_values().flatten() {
            assert!(text.get(window).is_some());
        }
    }
}
