//! Windows: the parts of a text around its keywords that a rule searches.

use std::collections::BTreeMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use deed_canon::Invariant;

use super::rule::Rule;
use super::sieve::Suspect;
use crate::bytes::part;

/// The bytes before a keyword in which a match may begin.
const REACH_BEFORE: usize = 128;

/// A character's length, by which windows may grow to its boundary, with room to spare.
const SLACK: usize = 16;
/// With more suspects than these, one pass over the whole text is cheaper than a look at each.
const MANY_SUSPECTS: usize = 8;
const BYTES_PER_SUSPECT: usize = 8_192;

/// Finds the windows of text that each rule must search.
pub(super) struct Prefilter {
    automaton: AhoCorasick,
    /// The rules that each keyword of the automaton announces, by index.
    announced: Vec<Vec<usize>>,
    /// The bytes after its keyword that each rule searches, by index.
    reaches: Vec<usize>,
    /// The length of the longest keyword.
    longest: usize,
}

/// The windows of each rule that has any, by index: sorted, apart, on character boundaries.
pub(super) type Windows = BTreeMap<usize, Vec<Range<usize>>>;

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
            .invariant("the keywords of the rules make an automaton");
        Self {
            automaton,
            longest: by_keyword.keys().map(String::len).fold(0, usize::max),
            announced: by_keyword.into_values().collect(),
            reaches: rules.iter().map(|rule| rule.reach).collect(),
        }
    }

    /// The windows of every rule, from one pass over the whole text.
    ///
    /// Overlapping windows merge, so a rule never reads a byte twice however often its keyword
    /// occurs.
    pub(super) fn windows(&self, text: &str) -> Windows {
        let mut windows = Windows::new();
        self.add_hits(text, 0..text.len(), |_| true, &mut windows);
        windows
    }

    /// The windows that hold a place where their rule is suspected.
    ///
    /// The few that a text has are made from its surroundings alone, each the same as in [`Self::windows`].
    pub(super) fn windows_at(&self, text: &str, suspects: &[Suspect]) -> Windows {
        let few = suspects.len() <= MANY_SUSPECTS + text.len() / BYTES_PER_SUSPECT;
        if !few {
            let mut windows = self.windows(text);
            windows.retain(|rule, _| suspects.iter().any(|suspect| suspect.rule == *rule));
            return windows;
        }
        let mut windows = Windows::new();
        for suspect in suspects {
            let at = suspect.place.start;
            let known = windows.entry(suspect.rule).or_default();
            if !known.iter().any(|window| window.contains(&at))
                && let Some(window) = self.window_at(text, suspect.rule, at)
            {
                add(known, window);
            }
        }
        windows
    }

    /// The one window of a rule that holds this place.
    fn window_at(&self, text: &str, rule: usize, at: usize) -> Option<Range<usize>> {
        let reach = self.reach(rule);
        // How near a hit outside the view can come to it.
        let (left, right) = (reach + self.longest + SLACK, REACH_BEFORE + self.longest + SLACK);
        let mut margin = left + right;
        loop {
            let view = at.saturating_sub(margin)..at.saturating_add(margin).min(text.len());
            let mut seen = Windows::new();
            self.add_hits(text, view.clone(), |announced| announced == rule, &mut seen);
            let window =
                seen.remove(&rule).into_iter().flatten().find(|window| (window.start..=window.end).contains(&at));
            let sound = window.as_ref().is_none_or(|window| {
                (view.start == 0 || window.start > view.start + left)
                    && (view.end == text.len() || window.end + right < view.end)
            });
            if sound {
                return window;
            }
            margin *= 2;
        }
    }

    fn reach(&self, rule: usize) -> usize {
        self.reaches.get(rule).copied().invariant("a rule has a reach")
    }

    /// Adds the windows around the keywords of some rules that stand within a part of the text.
    fn add_hits(&self, text: &str, view: Range<usize>, wanted: impl Fn(usize) -> bool, windows: &mut Windows) {
        let bytes = part(text.as_bytes(), view.clone());
        for hit in self.automaton.find_overlapping_iter(bytes) {
            let announced = self.announced.get(hit.pattern().as_usize()).invariant("a keyword announces rules");
            for rule in announced.iter().filter(|rule| wanted(**rule)) {
                let start = (view.start + hit.start()).saturating_sub(REACH_BEFORE);
                let end = (view.start + hit.end()).saturating_add(self.reach(*rule));
                let window = text.floor_char_boundary(start)..text.ceil_char_boundary(end);
                add(windows.entry(*rule).or_default(), window);
            }
        }
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
