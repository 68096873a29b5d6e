//! Receipts: whatever a file holds, one look at it ends, and a second look finds the same.
#![no_main]

use deed_canon::ContentHash;
use deed_model::ArtifactFormat;
use deed_receipts::{InspectLimits, inspect};
use libfuzzer_sys::fuzz_target;
use std::io::Cursor;

const FORMATS: [Option<ArtifactFormat>; 11] = [
    None,
    Some(ArtifactFormat::Json),
    Some(ArtifactFormat::Csv),
    Some(ArtifactFormat::Tsv),
    Some(ArtifactFormat::Parquet),
    Some(ArtifactFormat::Yaml),
    Some(ArtifactFormat::Html),
    Some(ArtifactFormat::Md),
    Some(ArtifactFormat::Txt),
    Some(ArtifactFormat::Pdf),
    Some(ArtifactFormat::Other),
];

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let expected = FORMATS[usize::from(*first) % FORMATS.len()];
    let look = || inspect(&mut Cursor::new(rest), expected, &InspectLimits::default()).expect("a cursor can be read");
    let found = look();
    assert_eq!(found.sha256, ContentHash::of_bytes(rest));
    assert_eq!(found.bytes, rest.len() as u64);
    assert_eq!(found, look());
});
