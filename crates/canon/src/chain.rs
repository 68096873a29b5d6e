//! An append-only hash chain, and a verifier that says what was done to it.
//!
//! Each link's hash covers its place, the hash before it and its body. A link that was changed no longer
//! matches its own hash; one that was changed and hashed anew no longer matches the link after it, or the
//! head. Places run from 0 without a gap, which tells a missing link from a moved one. Cutting off the
//! end leaves a sound chain: only a head that was kept elsewhere shows it.

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
    /// Place in the chain, from 0.
    pub seq: u64,
    /// Hash of the link before; of nothing for the first.
    pub prev: Option<ContentHash>,
    /// What the link records.
    pub body: Value,
    /// Hash over `seq`, `prev` and `body`.
    pub hash: ContentHash,
}

/// The end of a chain, to be kept where whoever can cut the chain cannot reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainHead {
    /// Place of the last link.
    pub seq: u64,
    /// Its hash.
    pub hash: ContentHash,
}

impl Link {
    /// The hash that this link should carry.
    pub fn expected_hash(&self) -> Result<ContentHash, CanonError> {
        link_hash(self.seq, self.prev.as_ref(), &self.body)
    }

    /// True where the link carries the hash of its own content.
    pub fn is_intact(&self) -> bool {
        self.expected_hash().is_ok_and(|h| h == self.hash)
    }

    /// The head of a chain that ends here.
    pub fn head(&self) -> ChainHead {
        ChainHead { seq: self.seq, hash: self.hash }
    }
}

fn link_hash(seq: u64, prev: Option<&ContentHash>, body: &Value) -> Result<ContentHash, CanonError> {
    hash(&LINK_TAG, &json!({ "seq": seq, "prev": prev.map(ToString::to_string), "body": body }))
}

/// The link that follows `head`.
pub fn append(head: Option<&ChainHead>, body: Value) -> Result<Link, CanonError> {
    let seq = head.map_or(0, |h| h.seq + 1);
    let prev = head.map(|h| h.hash);
    let hash = link_hash(seq, prev.as_ref(), &body)?;
    Ok(Link { seq, prev, body, hash })
}

/// The first place where a chain is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    /// The place concerned: of the changed, missing, moved or extra link.
    pub seq: u64,
    /// What was done.
    pub kind: BreakKind,
}

/// What was done to a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakKind {
    /// The link's content is not what was appended.
    Edited,
    /// The link is gone, and later ones are there.
    Deleted,
    /// The link stands at another place.
    Reordered,
    /// The link and all after it are gone.
    Truncated,
    /// A link stands there that was never appended.
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

/// Walks a chain in the order given and names its first break.
///
/// `head` is the end as it was noted elsewhere; without one a truncation cannot be seen.
pub fn verify_chain(links: &[Link], head: Option<&ChainHead>) -> Result<(), Break> {
    let mut before: Option<&Link> = None;
    for (place, link) in (0u64..).zip(links) {
        if !link.is_intact() {
            // A link that would be intact at another place was moved here and given this place's number.
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
            // Both links match their own hashes, so the earlier one was hashed anew after a change, or,
            // for the first link, the chain was begun anew.
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

/// At `place` stands the link numbered `found`: was the right one moved away, removed, or pushed back?
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
