//! The desk: calls as values, the outcome of the pack, and answers that are used or not.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

mod answers;
mod calls;
mod candidates;

use deed_canon::ContentHash;
use deed_desk::{Desk, Evaluation, EvaluationPiece, PieceContent, Side, builtin_pack};
use deed_model::{Classification, FrozenPack};
use deed_profile::{Objects, ProfileFile, ResolveInputs, resolve};
use serde_json::Value;

const BOUND: &str = "profile_id: judged
version: 1.0.0
consumer_bindings: { operator_evaluator: { model_binding_ref: \"ollama:scripted\", runtime_overrides: { max_tokens: 500, temperature: 0 } } }
";

/// A desk under a profile and a pack.
pub fn desk(profile: &str, pack: &FrozenPack) -> Desk {
    let file = ProfileFile::read("judged.yaml", profile.as_bytes()).unwrap();
    let resolved =
        resolve(&ResolveInputs { profile: &file, governed: None, workspace: None, objects: Objects::default() })
            .unwrap();
    Desk::open(resolved.snapshot, pack, "acme", Classification::Internal).unwrap()
}

/// The desk of a profile that binds the evaluator, under the default pack.
pub fn bound() -> Desk {
    desk(BOUND, &builtin_pack())
}

/// A bundle with a source and a derived value.
pub fn evaluation<'a>(source: &'a Value, derived: &'a Value, criteria: Vec<(&'a str, &'a str)>) -> Evaluation<'a> {
    let piece = |side, role, content| EvaluationPiece {
        side,
        role,
        path: None,
        sha256: ContentHash::of_bytes(b"piece"),
        bytes: 5,
        content: PieceContent::Value(content),
    };
    Evaluation {
        contract: "contract",
        bundle: ContentHash::of_bytes(b"bundle"),
        item_id: Some("item"),
        instructions: None,
        pieces: vec![piece(Side::Source, "text", source), piece(Side::Derived, "claim", derived)],
        criteria,
    }
}
