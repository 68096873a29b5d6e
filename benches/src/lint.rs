//! Lint of large packs: read from JSON text, all eight gates, all findings.

use crate::packs::large;
use crate::table::{Table, median, times};
use deed_pack::{Bundle, PackFiles, SourceFile, lint};
use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;

pub(crate) fn measure(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let small = time(1_000, 500, 9)?;
    let large = time(10_000, 5_000, 5)?;
    let growth = times(large, small);
    let against = format!("1,000 rules and 500 capabilities, {:.1} ms", small.as_secs_f64() * 1e3);
    table.row(
        "lint 10,000 rules and 5,000 capabilities",
        large,
        &against,
        format!("{growth:.1}x"),
        "below 1 s; linear is 10x",
        large < Duration::from_secs(1) && growth < 13.0,
    );
    Ok(())
}

fn time(rules: usize, capabilities: usize, rounds: usize) -> Result<Duration, Box<dyn Error>> {
    let pack = serde_json::to_vec_pretty(&large(rules, capabilities)?)?;
    let files = PackFiles {
        pack: SourceFile { name: "pack.json".to_owned(), bytes: pack },
        overlays: BTreeMap::new(),
        golden: Vec::new(),
    };
    let run = || Bundle::read(&files).map(|bundle| lint(&bundle));
    let first = run().map_err(|report| report.render(deed_diag::Style::Lines))?;
    if !first.passed() {
        return Err(first.report.render(deed_diag::Style::Lines).into());
    }
    Ok(median(rounds, 1, run))
}
