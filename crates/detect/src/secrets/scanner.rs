//! The scanner: sieve, windows, search, allow-lists, order.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use deed_canon::Invariant;

use super::allow;
use super::compiled::CompiledRule;
use super::prefilter::{Prefilter, Windows};
use super::rule::Rule;
use super::rules::rules;
use super::sieve::Sieve;
use crate::finding::{Finding, Kind, in_order};
use crate::keyed::scan_keyed;
use crate::reading::Reading;

/// Finds secrets by the standard rules. Built once; a pattern compiles when one of its keywords first occurs.
///
/// The sieve makes no difference to what is found. It takes a while to build, so a scanner does without
/// until a [`Guard`](crate::Guard) asks for it or a text is long enough to be worth it.
pub struct SecretScanner {
    sieve: OnceLock<Sieve>,
    prefilter: Prefilter,
    rules: Vec<CompiledRule>,
}

/// What stands in place of a secret.
const CONCEALED: &str = "[secret]";
/// From this length on a text is worth a sieve of its own.
const LONG_TEXT: usize = 1 << 20;

static STANDARD: LazyLock<SecretScanner> = LazyLock::new(|| SecretScanner::of(rules().copied().collect()));

impl SecretScanner {
    /// The scanner with every rule of this crate.
    pub fn standard() -> &'static Self {
        &STANDARD
    }

    fn of(rules: Vec<Rule>) -> Self {
        Self {
            sieve: OnceLock::new(),
            prefilter: Prefilter::new(&rules),
            rules: rules.into_iter().map(CompiledRule::new).collect(),
        }
    }

    /// Every secret in a text, by start and then by rule.
    pub fn scan(&self, text: &str) -> Vec<Finding> {
        let sieve = self.sieve.get().or_else(|| (text.len() >= LONG_TEXT).then(|| self.sieve()));
        let Some(sieve) = sieve else {
            return self.search(text, self.prefilter.windows(text));
        };
        let suspects = sieve.suspects(text, Reading::Text);
        if suspects.is_empty() {
            return Vec::new();
        }
        self.search(text, self.prefilter.windows_at(text, &suspects))
    }

    /// Returns a text with `[secret]` in place of every secret. Secrets that overlap become one.
    pub fn conceal<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut found = self.scan(text);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        found.sort_by_key(|finding| finding.range.start);
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for finding in found {
            if finding.range.start >= at {
                out.push_str(text.get(at..finding.range.start).invariant("a finding begins at a character"));
                out.push_str(CONCEALED);
            }
            at = at.max(finding.range.end);
        }
        out.push_str(text.get(at..).invariant("a finding ends at a character"));
        Cow::Owned(out)
    }

    /// Returns true if the text can hold a secret; `false` is certain.
    pub(crate) fn may_find(&self, text: &str, reading: Reading) -> bool {
        !self.sieve().suspects(text, reading).is_empty()
    }

    /// Builds the sieve, so that clean texts are passed over faster from now on.
    pub(crate) fn sharpen(&self) {
        self.sieve();
    }

    fn sieve(&self) -> &Sieve {
        self.sieve.get_or_init(|| Sieve::new(&self.rules.iter().map(|compiled| compiled.rule).collect::<Vec<_>>()))
    }

    /// As [`Self::scan`], without the sieve: every rule looks at all of its windows.
    #[cfg(test)]
    pub(crate) fn scan_unsieved(&self, text: &str) -> Vec<Finding> {
        self.search(text, self.prefilter.windows(text))
    }

    fn search(&self, text: &str, windows: Windows) -> Vec<Finding> {
        let mut specific = Vec::new();
        let mut generic = Vec::new();
        for (rule, windows) in windows {
            let compiled = self.rules.get(rule).invariant("a window belongs to a rule");
            let out = if compiled.rule.is_generic() { &mut generic } else { &mut specific };
            for window in &windows {
                search_window(compiled, text, window, out);
            }
        }
        // The rule of an issuer is more specific than a generic rule about the same bytes.
        let covered = Covered::by(&specific);
        generic.retain(|finding| !covered.overlaps(&finding.range));
        specific.append(&mut generic);
        in_order(specific)
    }

    /// Every secret in one value, given the name it stands under; ranges are within the value.
    pub fn scan_value(&self, key: Option<&str>, value: &str) -> Vec<Finding> {
        scan_keyed(key, value, |text| self.scan(text))
    }
}

impl std::fmt::Debug for SecretScanner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecretScanner").field("rules", &self.rules.len()).finish()
    }
}

fn search_window(compiled: &CompiledRule, text: &str, window: &Range<usize>, out: &mut Vec<Finding>) {
    compiled.search(text, window, |candidate| {
        if allow::is_secret(&compiled.rule, text, &candidate) {
            out.push(Finding {
                rule_id: compiled.rule.id().into(),
                title: compiled.rule.title().into(),
                range: candidate.secret,
                kind: Kind::Secret,
            });
        }
    });
}

/// The bytes that findings cover, as sorted ranges apart from each other.
struct Covered(Vec<Range<usize>>);

impl Covered {
    fn by(findings: &[Finding]) -> Self {
        let mut ranges: Vec<_> = findings.iter().map(|finding| finding.range.clone()).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        let mut apart: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            match apart.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => apart.push(range),
            }
        }
        Self(apart)
    }

    fn overlaps(&self, range: &Range<usize>) -> bool {
        let next = self.0.partition_point(|covered| covered.end <= range.start);
        self.0.get(next).is_some_and(|covered| covered.start < range.end)
    }
}
