//! A hash of each part of a bundle, so that a part that was changed later can be named.

use deed_canon::{CanonError, ContentHash, hash_of};
use deed_model::{
    BundleExpectation, BundleInputs, BundleSeal, REPLAY_BUNDLE_TAG, ReplayBundle, ReplayPacket, UsageReport,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Computes the identity of a recording: a hash over its inputs and its result.
pub(super) fn identity(inputs: &BundleInputs, expected: &BundleExpectation) -> Result<ContentHash, CanonError> {
    whole(&parts(inputs, expected)?)
}

/// Computes the seal of a new recording.
pub(super) fn seal(
    inputs: &BundleInputs,
    expected: &BundleExpectation,
    packet: &ReplayPacket,
    usage: Option<&UsageReport>,
) -> Result<BundleSeal, CanonError> {
    let mut parts = parts(inputs, expected)?;
    put_label(&mut parts, packet, usage)?;
    let whole = whole(&parts)?;
    parts.insert("bundle".to_owned(), whole);
    Ok(BundleSeal { parts })
}

/// Returns the parts that differ from the seal, in order; `seal` if the seal itself was changed.
pub(crate) fn broken(bundle: &ReplayBundle) -> Result<Vec<String>, CanonError> {
    let mut now = parts(&bundle.inputs, &bundle.expected)?;
    put_label(&mut now, &bundle.packet, bundle.usage.as_ref())?;
    let mut sealed = bundle.seal.parts.clone();
    let whole_then = sealed.remove("bundle");
    let names: BTreeSet<&String> = now.keys().chain(sealed.keys()).collect();
    let differing = names.into_iter().filter(|name| now.get(*name) != sealed.get(*name));
    let mut broken: Vec<String> = differing.cloned().collect();
    if whole_then != Some(whole(&sealed)?) {
        broken.push("seal".to_owned());
    }
    Ok(broken)
}

fn whole(parts: &BTreeMap<String, ContentHash>) -> Result<ContentHash, CanonError> {
    hash_of(&REPLAY_BUNDLE_TAG, parts)
}

fn parts(inputs: &BundleInputs, expected: &BundleExpectation) -> Result<BTreeMap<String, ContentHash>, CanonError> {
    let mut parts = BTreeMap::new();
    // Recordings without an environment have no such part.
    if let Some(endpoints) = &inputs.endpoints {
        put(&mut parts, "endpoints", endpoints)?;
    }
    put(&mut parts, "evidence", &inputs.evidence)?;
    put(&mut parts, "expected", expected)?;
    put(&mut parts, "memory", &inputs.memory)?;
    put(&mut parts, "overlays", &(&inputs.overlays, &inputs.selected_overlays))?;
    put(&mut parts, "pack", &inputs.pack)?;
    // Recordings from before it was stated have no such part.
    if !inputs.pack_source.is_unstated() {
        put(&mut parts, "pack_source", &inputs.pack_source)?;
    }
    put(&mut parts, "request", &inputs.request)?;
    put(&mut parts, "run", &inputs.run)?;
    put(&mut parts, "tokenizer", &inputs.tokenizer)?;
    Ok(parts)
}

/// Adds label and usage, without the last replay result, which is written later.
fn put_label(
    parts: &mut BTreeMap<String, ContentHash>,
    packet: &ReplayPacket,
    usage: Option<&UsageReport>,
) -> Result<(), CanonError> {
    put(parts, "packet", &ReplayPacket { latest_result: None, ..packet.clone() })?;
    put(parts, "usage", &usage)
}

fn put<T: Serialize>(parts: &mut BTreeMap<String, ContentHash>, name: &str, part: &T) -> Result<(), CanonError> {
    let hash = hash_of(&REPLAY_BUNDLE_TAG, &(name, part))?;
    parts.insert(name.to_owned(), hash);
    Ok(())
}
