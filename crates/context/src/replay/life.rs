//! The life of a packet: results that are only ever appended.
//!
//! Enters: a life, or none yet, the recording that it belongs to, and an event. Leaves: the longer life. Must prove: the
//! life is intact, belongs to this recording, and the event may follow.

use super::run::ReplayReport;
use deed_canon::{ContentHash, Link, append, verify_chain};
use deed_diag::Invariant as _;
use deed_model::{LifeEntry, LifeHead, PacketEvent, PacketLife, PacketResult, ReplayBundle, ReplayResult};
use thiserror::Error;

/// The format of lives, which is the only one that is read.
pub const PACKET_LIFE_FORMAT: &str = "deed/packet-life/v1";

/// The reason why a life cannot be used or extended.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LifeFault {
    /// The format is unknown.
    #[error("the life has the format `{0}`, and only `{PACKET_LIFE_FORMAT}` is supported")]
    Format(String),
    /// The chain is broken.
    #[error("{0}")]
    Chain(String),
    /// The life is that of another recording.
    #[error("it is the life of `{0}`, and the recording beside it is another one")]
    OtherRecording(String),
    /// An event that could not have been recorded.
    #[error("event {seq} has the result `{result}`, which may not stand there")]
    Event {
        /// The index.
        seq: u64,
        /// The result.
        result: ReplayResult,
    },
    /// The event may not follow.
    #[error("`{after}` may not follow `{before}`")]
    MayNotFollow {
        /// The latest result.
        before: ReplayResult,
        /// The refused one.
        after: ReplayResult,
    },
}

/// Checks a life against the recording that it stands beside.
///
/// # Errors
/// The first fault: another format, a broken chain, another recording, or a result that may not stand where it does.
pub fn verify_life(life: &PacketLife, bundle: &ReplayBundle) -> Result<(), LifeFault> {
    if life.format != PACKET_LIFE_FORMAT {
        return Err(LifeFault::Format(life.format.clone()));
    }
    let links: Vec<Link> = life.entries.iter().map(link).collect();
    let head = deed_canon::ChainHead { seq: life.head.seq, hash: life.head.hash };
    verify_chain(&links, Some(&head)).map_err(|broken| LifeFault::Chain(broken.to_string()))?;
    let is_foreign = |entry: &LifeEntry| entry.event.packet_id != life.packet_id;
    if life.packet_id != bundle.packet.packet_id
        || life.recording != recording(bundle)
        || life.entries.iter().any(is_foreign)
    {
        return Err(LifeFault::OtherRecording(life.packet_id.clone()));
    }
    let mut before = ReplayResult::NotRun;
    for entry in &life.entries {
        let result = entry.event.result.result;
        if !result.may_follow(before, bundle.packet.source_kind) {
            return Err(LifeFault::Event { seq: entry.seq, result });
        }
        before = result;
    }
    Ok(())
}

/// Returns the life with one more event.
///
/// # Errors
/// The life is not intact, or the event may not follow.
pub fn extended(life: Option<PacketLife>, bundle: &ReplayBundle, event: PacketEvent) -> Result<PacketLife, LifeFault> {
    if let Some(life) = &life {
        verify_life(life, bundle)?;
    }
    let before = life.as_ref().map_or(ReplayResult::NotRun, PacketLife::state);
    let after = event.result.result;
    if !after.may_follow(before, bundle.packet.source_kind) {
        return Err(LifeFault::MayNotFollow { before, after });
    }
    let body = serde_json::to_value(&event).invariant("an event is JSON");
    let head = life.as_ref().map(|life| deed_canon::ChainHead { seq: life.head.seq, hash: life.head.hash });
    let link = append(head.as_ref(), body).map_err(|error| LifeFault::Chain(error.to_string()))?;
    let entry = LifeEntry { event, hash: link.hash, prev: link.prev, seq: link.seq };
    let head = LifeHead::from(link.head());
    Ok(match life {
        Some(mut life) => {
            life.entries.push(entry);
            PacketLife { head, ..life }
        }
        None => PacketLife {
            entries: vec![entry],
            format: PACKET_LIFE_FORMAT.to_owned(),
            head,
            packet_id: bundle.packet.packet_id.clone(),
            recording: recording(bundle),
        },
    })
}

/// Returns the event of a replay, without an evaluation.
pub fn replayed_event(report: &ReplayReport, at: &str, by: &str) -> PacketEvent {
    PacketEvent {
        at: at.to_owned(),
        by: by.to_owned(),
        overlays: report.overlays.clone(),
        pack_hash: report.pack_hash,
        pack_ref: Some(report.pack_ref.clone()),
        packet_id: report.packet_id.clone(),
        result: report.result(),
        superseded_by: None,
    }
}

/// Returns the event that ends a packet: another one takes its place.
pub fn superseded_event(bundle: &ReplayBundle, by_packet: &str, at: &str, by: &str) -> PacketEvent {
    PacketEvent {
        at: at.to_owned(),
        by: by.to_owned(),
        overlays: Vec::new(),
        pack_hash: None,
        pack_ref: None,
        packet_id: bundle.packet.packet_id.clone(),
        result: PacketResult::of(ReplayResult::Superseded),
        superseded_by: Some(by_packet.to_owned()),
    }
}

fn link(entry: &LifeEntry) -> Link {
    let body = serde_json::to_value(&entry.event).invariant("an event is JSON");
    Link { seq: entry.seq, prev: entry.prev, body, hash: entry.hash }
}

/// Returns the hash that seals a recording; that of nothing if the seal was taken away, which its replay reports.
fn recording(bundle: &ReplayBundle) -> ContentHash {
    bundle.seal.parts.get("bundle").copied().unwrap_or_else(|| ContentHash::of_bytes(b""))
}
