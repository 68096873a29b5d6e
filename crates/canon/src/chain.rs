//! An append-only hash chain, and a verifier that names the first break and its kind.
//!
//! Each link's hash covers its index, the hash of the previous link and its body. A link that was changed no longer
//! matches its own hash; one that was changed and rehashed no longer matches the next link, or the head. Indices run
//! from 0 without a gap, which distinguishes a missing link from a moved one. A truncated chain is itself valid: only a
//! head that was stored elsewhere reveals the truncation.

use crate::error::CanonError;
use crate::hash::{ContentHash, TypeTag, hash};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt;

const LINK_TAG: TypeTag = TypeTag::literal("deed/chain-link/v1");

/// One entry of a chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The index in the chain, from 0.
    pub seq: u64,
    /// The hash of the previous link; the hash of nothing for the first.
    pub prev: Option<ContentHash>,
    /// The recorded content.
    pub body: Value,
    /// The hash over `seq`, `prev` and `body`.
    pub hash: ContentHash,
}

/// The end of a chain. Store it where an attacker who can truncate the chain cannot reach it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainHead {
    /// The index of the last link.
    pub seq: u64,
    /// Its hash.
    pub hash: ContentHash,
}

impl Link {
    /// Computes the hash that this link should carry.
    pub fn expected_hash(&self) -> Result<ContentHash, CanonError> {
        link_hash(self.seq, self.prev.as_ref(), &self.body)
    }

    /// Returns true if the link carries the hash of its own content.
    pub fn is_intact(&self) -> bool {
        self.expected_hash().is_ok_and(|h| h == self.hash)
    }

    /// Returns the head of a chain that ends with this link.
    pub fn head(&self) -> ChainHead {
        ChainHead { seq: self.seq, hash: self.hash }
    }
}

fn link_hash(seq: u64, prev: Option<&ContentHash>, body: &Value) -> Result<ContentHash, CanonError> {
    hash(&LINK_TAG, &json!({ "seq": seq, "prev": prev.map(ToString::to_string), "body": body }))
}

/// Creates the link that follows `head`.
pub fn append(head: Option<&ChainHead>, body: Value) -> Result<Link, CanonError> {
    let seq = head.map_or(0, |h| h.seq + 1);
    let prev = head.map(|h| h.hash);
    let hash = link_hash(seq, prev.as_ref(), &body)?;
    Ok(Link { seq, prev, body, hash })
}

/// The first break of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    /// The index of the changed, missing, moved or extra link.
    pub seq: u64,
    /// The kind of break.
    pub kind: BreakKind,
}

/// The kind of a break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakKind {
    /// The link's content is not the appended one.
    Edited,
    /// The link is missing, and later ones are present.
    Deleted,
    /// The link stands at another index.
    Reordered,
    /// The link and all after it are missing.
    Truncated,
    /// A link was inserted that was never appended.
    Inserted,
}

impl fmt::Display for BreakKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Edited => "edited",
            Self::Deleted => "deleted",
            Self::Reordered => "reordered",
            Self::Truncated => "truncated",
            Self::Inserted => "inserted",
        })
    }
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            BreakKind::Edited => write!(f, "event {} was edited", self.seq),
            BreakKind::Deleted => write!(f, "event {} was deleted", self.seq),
            BreakKind::Reordered => write!(f, "event {} was moved", self.seq),
            BreakKind::Truncated => write!(f, "the log was cut off before event {}", self.seq),
            BreakKind::Inserted => write!(f, "event {} was inserted", self.seq),
        }
    }
}

/// Walks a chain in the given order and returns its first break.
///
/// `head` is the end as it was stored elsewhere; without it a truncation cannot be detected.
///
/// # Errors
/// The first [`Break`] of the chain.
///
/// ```
/// use deed_canon::{append, verify_chain};
///
/// let first = append(None, serde_json::json!({ "event": "created" })).unwrap();
/// let second = append(Some(&first.head()), serde_json::json!({ "event": "closed" })).unwrap();
/// let head = second.head();
/// assert!(verify_chain(&[first.clone(), second], Some(&head)).is_ok());
/// assert!(verify_chain(&[first], Some(&head)).is_err());
/// ```
pub fn verify_chain(links: &[Link], head: Option<&ChainHead>) -> Result<(), Break> {
    let mut before: Option<&Link> = None;
    for (place, link) in (0u64..).zip(links) {
        if !link.is_intact() {
            // A link that would be valid at another index was moved here and renumbered.
            let elsewhere = (0..links.len() as u64)
                .filter(|s| *s != place)
                .any(|seq| link_hash(seq, link.prev.as_ref(), &link.body).is_ok_and(|hash| hash == link.hash));
            let kind = if elsewhere && link.seq == place { BreakKind::Reordered } else { BreakKind::Edited };
            return Err(Break { seq: place, kind });
        }
        if link.seq != place {
            return Err(misplaced(links, place, link.seq));
        }
        if link.prev != before.map(|b| b.hash) {
            // Both links match their own hashes, so the earlier one was rehashed after a change, or, for the first
            // link, the chain was started anew.
            return Err(Break { seq: place.saturating_sub(1), kind: BreakKind::Edited });
        }
        before = Some(link);
    }
    match (head, before) {
        (None, _) => Ok(()),
        (Some(_), None) => Err(Break { seq: 0, kind: BreakKind::Truncated }),
        (Some(head), Some(last)) if head.seq > last.seq => Err(Break { seq: last.seq + 1, kind: BreakKind::Truncated }),
        (Some(head), Some(last)) if head.seq < last.seq => Err(Break { seq: head.seq + 1, kind: BreakKind::Inserted }),
        (Some(head), Some(last)) if head.hash != last.hash => Err(Break { seq: last.seq, kind: BreakKind::Edited }),
        (Some(_), Some(_)) => Ok(()),
    }
}

/// At `place` stands the link numbered `found`: decides whether the right one was moved, removed, or displaced by an
/// insertion.
fn misplaced(links: &[Link], place: u64, found: u64) -> Break {
    let elsewhere = links.iter().any(|l| l.seq == place);
    let repeated = links.iter().filter(|l| l.seq == found).count() > 1;
    let kind = match (repeated, elsewhere) {
        (true, _) => BreakKind::Inserted,
        (false, true) => BreakKind::Reordered,
        (false, false) => BreakKind::Deleted,
    };
    let seq = if kind == BreakKind::Inserted { found } else { place };
    Break { seq, kind }
}
