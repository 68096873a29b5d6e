//! The pack loader and all gates: nothing panics, nothing hangs.
#![no_main]

use deed_diag::Style;
use deed_pack::{Bundle, PackFiles, SourceFile, lint};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;

fuzz_target!(|data: &[u8]| {
    // The first byte chooses the format, so that mutations of one seed reach both readers.
    let Some((first, rest)) = data.split_first() else { return };
    let name = if first % 2 == 0 { "pack.yaml" } else { "pack.json" };
    let file = |name: &str, bytes: &[u8]| SourceFile { name: name.to_owned(), bytes: bytes.to_vec() };
    // What follows a line of dashes is an overlay.
    let cut = rest.windows(5).position(|w| w == b"\n===\n");
    let (pack, overlay) = cut.map_or((rest, None), |i| (&rest[..i], rest.get(i + 5..)));
    let overlays: BTreeMap<String, SourceFile> =
        overlay.map(|bytes| ("staging".to_owned(), file("overlays/staging.yaml", bytes))).into_iter().collect();
    match Bundle::read(&PackFiles { pack: file(name, pack), overlays, golden: Vec::new() }) {
        Ok(bundle) => {
            let report = lint(&bundle).report;
            report.render(Style::Plain);
            report.to_json();
        }
        Err(report) => {
            report.render(Style::Lines);
        }
    }
});
