//! Random bytes and broken texts in every format: always an inspection, the same one, and never a panic.

use crate::common::{limited, look};
use deed_model::ArtifactFormat;
use deed_receipts::{InspectLimits, inspect};
use proptest::prelude::*;
use std::io::{Cursor, Read, Seek, SeekFrom};

const FORMATS: [Option<ArtifactFormat>; 11] = [
    None,
    Some(ArtifactFormat::Json),
    Some(ArtifactFormat::Csv),
    Some(ArtifactFormat::Parquet),
    Some(ArtifactFormat::Html),
    Some(ArtifactFormat::Md),
    Some(ArtifactFormat::Txt),
    Some(ArtifactFormat::Pdf),
    Some(ArtifactFormat::Yaml),
    Some(ArtifactFormat::Tsv),
    Some(ArtifactFormat::Other),
];

fn all(bytes: &[u8]) {
    let small = InspectLimits {
        columns: 3,
        cells: 10,
        row_bytes: 100,
        document_bytes: 500,
        distinct: 4,
        unique_rows: 3,
        unique_hashes: 5,
        depth: 4,
        entries: 2,
    };
    for expected in FORMATS {
        look(bytes, expected);
        limited(bytes, expected, &small);
    }
}

/// A reader that gives a few bytes at a time, so that windows end anywhere.
struct Slow<'b>(Cursor<&'b [u8]>, usize);

impl Read for Slow<'_> {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        let most = room.len().min(self.1);
        self.0.read(&mut room[..most])
    }
}

impl Seek for Slow<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        all(&bytes);
    }

    #[test]
    fn random_bytes_behind_a_mark(
        mark in prop::sample::select(vec!["PAR1", "PK\u{3}\u{4}", "PK\u{5}\u{6}", "%PDF-1.", "{", "[{\"a\":", "<html>", "---\n", "a,b\n", "a\tb\n", "\u{feff}"]),
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        end in prop::sample::select(vec!["", "PAR1", "%%EOF", "]", "</html>", "PK\u{5}\u{6}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"]),
    ) {
        let mut all_bytes = mark.as_bytes().to_vec();
        all_bytes.extend_from_slice(&bytes);
        all_bytes.extend_from_slice(end.as_bytes());
        all(&all_bytes);
    }

    #[test]
    fn random_texts(text in r#"[\[\]{}<>/!\-"',:;|#&a-zA-Z0-9 \t\n\r\\=.äß€]{0,200}"#) {
        all(text.as_bytes());
    }

    #[test]
    fn random_markup(parts in prop::collection::vec(prop::sample::select(vec![
        "<p>", "</p>", "<div>", "</div>", "<script>", "</script>", "<!--", "-->", "<br/>", "<title>", "</title>", "x", "<a href=\"", "\">",
        "- ", "a: ", "\n", "  ", "&x ", "*x", "|", ">", "'", "\"", "{", "}", "[", "]", ",", "# ", "```", "TODO", "{FILL|", "---\n",
    ]), 0..60)) {
        all(parts.concat().as_bytes());
    }

    /// The sizes of reads make no difference.
    #[test]
    fn windows_do_not_show(seed in any::<u64>(), step in 1_usize..5_000) {
        let mut text = "id,name,note\n".to_owned();
        for i in 0..60 {
            text.push_str(&format!("{i},\"n {}\",\"{}\"\n", seed.wrapping_mul(i) % 97, "é,\n".repeat((seed % 7) as usize)));
        }
        for bytes in [text.clone(), format!("[{}]", vec![format!("{{\"a\": \"{}é\\u00e9\"}}", seed); 50].join(",\n"))] {
            let whole = inspect(&mut Cursor::new(&bytes), None, &InspectLimits::default()).unwrap();
            let slow = inspect(&mut Slow(Cursor::new(bytes.as_bytes()), step), None, &InspectLimits::default()).unwrap();
            prop_assert_eq!(whole, slow);
        }
    }
}

#[test]
fn errors_of_reading_are_errors() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("gone"))
        }
    }
    impl Seek for Broken {
        fn seek(&mut self, _: SeekFrom) -> std::io::Result<u64> {
            Ok(10_000_000)
        }
    }
    assert!(inspect(&mut Broken, None, &InspectLimits::default()).is_err());
}

/// Large and pointless: each within seconds, even without optimisation.
#[test]
fn large_inputs_of_one_sort_end() {
    for bytes in [
        vec![b'"'; 3 << 20],
        vec![b','; 3 << 20],
        vec![b'\n'; 3 << 20],
        vec![b'\r'; 3 << 20],
        vec![b'<'; 3 << 20],
        vec![0_u8; 3 << 20],
        "<p ".repeat(1 << 20).into_bytes(),
        "</".repeat(1 << 20).into_bytes(),
        "<script></".repeat(200_000).into_bytes(),
        "TODO,".repeat(200_000).into_bytes(),
        "PK\u{5}\u{6}".repeat(200_000).into_bytes(),
    ] {
        for expected in [None, Some(ArtifactFormat::Csv), Some(ArtifactFormat::Html), Some(ArtifactFormat::Json)] {
            inspect(&mut Cursor::new(&bytes), expected, &InspectLimits::default()).unwrap();
        }
    }
}
