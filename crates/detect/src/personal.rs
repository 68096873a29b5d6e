//! Personal data: text enters, the byte ranges of numbers and addresses that name a person leave.
//!
//! Each detector is a file of its own and proves its checksum where the format has one.

mod aadhaar;
mod api_key;
mod checksum;
mod context;
mod cpf;
mod credit_card;
mod digits;
mod dni;
mod email;
mod iban;
mod kind;
mod nhs;
mod pan;
mod phone;
mod sieve;
mod ssn;

pub(crate) use sieve::{Kinds, suspects};

pub use kind::{PersonalKind, UnknownPersonalKind, personal};

use crate::finding::{Finding, in_order};
use crate::keyed::scan_keyed;
use crate::outline::Outline;

/// Every value of these kinds in a text, by start and then by kind; rule ids are the kinds' names.
pub fn scan_personal(text: &str, kinds: &[PersonalKind]) -> Vec<Finding> {
    // No outline rules out a key, so one that is asked for alone does without.
    let outline = if kinds == [PersonalKind::ApiKey] { Outline::default() } else { Outline::of(text) };
    let found = kinds.iter().filter(|kind| kind.may_be_in(&outline)).flat_map(|kind| {
        kind.ranges(text).into_iter().map(|range| Finding {
            rule_id: kind.name().into(),
            title: kind.title().into(),
            range,
            kind: kind.of(),
        })
    });
    in_order(found.collect())
}

/// As [`scan_personal`] for one value under a name, so that `phone` beside bare digits counts;
/// ranges are within the value.
pub fn scan_personal_value(key: Option<&str>, value: &str, kinds: &[PersonalKind]) -> Vec<Finding> {
    // Every kind but the last is written with a digit or an `@`, and most values have neither.
    let telling = |b: u8| b.is_ascii_digit() || b == b'@';
    if !value.bytes().any(telling) && !kinds.contains(&PersonalKind::ApiKey) {
        return Vec::new();
    }
    scan_keyed(key, value, |text| scan_personal(text, kinds))
}

#[cfg(test)]
mod testing {
    use std::ops::Range;

    /// The texts that a detector points at.
    pub(super) fn found(find: fn(&str) -> Vec<Range<usize>>, text: &str) -> Vec<&str> {
        find(text).into_iter().map(|range| text.get(range).unwrap()).collect()
    }
}
