//! The search for placeholders: values that were meant to be replaced and were not.
//!
//! Input: values, each with a place. Output: a report. A search for a few words comes first, over whole windows, so that
//! the rules are only tried where they can match.

mod rules;
mod watch;

pub(crate) use watch::Watch;

use crate::bytes::head;
use crate::context::{cut, cut_bytes};
use aho_corasick::{AhoCorasick, MatchKind};
use deed_diag::Invariant as _;
use deed_model::{FoundAt, SentinelFinding, SentinelReport, SentinelStrength};
use memchr::memmem::Finder;
use regex::bytes::{Regex, RegexSet};
use rules::{NEEDLES, PAIRS, RULES, Rule, Scope};
use std::io;
use std::sync::LazyLock;

/// Findings that are listed.
const MOST_LISTED: usize = 20;

/// Characters of a finding that are shown.
const SHOWN: usize = 40;

/// The number of bytes of a value that are searched; the inspection has a note if one is longer.
pub(crate) const SEARCHED_BYTES: usize = 64 * 1024;

/// The context of a value, which decides how certain a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextContext {
    /// A value or prose.
    Prose,
    /// Code or a comment, where a mark may be intended.
    Code,
}

struct Compiled {
    needles: Needles,
    set: RegexSet,
    /// In the order of the patterns of the set.
    rules: Vec<CompiledRule>,
}

struct CompiledRule {
    rule: &'static Rule,
    regex: Regex,
    /// Names of columns in which a match is only suspect.
    doubtful: Option<Regex>,
}

/// The words of which a value must contain one before any rule is tried.
pub(crate) struct Needles {
    words: AhoCorasick,
    pairs: [Finder<'static>; PAIRS.len()],
}

impl Needles {
    /// Returns whether a value contains a needle.
    pub(crate) fn is_match(&self, value: &[u8]) -> bool {
        self.words.is_match(value) || self.pairs.iter().any(|pair| pair.find(value).is_some())
    }

    /// Reports the start and the end of every needle.
    fn each(&self, bytes: &[u8], mut found: impl FnMut(usize, usize)) {
        for word in self.words.find_iter(bytes) {
            found(word.start(), word.end());
        }
        for pair in &self.pairs {
            for start in pair.find_iter(bytes) {
                found(start, start + pair.needle().len());
            }
        }
    }
}

static COMPILED: LazyLock<Result<Compiled, String>> = LazyLock::new(compile);

fn compile() -> Result<Compiled, String> {
    let needles = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(NEEDLES);
    let set = RegexSet::new(RULES.iter().map(|rule| rule.pattern));
    let rules = RULES.iter().map(|rule| {
        let doubtful = (!rule.doubtful_in.is_empty()).then(|| Regex::new(rule.doubtful_in)).transpose();
        let regex = Regex::new(rule.pattern).map_err(|e| e.to_string())?;
        Ok(CompiledRule { rule, regex, doubtful: doubtful.map_err(|e| e.to_string())? })
    });
    Ok(Compiled {
        needles: Needles { words: needles.map_err(|e| e.to_string())?, pairs: PAIRS.map(Finder::new) },
        set: set.map_err(|e| e.to_string())?,
        rules: rules.collect::<Result<_, String>>()?,
    })
}

/// The search, and its findings so far.
pub(crate) struct Sentinels {
    compiled: &'static Compiled,
    certain: Findings,
    suspect: Findings,
    /// True if a value was longer than is searched.
    is_cut: bool,
}

/// Findings of one strength.
#[derive(Default)]
struct Findings {
    total: u64,
    listed: Vec<SentinelFinding>,
}

impl Findings {
    fn add(&mut self, sentinel: &str, strength: SentinelStrength, place: FoundAt, text: &[u8]) {
        self.total += 1;
        let same = |known: &&mut SentinelFinding| known.sentinel == sentinel && known.place.field == place.field;
        if let Some(known) = self.listed.iter_mut().find(same) {
            known.count += 1;
        } else if self.listed.len() < MOST_LISTED {
            let text = cut_bytes(text, SHOWN);
            self.listed.push(SentinelFinding { sentinel: sentinel.to_owned(), strength, place, text, count: 1 });
        }
    }
}

impl Sentinels {
    pub(crate) fn new() -> io::Result<Self> {
        let compiled = COMPILED.as_ref().map_err(|error| io::Error::other(error.as_str()))?;
        Ok(Self { compiled, certain: Findings::default(), suspect: Findings::default(), is_cut: false })
    }

