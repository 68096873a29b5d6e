//! The generated JSON Schemas of Deed's documents and of what its commands print, as part of the program.
//!
//! They are the files under `schemas/`, compressed by the build script. Describing a type takes code for each of its
//! fields, which a release would carry for schemas that never change in it.
//!
//! ```
//! let plan = deed_contracts::documents().into_iter().find(|(name, _)| name == "plan.v1.schema.json");
//! assert!(plan.is_some());
//! ```

use deed_diag::Invariant;
use flate2::read::ZlibDecoder;
use serde_json::{Map, Value};

const DOCUMENTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/documents"));
const COMMANDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/commands"));

/// Returns the schemas of all documents by the name of their file, such as `plan.v1.schema.json`.
pub fn documents() -> Map<String, Value> {
    unpacked(DOCUMENTS)
}

/// Returns the schemas of what commands print with `--json` by the name of their file, such as `runs-show.schema.json`.
pub fn commands() -> Map<String, Value> {
    unpacked(COMMANDS)
}

fn unpacked(archive: &[u8]) -> Map<String, Value> {
    serde_json::from_reader(ZlibDecoder::new(archive)).invariant("the build script wrote the archive")
}
