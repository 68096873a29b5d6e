//! A hash of each part of a bundle, so that a part that was changed later can be named.
//!
//! The first version of the format is sealed under its own tag and with its own words: a recording of it is verified as it
//! was written, and read as if it had been written today.

use super::REPLAY_FORMAT_V1;
use deed_canon::{CanonError, ContentHash, TypeTag, hash_of};
use deed_diag::Invariant as _;
use deed_model::{
    BundleExpectation, BundleInputs, BundleSeal, REPLAY_BUNDLE_TAG, REPLAY_BUNDLE_V1_TAG, ReplayBundle, ReplayPacket,
    UsageReport,
};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Computes the identity of a recording: a hash over its inputs and its result.
pub(super) fn identity(inputs: &BundleInputs, expected: &BundleExpectation) -> Result<ContentHash, CanonError> {
    Parts::of(REPLAY_BUNDLE_TAG, inputs, expected)?.whole()
}

/// Computes the seal of a new recording.
pub(super) fn seal(
    inputs: &BundleInputs,
    expected: &BundleExpectation,
    packet: &ReplayPacket,
    usage: Option<&UsageReport>,
) -> Result<BundleSeal, CanonError> {
    let mut parts = Parts::of(REPLAY_BUNDLE_TAG, inputs, expected)?;
    parts.put_label(&label(packet), usage)?;
    let whole = parts.whole()?;
    parts.hashes.insert("bundle".to_owned(), whole);
    Ok(BundleSeal { parts: parts.hashes })
}

/// Returns the parts that differ from the seal, in order; `seal` if the seal itself was changed.
pub(crate) fn broken(bundle: &ReplayBundle) -> Result<Vec<String>, CanonError> {
    let first = bundle.format == REPLAY_FORMAT_V1;
    let tag = if first { REPLAY_BUNDLE_V1_TAG } else { REPLAY_BUNDLE_TAG };
    let mut now = Parts::of(tag.clone(), &bundle.inputs, &bundle.expected)?;
    let label = if first { label_v1(&bundle.packet) } else { label(&bundle.packet) };
    now.put_label(&label, bundle.usage.as_ref())?;
    let mut sealed = Parts { tag, hashes: bundle.seal.parts.clone() };
    let whole_then = sealed.hashes.remove("bundle");
    let names: BTreeSet<&String> = now.hashes.keys().chain(sealed.hashes.keys()).collect();
    let differing = names.into_iter().filter(|name| now.hashes.get(*name) != sealed.hashes.get(*name));
    let mut broken: Vec<String> = differing.cloned().collect();
    if whole_then != Some(sealed.whole()?) {
        broken.push("seal".to_owned());
    }
    Ok(broken)
}

/// Returns the label as it is sealed: without the latest result, which the life of the packet has.
fn label(packet: &ReplayPacket) -> Value {
    let packet = ReplayPacket { latest_result: None, ..packet.clone() };
    serde_json::to_value(packet).invariant("a packet is JSON")
}

/// Returns the label in the words of the first version. A word that it did not have stays as it is, and breaks the seal.
fn label_v1(packet: &ReplayPacket) -> Value {
    let mut label = label(packet);
    let words =
        [("source_kind", packet.source_kind.as_v1()), ("side_effect_policy", packet.side_effect_policy.as_v1())];
    for (field, word) in words {
        if let (Some(word), Some(place)) = (word, label.get_mut(field)) {
            *place = Value::from(word);
        }
    }
    label
}

/// The hashes of the parts of a bundle, by name.
struct Parts {
    tag: TypeTag,
    hashes: BTreeMap<String, ContentHash>,
}

impl Parts {
    fn of(tag: TypeTag, inputs: &BundleInputs, expected: &BundleExpectation) -> Result<Self, CanonError> {
        let mut parts = Self { tag, hashes: BTreeMap::new() };
        // Recordings without an environment have no such part.
        if let Some(endpoints) = &inputs.endpoints {
            parts.put("endpoints", endpoints)?;
        }
        parts.put("evidence", &inputs.evidence)?;
        parts.put("expected", expected)?;
        parts.put("memory", &inputs.memory)?;
        parts.put("overlays", &(&inputs.overlays, &inputs.selected_overlays))?;
        parts.put("pack", &inputs.pack)?;
        // Recordings from before it was stated have no such part.
        if !inputs.pack_source.is_unstated() {
            parts.put("pack_source", &inputs.pack_source)?;
        }
        if let Some(recalled) = &inputs.recalled_memory {
            parts.put("recalled_memory", recalled)?;
        }
        parts.put("request", &inputs.request)?;
        parts.put("run", &inputs.run)?;
        parts.put("tokenizer", &inputs.tokenizer)?;
        if !inputs.tool_transcript.is_empty() {
            parts.put("tool_transcript", &inputs.tool_transcript)?;
        }
        Ok(parts)
    }

    fn whole(&self) -> Result<ContentHash, CanonError> {
        hash_of(&self.tag, &self.hashes)
    }

    fn put_label(&mut self, label: &Value, usage: Option<&UsageReport>) -> Result<(), CanonError> {
        self.put("packet", label)?;
        self.put("usage", &usage)
    }

    fn put<T: Serialize>(&mut self, name: &str, part: &T) -> Result<(), CanonError> {
        let hash = hash_of(&self.tag, &(name, part))?;
        self.hashes.insert(name.to_owned(), hash);
        Ok(())
    }
}