    /// Checks one value. `field` is the name of its column, and `place` its place.
    pub(crate) fn check(
        &mut self,
        value: &[u8],
        around: TextContext,
        field: Option<&str>,
        place: impl Fn() -> FoundAt,
    ) {
        self.is_cut |= value.len() > SEARCHED_BYTES;
        let value = head(value, SEARCHED_BYTES);
        if !self.compiled.needles.is_match(value) {
            return;
        }
        let value = value.trim_ascii();
        let mut met: Vec<(&str, SentinelStrength, &[u8])> = Vec::new();
        for at in self.compiled.set.matches(value) {
            let CompiledRule { rule, regex, doubtful } =
                self.compiled.rules.get(at).invariant("the set has the pattern of each rule");
            let text = match rule.scope {
                Scope::Whole => value,
                Scope::Within => regex.find(value).map_or(value, |found| found.as_bytes()),
            };
            let doubted = doubtful.as_ref().zip(field).is_some_and(|(names, name)| names.is_match(name.as_bytes()));
            let doubted = doubted || around == TextContext::Code;
            let strength = if doubted { SentinelStrength::Suspect } else { rule.strength };
            // Rules of one sentinel are one finding, in the strongest form.
            match met.iter_mut().find(|(sentinel, ..)| *sentinel == rule.sentinel) {
                Some(known) if known.1 >= strength => {}
                Some(known) => (known.1, known.2) = (strength, text),
                None => met.push((rule.sentinel, strength, text)),
            }
        }
        for (sentinel, strength, text) in met {
            let place = FoundAt { field: field.map(|name| cut(name, SHOWN)), ..place() };
            match strength {
                SentinelStrength::Certain => self.certain.add(sentinel, strength, place, text),
                SentinelStrength::Suspect => self.suspect.add(sentinel, strength, place, text),
            }
        }
    }

    /// Returns whether a value was longer than is searched.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The needles, to search whole windows.
    pub(crate) fn needles(&self) -> &'static Needles {
        &self.compiled.needles
    }

    pub(crate) fn report(self) -> SentinelReport {
        let mut findings = self.certain.listed;
        findings.extend(self.suspect.listed);
        findings.truncate(MOST_LISTED);
        let listed: u64 = findings.iter().map(|finding| finding.count).sum();
        let (certain, suspect) = (self.certain.total, self.suspect.total);
        SentinelReport {
            certain,
            suspect,
            unlisted: (certain + suspect).checked_sub(listed).invariant("a finding is listed once"),
            findings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(value: &str, around: TextContext, field: Option<&str>) -> SentinelReport {
        let mut sentinels = Sentinels::new().unwrap();
        sentinels.check(value.as_bytes(), around, field, FoundAt::default);
        sentinels.report()
    }

    #[test]
    fn every_rule_matches_its_examples_and_spares_the_others() {
        let compiled = COMPILED.as_ref().unwrap();
        for CompiledRule { rule, regex, .. } in &compiled.rules {
            for text in rule.matches {
                assert!(regex.is_match(text.as_bytes()), "{} must match {text:?}", rule.sentinel);
                assert!(compiled.needles.is_match(text.as_bytes()), "no needle in {text:?}");
                let found = report(text, TextContext::Prose, None);
                let same = |known: &SentinelFinding| known.sentinel == rule.sentinel && known.strength >= rule.strength;
                assert!(found.findings.iter().any(same), "{text:?} gave {found:?}");
            }
            for text in rule.spares {
                assert!(!regex.is_match(text.as_bytes()), "{} ({}) must spare {text:?}", rule.sentinel, rule.pattern);
            }
        }
    }

    #[test]
    fn prose_about_work_is_not_a_placeholder() {
        for text in [
            "We went through the todo list and closed nine items.",
            "The placeholder attribute is not a label.",
            "JSONPlaceholder returned 200 todos.",
            "Insert the card, then enter the code here and now.",
            "Terms to be determined are in annex B.",
            "Please fill in the form.",
            "The XXL and XXXL sizes sold out.",
        ] {
            assert_eq!(report(text, TextContext::Prose, None), SentinelReport::default(), "{text}");
        }
    }

    #[test]
    fn doubt_weakens() {
        assert_eq!(report("TODO", TextContext::Prose, Some("owner")).certain, 1);
        assert_eq!(report("TODO", TextContext::Prose, Some("task_status")).certain, 0);
        assert_eq!(report("TODO", TextContext::Prose, Some("task_status")).suspect, 1);
        assert_eq!(report("{FILL|string}", TextContext::Code, None).certain, 0);
    }

    #[test]
    fn certain_findings_are_never_crowded_out() {
        let mut sentinels = Sentinels::new().unwrap();
        for i in 0..100 {
            let field = format!("c{i}");
            sentinels.check(b"Owner: TBD", TextContext::Prose, Some(&field), FoundAt::default);
        }
        sentinels.check(b"REPLACE_ME", TextContext::Prose, Some("key"), FoundAt::default);
        let report = sentinels.report();
        assert_eq!((report.certain, report.suspect, report.findings.len(), report.unlisted), (1, 100, 20, 81));
        assert_eq!(report.findings[0].sentinel, "stand_in_name");
    }
}
