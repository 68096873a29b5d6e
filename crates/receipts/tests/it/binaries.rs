//! Archives, PDF, Parquet, and bytes that are nothing known.

use crate::common::{column, failure, keys, look, table};
use deed_model::{
    Agreement, ArtifactFormat, ColumnType, ContentSummary, Coverage, DetectedFormat, Inspection, Nullability,
    ParseOutcome, PdfSummary, Protection, ZipSummary,
};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::io::{Cursor, Write};
use std::sync::Arc;
use zip::write::SimpleFileOptions;

fn zip_of(names: &[&str]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in names {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(&[b'x'; 1_000]).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn zip_summary(found: &Inspection) -> &ZipSummary {
    match &found.summary {
        ContentSummary::Zip(zip) => zip,
        other => panic!("{other:?}"),
    }
}

#[test]
fn archives_are_read_by_their_directory() {
    let found = look(zip_of(&["a.txt", "b/c.txt", "../up"]), Some(ArtifactFormat::Other));
    assert_eq!(
        (found.detected, found.agrees, &found.parse),
        (DetectedFormat::Zip, Agreement::NotAsked, &ParseOutcome::Parses)
    );
    let zip = zip_summary(&found);
    assert_eq!((zip.entries, zip.unpacked_bytes, zip.unsafe_names, zip.encrypted), (3, 3_000, 1, 0));
    assert_eq!((zip.unsafe_examples.as_slice(), zip.coverage), (["../up".to_owned()].as_slice(), Coverage::Complete));
    assert!(zip.packed_bytes < 300);
    assert_eq!(zip_summary(&look(zip_of(&[]), None)).entries, 0);
}

#[test]
fn damaged_archives_do_not_parse() {
    let whole = zip_of(&["a.txt", "b.txt"]);
    for end in 4..whole.len() {
        let found = look(&whole[..end], None);
        assert!(matches!(found.parse, ParseOutcome::Fails { .. }), "{end}: {:?}", found.parse);
    }
    for at in 0..whole.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            look(&bytes, None);
        }
    }
    let trailed = look([whole.as_slice(), b"trail"].concat(), None);
    assert_eq!(failure(&trailed).3, "the archive has no directory at its end");
    let mut encrypted = whole.clone();
    let entry = encrypted.windows(4).position(|mark| mark == b"PK\x01\x02").unwrap();
    encrypted[entry + 8] |= 1;
    assert_eq!(zip_summary(&look(&encrypted, None)).encrypted, 1);
}

fn pdf_summary(found: &Inspection) -> &PdfSummary {
    match &found.summary {
        ContentSummary::Pdf(pdf) => pdf,
        other => panic!("{other:?}"),
    }
}

#[test]
fn pdf_shows_its_pages() {
    let body = "1 0 obj <</Type /Pages /Count 2>> endobj 2 0 obj <</Type/Page>> endobj 3 0 obj <</Type /Page /Parent 1 0 R>> endobj\n";
    let pdf = format!("%PDF-1.7\n{body}{}trailer <</Root 1 0 R>>\nstartxref\n9\n%%EOF\n", "x".repeat(600_000));
    let found = look(&pdf, Some(ArtifactFormat::Pdf));
    assert_eq!(
        (found.detected, found.agrees, &found.parse),
        (DetectedFormat::Pdf, Agreement::Yes, &ParseOutcome::Parses)
    );
    let expected = PdfSummary {
        version: Some("1.7".to_owned()),
        coverage: Coverage::Complete,
        pages: Some(2),
        protection: Protection::Open,
    };
    assert_eq!(pdf_summary(&found), &expected);
    let cut = look(&pdf.as_bytes()[..pdf.len() - 30], Some(ArtifactFormat::Pdf));
    assert_eq!(failure(&cut).3, "the PDF does not end: `%%EOF` is missing");
    let locked = pdf.replace("/Root 1 0 R", "/Root 1 0 R /Encrypt 9 0 R");
    assert_eq!(pdf_summary(&look(&locked, None)).protection, Protection::Encrypted);
    let packed = pdf.replace("/Count 2", "/Count 2 /Type /ObjStm");
    assert_eq!(pdf_summary(&look(&packed, None)).pages, None);
}

/// Every page is counted once, wherever the windows end.
#[test]
fn pages_across_windows_are_counted_once() {
    let filler = "y".repeat(997);
    let body: String = (0..2_000).map(|i| format!("{i} 0 obj <</Type /Page>> endobj {filler}\n")).collect();
    let found = look(format!("%PDF-1.4\n{body}\nstartxref\n9\n%%EOF"), None);
    assert_eq!(pdf_summary(&found).pages, Some(2_000));
}

