//! Files of a step that an evaluation reads: its inputs, and what its code wrote to `work/` and `output/`.

use super::bad;
use crate::attempt::Attempt;
use crate::bridge::call::lost;
use crate::bridge::error::BridgeError;
use deed_canon::ContentHash;
use deed_model::covers;
use deed_ports::{Evidence, EvidenceContent};
use serde_json::Value;
use std::io::{self, Read};

/// The most bytes of all files of a bundle together.
pub(super) const LARGEST: u64 = 16 << 20;

/// Reads a file that holds a bundle.
pub(super) fn document(attempt: &Attempt, path: &str) -> Result<Value, BridgeError> {
    let bytes = read(attempt, path, LARGEST)?;
    deed_canon::parse(&bytes).map_err(|error| bad(format!("`{}` is not JSON: {error}", path.escape_debug())))
}

/// Reads a piece of evidence: JSON by its name, an image by its first bytes, and text otherwise.
pub(super) fn evidence(attempt: &Attempt, path: &str, role: &str, budget: &mut u64) -> Result<Evidence, BridgeError> {
    let bytes = read(attempt, path, *budget)?;
    *budget = budget.saturating_sub(bytes.len() as u64);
    let sha256 = ContentHash::of_bytes(&bytes);
    let content = match image(&bytes) {
        Some(media_type) => {
            // The evaluator reads it by its hash.
            attempt.run.world.blobs.put(&mut bytes.as_slice()).map_err(|error| lost(attempt, &error))?;
            EvidenceContent::Image { media_type }
        }
        None => EvidenceContent::Value(value(path, &bytes)?),
    };
    let (role, size) = (role.to_owned(), bytes.len() as u64);
    Ok(Evidence { role, path: Some(path.to_owned()), sha256, bytes: size, content })
}

fn value(path: &str, bytes: &[u8]) -> Result<Value, BridgeError> {
    let shown = path.escape_debug();
    if path.to_ascii_lowercase().ends_with(".json") {
        return deed_canon::parse(bytes).map_err(|error| bad(format!("`{shown}` is not JSON: {error}")));
    }
    let text = std::str::from_utf8(bytes);
    text.map(|text| Value::String(text.to_owned())).map_err(|_| bad(format!("`{shown}` is not text, JSON or an image")))
}

/// The media type of an image.
fn image(bytes: &[u8]) -> Option<&'static str> {
    let webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    match bytes {
        _ if bytes.starts_with(b"\x89PNG\r\n\x1a\n") => Some("image/png"),
        _ if bytes.starts_with(b"\xff\xd8\xff") => Some("image/jpeg"),
        _ if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") => Some("image/gif"),
        _ if webp => Some("image/webp"),
        _ => None,
    }
}

/// The bytes of a file of the step, at most so many.
fn read(attempt: &Attempt, path: &str, most: u64) -> Result<Vec<u8>, BridgeError> {
    let shown = path.escape_debug().to_string();
    let unreadable = |error: io::Error| bad(format!("`{shown}` cannot be read: {error}"));
    let parts: Vec<&str> = path.split('/').collect();
    let plain = parts.iter().all(|part| !matches!(*part, "" | "." | ".."));
    let mut bytes = Vec::new();
    if attempt.contract.io_contract.read_paths.iter().any(|read| covers(read, path)) {
        let artifact = attempt.run.state().artifact(path).map(|(artifact, _)| artifact.sha256);
        let sha256 = artifact.ok_or_else(|| bad(format!("there is no `{shown}`")))?;
        let blob = attempt.run.world.blobs.open(&sha256).map_err(|error| bad(error.to_string()))?;
        blob.take(most + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    } else if plain && matches!(parts.first(), Some(&"work" | &"output")) && parts.len() > 1 {
        let file = attempt.stage.open_output(&parts).map_err(unreadable)?;
        file.take(most + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        return Err(bad(format!(
            "`{shown}` is not a file of this step: name an input, or one under `work/` or `output/`"
        )));
    }
    if bytes.len() as u64 > most {
        return Err(bad(format!("a bundle and its files have at most {LARGEST} bytes together")));
    }
    Ok(bytes)
}
