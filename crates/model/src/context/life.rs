//! The life of a replay packet: its results, in a hash chain beside the recording.

use super::packet::{PacketResult, ReplayResult};
use deed_canon::{ChainHead, ContentHash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The life of a packet. It is a file of its own: a recording is never written again.
///
/// The entries are a hash chain, and the head is stated apart from them, so that any single change is found: an entry that
/// was edited, moved, inserted, taken out or cut off. Whoever rewrites the whole file is found only by a head that was
/// kept elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PacketLife {
    /// The results, oldest first.
    pub entries: Vec<LifeEntry>,
    /// `deed/packet-life/v1`.
    pub format: String,
    /// The last entry.
    pub head: LifeHead,
    /// The packet.
    pub packet_id: String,
    /// The hash that seals the recording.
    #[schemars(with = "String")]
    pub recording: ContentHash,
}

/// The end of a life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LifeHead {
    /// The hash of the last entry.
    #[schemars(with = "String")]
    pub hash: ContentHash,
    /// Its index.
    pub seq: u64,
}

impl From<ChainHead> for LifeHead {
    fn from(head: ChainHead) -> Self {
        Self { hash: head.hash, seq: head.seq }
    }
}

/// An entry of a life, as a link of the chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LifeEntry {
    /// The event.
    pub event: PacketEvent,
    /// The hash over `seq`, `prev` and the event.
    #[schemars(with = "String")]
    pub hash: ContentHash,
    /// The hash of the previous entry; none for the first.
    #[schemars(with = "Option<String>")]
    pub prev: Option<ContentHash>,
    /// The index, from 0.
    pub seq: u64,
}

/// Something that happened to a packet: a replay, or another packet that supersedes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PacketEvent {
    /// The instant, in RFC 3339.
    pub at: String,
    /// The actor.
    pub by: String,
    /// The overlays that were applied in the replay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlays: Vec<String>,
    /// Typed hash of the pack that it was replayed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub pack_hash: Option<ContentHash>,
    /// The pack that it was replayed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pack_ref: Option<String>,
    /// The packet and recording that this event is about, so that a life cannot stand beside another recording.
    pub packet_id: String,
    /// The result.
    pub result: PacketResult,
    /// The packet that supersedes this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
}

impl PacketLife {
    /// Returns the latest result.
    pub fn latest(&self) -> Option<&PacketResult> {
        self.entries.last().map(|entry| &entry.event.result)
    }

    /// Returns the word for where the packet is in its life.
    pub fn state(&self) -> ReplayResult {
        self.latest().map_or(ReplayResult::NotRun, |latest| latest.result)
    }
}
