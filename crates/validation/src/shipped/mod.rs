//! The validation packs that ship in the binary.

use crate::document::PackFile;
use deed_diag::Invariant as _;
use std::sync::LazyLock;

static SHIPPED: LazyLock<[PackFile; 8]> = LazyLock::new(|| {
    [
        embedded("ingestion", include_str!("ingestion.yaml")),
        embedded("planner", include_str!("planner.yaml")),
        embedded("compiled", include_str!("compiled.yaml")),
        embedded("step-input", include_str!("step-input.yaml")),
        embedded("step-output", include_str!("step-output.yaml")),
        embedded("json-schema", include_str!("json-schema.yaml")),
        embedded("html-report", include_str!("html-report.yaml")),
        embedded("final", include_str!("final.yaml")),
    ]
});

fn embedded(name: &str, text: &str) -> PackFile {
    let name = format!("shipped:{name}.yaml");
    PackFile::read(&name, text.as_bytes()).ok().invariant("a shipped validation pack is a document")
}

/// Returns the validation packs that ship in the binary.
pub fn shipped_packs() -> &'static [PackFile] {
    SHIPPED.as_slice()
}

/// Returns a shipped pack by its reference.
///
/// ```
/// assert!(deed_validation::shipped_pack("valpack.operator.json-schema@v1").is_some());
/// assert!(deed_validation::shipped_pack("valpack.operator.json-schema@v9").is_none());
/// ```
pub fn shipped_pack(pack_ref: &str) -> Option<&'static PackFile> {
    shipped_packs().iter().find(|file| file.pack().is_some_and(|pack| pack.pack_ref == pack_ref))
}
