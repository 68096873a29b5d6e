//! Looks for placeholders: values that were meant to be replaced and were not.
//!
//! What enters are values, each with a place; what leaves is a report. A search for a few words comes first, over
//! whole windows, so that the rules are tried only where something can be found.

mod rules;
mod watch;

pub(crate) use watch::Watch;

use crate::look::{cut, cut_bytes};
use aho_corasick::{AhoCorasick, MatchKind};
use deed_model::{FoundAt, SentinelFinding, SentinelReport, SentinelStrength};
use memchr::memmem::Finder;
use regex::bytes::{Regex, RegexSet};
use rules::{NEEDLES, PAIRS, RULES, Scope};
use std::io;
use std::sync::LazyLock;

/// Findings that are listed.
const MOST_LISTED: usize = 20;

/// Characters of a finding that are shown.
const SHOWN: usize = 40;

/// Bytes of a value that are looked at; the inspection says so where one is longer.
pub(crate) const LOOKED_AT: usize = 64 * 1024;

/// What stands around a value: it decides how sure a finding can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Around {
    /// Nothing that weakens it.
    Nothing,
    /// Code or a comment, where a mark may belong.
    Code,
}

struct Compiled {
    needles: Needles,
    set: RegexSet,
    rules: Vec<(Regex, Option<Regex>)>,
}

/// What has to stand in a value before any rule is tried.
pub(crate) struct Needles {
    words: AhoCorasick,
    pairs: [Finder<'static>; PAIRS.len()],
}

impl Needles {
    /// True where a needle occurs in a value.
    pub(crate) fn is_match(&self, value: &[u8]) -> bool {
        self.words.is_match(value) || self.pairs.iter().any(|pair| pair.find(value).is_some())
    }

    /// Every place of a needle: its start and its end.
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
        Ok((Regex::new(rule.pattern).map_err(|e| e.to_string())?, doubtful.map_err(|e| e.to_string())?))
    });
    Ok(Compiled {
        needles: Needles { words: needles.map_err(|e| e.to_string())?, pairs: PAIRS.map(Finder::new) },
        set: set.map_err(|e| e.to_string())?,
        rules: rules.collect::<Result<_, String>>()?,
    })
}

/// The search, and what it found so far.
pub(crate) struct Sentinels {
    compiled: &'static Compiled,
    certain: Found,
    suspect: Found,
    /// Whether a value was longer than is looked at.
    is_cut: bool,
}

/// Findings of one strength.
#[derive(Default)]
struct Found {
    total: u64,
    listed: Vec<SentinelFinding>,
}

impl Found {
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
        Ok(Self { compiled, certain: Found::default(), suspect: Found::default(), is_cut: false })
    }

    /// Looks at one value. `field` is the name of its column, and `place` says where it stands.
    pub(crate) fn check(&mut self, value: &[u8], around: Around, field: Option<&str>, place: impl Fn() -> FoundAt) {
        self.is_cut |= value.len() > LOOKED_AT;
        let value = value.get(..value.len().min(LOOKED_AT)).unwrap_or_default();
        if !self.compiled.needles.is_match(value) {
            return;
        }
        let value = value.trim_ascii();
        let mut met: Vec<(&str, SentinelStrength, &[u8])> = Vec::new();
        for at in self.compiled.set.matches(value) {
            let (Some(rule), Some((regex, doubtful))) = (RULES.get(at), self.compiled.rules.get(at)) else { continue };
            let text = match rule.scope {
                Scope::Whole => value,
                Scope::Within => regex.find(value).map_or(value, |found| found.as_bytes()),
            };
            let doubted = doubtful.as_ref().zip(field).is_some_and(|(names, name)| names.is_match(name.as_bytes()));
            let doubted = doubted || around == Around::Code;
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

    /// Whether all of every value was looked at.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Where in a window something may be found.
    pub(crate) fn needles(&self) -> &'static Needles {
        &self.compiled.needles
    }

    pub(crate) fn report(self) -> SentinelReport {
        let mut findings = self.certain.listed;
        findings.extend(self.suspect.listed);
        findings.truncate(MOST_LISTED);
        let listed: u64 = findings.iter().map(|finding| finding.count).sum();
        let (certain, suspect) = (self.certain.total, self.suspect.total);
        SentinelReport { certain, suspect, unlisted: (certain + suspect).saturating_sub(listed), findings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(value: &str, around: Around, field: Option<&str>) -> SentinelReport {
        let mut sentinels = Sentinels::new().unwrap();
        sentinels.check(value.as_bytes(), around, field, FoundAt::default);
        sentinels.report()
    }

    #[test]
    fn every_rule_matches_its_examples_and_spares_the_others() {
        let compiled = COMPILED.as_ref().unwrap();
        for (rule, (regex, _)) in RULES.iter().zip(&compiled.rules) {
            for text in rule.matches {
                assert!(regex.is_match(text.as_bytes()), "{} must match {text:?}", rule.sentinel);
                assert!(compiled.needles.is_match(text.as_bytes()), "no needle in {text:?}");
                let found = report(text, Around::Nothing, None);
                let same = |known: &SentinelFinding| known.sentinel == rule.sentinel && known.strength >= rule.strength;
                assert!(found.findings.iter().any(same), "{text:?} gave {found:?}");
            }
            for text in rule.spares {
                assert!(!regex.is_match(text.as_bytes()), "{} ({}) must spare {text:?}", rule.sentinel, rule.pattern);
            }
        }
    }

    #[test]
    fn prose_about_work_is_no_placeholder() {
        for text in [
            "We went through the todo list and closed nine items.",
            "The placeholder attribute is not a label.",
            "JSONPlaceholder returned 200 todos.",
            "Insert the card, then enter the code here and now.",
            "Terms to be determined are in annex B.",
            "Please fill in the form.",
            "The XXL and XXXL sizes sold out.",
        ] {
            assert_eq!(report(text, Around::Nothing, None), SentinelReport::default(), "{text}");
        }
    }

    #[test]
    fn doubt_weakens() {
        assert_eq!(report("TODO", Around::Nothing, Some("owner")).certain, 1);
        assert_eq!(report("TODO", Around::Nothing, Some("task_status")).certain, 0);
        assert_eq!(report("TODO", Around::Nothing, Some("task_status")).suspect, 1);
        assert_eq!(report("{FILL|string}", Around::Code, None).certain, 0);
    }

    #[test]
    fn certain_findings_are_never_crowded_out() {
        let mut sentinels = Sentinels::new().unwrap();
        for i in 0..100 {
            let field = format!("c{i}");
            sentinels.check(b"Owner: TBD", Around::Nothing, Some(&field), FoundAt::default);
        }
        sentinels.check(b"REPLACE_ME", Around::Nothing, Some("key"), FoundAt::default);
        let report = sentinels.report();
        assert_eq!((report.certain, report.suspect, report.findings.len(), report.unlisted), (1, 100, 20, 81));
        assert_eq!(report.findings[0].sentinel, "stand_in_name");
    }
}
