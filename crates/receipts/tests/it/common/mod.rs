//! Helpers of the tests: inspecting bytes.

use deed_model::{
    ArtifactFormat, ColumnSummary, ContentSummary, DocumentSummary, Inspection, ParseOutcome, TableSummary,
};
use deed_receipts::{InspectLimits, inspect};
use std::io::Cursor;

/// A look at bytes.
pub(crate) fn look(bytes: impl AsRef<[u8]>, expected: Option<ArtifactFormat>) -> Inspection {
    limited(bytes, expected, &InspectLimits::default())
}

/// A look within limits. Looked at twice, since the same bytes give the same inspection.
pub(crate) fn limited(bytes: impl AsRef<[u8]>, expected: Option<ArtifactFormat>, limits: &InspectLimits) -> Inspection {
    let bytes = bytes.as_ref();
    let found = inspect(&mut Cursor::new(bytes), expected, limits).unwrap();
    let again = inspect(&mut Cursor::new(bytes), expected, limits).unwrap();
    assert_eq!(found, again);
    assert_eq!(found.sha256, deed_canon::ContentHash::of_bytes(bytes));
    assert_eq!(found.bytes, bytes.len() as u64);
    let canonical = deed_canon::to_canonical_of(&found).unwrap();
    assert_eq!(serde_json::from_slice::<Inspection>(&canonical).unwrap(), found);
    found
}

/// Its table.
pub(crate) fn table(found: &Inspection) -> &TableSummary {
    match &found.summary {
        ContentSummary::Table(table) => table,
        other => panic!("no table: {other:?}"),
    }
}

/// Its document.
pub(crate) fn document(found: &Inspection) -> &DocumentSummary {
    match &found.summary {
        ContentSummary::Document(document) => document,
        other => panic!("no document: {other:?}"),
    }
}

/// A column of its table.
pub(crate) fn column<'f>(found: &'f Inspection, name: &str) -> &'f ColumnSummary {
    table(found).columns.iter().find(|column| column.name == name).unwrap_or_else(|| panic!("no column {name}"))
}

/// The line, row, offset and message of a parse failure.
pub(crate) fn failure(found: &Inspection) -> (Option<u64>, Option<u64>, Option<u64>, &str) {
    match &found.parse {
        ParseOutcome::Fails { place, message } => (place.line, place.row, place.offset, message),
        other => panic!("parses: {other:?}"),
    }
}

/// Its keys: the columns of each.
pub(crate) fn keys(found: &Inspection) -> Vec<Vec<&str>> {
    table(found).candidate_keys.iter().map(|key| key.columns.iter().map(String::as_str).collect()).collect()
}
