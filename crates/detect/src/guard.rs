//! The guard: finds everything in a payload that must not pass.
//!
//! Secrets, personal data and what the caller forbids, found together. Nearly every payload is clean, so each
//! part first asks its sieve, whose "no" is certain, and only where the sieve doubts does the detector run:
//! the findings are the detectors' own.

mod json;
#[cfg(test)]
mod tests;

use crate::custom::CustomPattern;
use crate::finding::{Finding, in_order};
use crate::keyed::scan_keyed;
use crate::personal::{Kinds, PersonalKind, scan_personal, suspects};
use crate::reading::Reading;
use crate::secrets::SecretScanner;
use crate::unfold::Unfolded;
use std::ops::Range;

/// The treatment of secrets by a guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrets {
    /// Every rule of [`SecretScanner::standard`].
    Sought,
    /// None.
    Ignored,
}

/// Secrets, personal data and forbidden patterns in one. Built once, then asked for every payload.
#[derive(Debug, Clone)]
pub struct Guard {
    secrets: Secrets,
    kinds: Vec<PersonalKind>,
    asked: Kinds,
    forbidden: Vec<CustomPattern>,
    /// Clear if each of them finds in JSON what it finds in a value of it.
    forbidden_in_json: json::Sight,
}

impl Guard {
    /// A guard over these kinds of personal data, what the patterns forbid, and secrets if they are sought.
    pub fn new(secrets: Secrets, kinds: &[PersonalKind], forbidden: Vec<CustomPattern>) -> Self {
        let patterns: Vec<&str> = forbidden.iter().map(CustomPattern::pattern).collect();
        if secrets == Secrets::Sought || kinds.contains(&PersonalKind::ApiKey) {
            SecretScanner::standard().sharpen();
        }
        Self {
            secrets,
            kinds: kinds.to_vec(),
            asked: kinds.iter().fold(Kinds::default(), |asked, kind| asked.with(*kind)),
            forbidden_in_json: json::Sight::of(&patterns),
            forbidden,
        }
    }

    /// A guard over every secret and every kind of personal data.
    pub fn standard(forbidden: Vec<CustomPattern>) -> Self {
        // Secrets are found by their own rules already.
        let kinds: Vec<_> = PersonalKind::ALL.into_iter().filter(|kind| *kind != PersonalKind::ApiKey).collect();
        Self::new(Secrets::Sought, &kinds, forbidden)
    }

    /// Everything in a text, by start and then by rule.
    ///
    /// The same as [`SecretScanner::scan`], [`scan_personal`] and every [`CustomPattern::scan`] together.
    pub fn scan(&self, text: &str) -> Vec<Finding> {
        let mut found = self.scan_built_in(text);
        found.extend(self.scan_forbidden(text));
        if found.is_empty() { found } else { in_order(found) }
    }

    /// Everything in one value under a name; ranges are within the value.
    ///
    /// The detectors of this crate read `name="value"`, the caller's patterns the value alone.
    pub fn scan_value(&self, key: Option<&str>, value: &str) -> Vec<Finding> {
        let mut found = scan_keyed(key, value, |text| self.scan_built_in(text));
        found.extend(self.scan_forbidden(value));
        if found.is_empty() { found } else { in_order(found) }
    }

    /// Returns true if [`Self::scan`] finds nothing.
    pub fn is_clean(&self, text: &str) -> bool {
        self.scan(text).is_empty()
    }

    /// Returns true if a JSON document can hold anything; `false` is certain.
    ///
    /// Certain for a caller that then calls [`Self::scan_value`] for each string, each number as it is written and
    /// each key of the document: strings and numbers under the key of their member, the elements of an
    /// array under the array's, keys under none. A document that may hold something is to be scanned that way.
    ///
    /// Names and values must stand as near to each other as serializers write them, with fewer than 32 blanks.
    pub fn may_hold_anything(&self, json: &str) -> bool {
        json::may_hold_anything(self, json)
    }

    /// Scans a text, and the same text without its disguises.
    fn scan_built_in(&self, text: &str) -> Vec<Finding> {
        let mut found = self.scan_as_written(text);
        let Some(plain) = Unfolded::of(text) else { return found };
        let behind = self.scan_as_written(&plain.text).into_iter().map(|finding| {
            let range = plain.place(&finding.range);
            Finding { range, ..finding }
        });
        // A finding in the text as it is written is not reported twice.
        let known: Vec<_> = found.iter().map(|finding| finding.range.clone()).collect();
        let apart =
            |range: &Range<usize>| known.iter().all(|known| known.end <= range.start || range.end <= known.start);
        found.extend(behind.filter(|finding| apart(&finding.range)));
        found
    }

    fn scan_as_written(&self, text: &str) -> Vec<Finding> {
        let mut found = match self.secrets {
            Secrets::Sought => SecretScanner::standard().scan(text),
            Secrets::Ignored => Vec::new(),
        };
        let suspected = suspects(text, self.asked, Reading::Text);
        let may_be = |kind: &PersonalKind| *kind == PersonalKind::ApiKey || suspected.has(*kind);
        if self.kinds.iter().any(may_be) {
            let kinds: Vec<PersonalKind> = self.kinds.iter().copied().filter(may_be).collect();
            found.extend(scan_personal(text, &kinds));
        }
        found
    }

    fn scan_forbidden(&self, text: &str) -> impl Iterator<Item = Finding> {
        // One after another: each looks for its own literals, which together they could not.
        self.forbidden.iter().flat_map(|pattern| pattern.scan(text))
    }

    /// Returns true if a part of a JSON document can hold anything, its strings read without their escapes.
    fn may_hold(&self, json: &str) -> bool {
        self.may_hold_as_written(json) || Unfolded::of(json).is_some_and(|plain| self.may_hold_as_written(&plain.text))
    }

    fn may_hold_as_written(&self, json: &str) -> bool {
        let secret = || match self.secrets {
            Secrets::Sought => true,
            Secrets::Ignored => self.asked.has(PersonalKind::ApiKey),
        };
        (secret() && SecretScanner::standard().may_find(json, Reading::Json))
            || !suspects(json, self.asked, Reading::Json).is_empty()
            || self.forbidden.iter().any(|pattern| pattern.is_in(json))
    }
}
