//! Allow-lists: matches of a pattern that are not secrets.
//!
//! Entropy first, since it is cheap; then the allow-lists, each in a file of its own.

mod hash;
mod name;
mod placeholder;
mod plain;
mod reference;

use super::compiled::Candidate;
use super::rule::{Breadth, Rule};
use crate::bytes::part_of;
use crate::entropy::bits_per_byte;

/// Returns true if a match survives the rule's entropy and the allow-lists.
pub(super) fn is_secret(rule: &Rule, text: &str, candidate: &Candidate) -> bool {
    let secret = part_of(text, candidate.secret.clone());
    if bits_per_byte(secret) < rule.min_entropy
        || placeholder::is_placeholder(secret)
        || reference::is_reference(secret)
    {
        return false;
    }
    match rule.breadth {
        Breadth::Specific => true,
        Breadth::Generic => is_named_and_random(text, candidate, secret) && !hash::is_bare_hash(secret),
        Breadth::GenericStrong => is_named_and_random(text, candidate, secret),
        Breadth::Password => name::is_telling(text, candidate) && !plain::is_plain_password(secret),
    }
}

/// Returns true if the name announces a secret and the value is neither an identifier nor a hash.
fn is_named_and_random(text: &str, candidate: &Candidate, secret: &str) -> bool {
    name::is_telling(text, candidate)
        && !hash::is_tagged_hash(secret)
        && !hash::is_uuid(secret)
        && !plain::is_plain(secret)
        && !plain::is_called(text, candidate.secret.end)
}