fn parquet_of(rows: i64, groups: i64) -> Vec<u8> {
    let schema = "message m { required int64 id; optional binary name (STRING); required int32 day (DATE); }";
    let mut bytes = Vec::new();
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
    for of in 0..groups {
        let mut group = writer.next_row_group().unwrap();
        let ids: Vec<i64> = (0..rows).map(|i| i + of * rows).collect();
        let names: Vec<ByteArray> =
            (0..rows).filter(|i| i % 3 > 0).map(|i| format!("n{}", i % 50).as_str().into()).collect();
        let levels: Vec<i16> = (0..rows).map(|i| i16::from(i % 3 > 0)).collect();
        let days: Vec<i32> = (0..rows).map(|i| 19_000 + (i % 7) as i32).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&ids, None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&names, Some(&levels), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int32Type>().write_batch(&days, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

#[test]
fn parquet_rows_are_read() {
    let found = look(parquet_of(3_000, 2), Some(ArtifactFormat::Parquet));
    assert_eq!(
        (found.detected, found.agrees, &found.parse),
        (DetectedFormat::Parquet, Agreement::Yes, &ParseOutcome::Parses)
    );
    assert_eq!((table(&found).rows, table(&found).coverage), (6_000, Coverage::Complete));
    assert_eq!(keys(&found), [["id"]]);
    assert_eq!(column(&found, "id").inferred, ColumnType::Integer);
    assert_eq!(column(&found, "day").inferred, ColumnType::Date);
    assert_eq!((column(&found, "name").missing, column(&found, "name").distinct.unwrap().count), (2_000, 50));
}

#[test]
fn parquet_that_is_too_large_is_summed_up_by_its_footer() {
    let found = look(parquet_of(4_000_000, 1), Some(ArtifactFormat::Parquet));
    assert!(
        matches!(&found.parse, ParseOutcome::NotChecked { reason } if reason == "a row group has more than 12582912 bytes"),
        "{:?}",
        found.parse
    );
    assert_eq!((table(&found).rows, table(&found).coverage), (4_000_000, Coverage::Declared));
    assert_eq!(column(&found, "day").inferred, ColumnType::Date);
    assert_eq!(column(&found, "name").missing, 1_333_334);
    assert_eq!(column(&found, "id").nullability, Nullability::NeverNull);
}

#[test]
fn lying_and_cut_footers_are_refused() {
    let whole = parquet_of(100, 1);
    for end in 4..whole.len() {
        let found = look(&whole[..end], Some(ArtifactFormat::Parquet));
        assert!(!matches!(found.parse, ParseOutcome::Parses), "{end}");
    }
    let footer =
        whole.len() - 8 - u32::from_le_bytes(whole[whole.len() - 8..whole.len() - 4].try_into().unwrap()) as usize;
    for at in footer..whole.len() {
        for value in [0, 1, 0x7f, 0xff, whole[at].wrapping_add(2)] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            look(&bytes, None);
        }
    }
    // The rows that the file states, or those of its row group: 100, of which one is said to be missing.
    let count = whole[footer..].windows(3).position(|bytes| bytes == [0x16, 0xc8, 0x01]).unwrap();
    let mut bytes = whole.clone();
    bytes[footer + count + 1] = 0xc6;
    assert_eq!(failure(&look(&bytes, None)).3, "the row groups do not have the rows that the file states");
    for length in [0_u32, 1, 7, u32::MAX, 1 << 31] {
        let mut bytes = whole.clone();
        let end = bytes.len();
        bytes[end - 8..end - 4].copy_from_slice(&length.to_le_bytes());
        assert!(!matches!(look(&bytes, None).parse, ParseOutcome::Parses));
    }
}

#[test]
fn damaged_pages_are_no_rows() {
    let whole = parquet_of(200, 1);
    for at in (4..whole.len() - 400).step_by(3) {
        for value in [0, 0x7f, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            look(&bytes, None);
        }
    }
}

#[test]
fn unknown_bytes_are_hashed_and_left_alone() {
    let found = look([0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0], Some(ArtifactFormat::Json));
    assert_eq!((found.detected, found.summary), (DetectedFormat::Binary, ContentSummary::Opaque));
    assert!(matches!(look([0_u8; 100], None).parse, ParseOutcome::NotChecked { .. }));
}
