//! The default pack, which is part of the binary.

use deed_diag::{Document, Format, Invariant as _};
use deed_model::{FrozenPack, PackSource};
use std::collections::BTreeMap;

/// The reference of the default pack.
pub(crate) const DEFAULT_PACK: &str = "deed.default@1.0.0";

const TEXT: &str = include_str!("../../../packs/default/pack.yaml");

/// Returns the default pack, for profiles that pin none.
pub fn builtin_pack() -> FrozenPack {
    let document = Document::read("deed.default", TEXT.as_bytes(), Format::Yaml);
    let document = document.ok().invariant("the default pack is a document, which a test reads");
    FrozenPack {
        document: document.value().clone(),
        overlays: BTreeMap::new(),
        selected: Vec::new(),
        source: PackSource::default(),
    }
}
