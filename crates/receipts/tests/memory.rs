//! Inspecting an artifact takes less than 100 MB, whatever the artifact is.
//!
//! A program of its own with one test: the counting allocator is global, and any other test would be counted too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use deed_model::{ArtifactFormat, ContentSummary};
use deed_receipts::{InspectLimits, ReadSeek, inspect};
use peak_alloc::PeakAlloc;
use std::io::{Cursor, Read, Seek, SeekFrom};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MOST: usize = 100_000_000;

/// Text that is made line by line as it is read, and takes no memory itself.
struct Made<F> {
    line: F,
    lines: u64,
    next: u64,
    rest: Vec<u8>,
}

impl<F: Fn(u64) -> String> Made<F> {
    fn new(lines: u64, line: F) -> Self {
        Self { line, lines, next: 0, rest: Vec::new() }
    }
}

impl<F: Fn(u64) -> String> Read for Made<F> {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() && self.next < self.lines {
            self.rest = (self.line)(self.next).into_bytes();
            self.next += 1;
        }
        let read = room.len().min(self.rest.len());
        room[..read].copy_from_slice(&self.rest[..read]);
        self.rest.drain(..read);
        Ok(read)
    }
}

impl<F> Seek for Made<F> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        if to == SeekFrom::Start(0) {
            (self.next, self.rest) = (0, Vec::new());
        }
        Ok(100_000_000)
    }
}

fn scattered(i: u64) -> u64 {
    i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
}

fn check(name: &str, input: &mut dyn ReadSeek, expected: Option<ArtifactFormat>) -> ContentSummary {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let found = inspect(input, expected, &InspectLimits::default()).unwrap();
    let peak = MEMORY.peak_usage() - before;
    eprintln!("{name}: {} bytes, peak {peak}, {:?}", found.bytes, found.parse);
    assert!(peak < MOST, "{name} held {peak} bytes");
    found.summary
}

#[test]
fn hostile_tables_and_documents_stay_within_the_bound() {
    let csv = Some(ArtifactFormat::Csv);
    let json = Some(ArtifactFormat::Json);
    let header = |columns: u64| (0..columns).map(|c| format!("c{c}")).collect::<Vec<_>>().join(",");
    let row = |columns: u64, i: u64| {
        (0..columns).map(|c| scattered(i * columns + c).to_string()).collect::<Vec<_>>().join(",")
    };
    let made = |columns: u64| move |i: u64| if i == 0 { header(columns) + "\n" } else { row(columns, i) + "\n" };
    for (columns, rows) in [(2_000, 1_600), (192, 10_500), (3, 150_000)] {
        let summary = check(&format!("{columns} columns"), &mut Made::new(rows, made(columns)), csv);
        let ContentSummary::Table(table) = summary else { panic!("{summary:?}") };
        assert_eq!((table.rows, table.column_count), (rows - 1, columns));
    }
    let wide = |i: u64| if i == 0 { header(150_000) + "\n" } else { row(150_000, i) + "\n" };
    check("150000 columns", &mut Made::new(5, wide), csv);
    let keys =
        |i: u64| format!("{}{{\"k{}\": \"{}\"}}", if i == 0 { '[' } else { ',' }, scattered(i), scattered(i + 7));
    check("rows with keys of their own", &mut Made::new(250_000, keys), json);
    let mut long = Cursor::new(format!("a,b\n1,\"{}", "x".repeat(40 << 20)));
    check("one long cell", &mut long, csv);
    let mut deep = Cursor::new(format!("{{\"a\":\"{}\"}}", "x".repeat(40 << 20)));
    check("one long string", &mut deep, json);
    let mut line = Cursor::new("TODO ".repeat(8 << 20));
    check("one long line", &mut line, Some(ArtifactFormat::Txt));
    let mut brackets = Cursor::new("- [".repeat(2 << 20));
    check("yaml of brackets", &mut brackets, Some(ArtifactFormat::Yaml));
    let mut page = Cursor::new("<p a=b>".repeat(1 << 20));
    check("page of paragraphs", &mut page, Some(ArtifactFormat::Html));
    let many: String = (0..700_000).map(|i| format!("k{i:06}: 1\n")).collect();
    check("yaml of keys", &mut Cursor::new(many), Some(ArtifactFormat::Yaml));
    let mut list = Cursor::new("a: b\n- c\n".repeat(800_000));
    check("yaml of lists", &mut list, Some(ArtifactFormat::Yaml));
}
