//! The checklist of a release over the support pack with all its golden cases, compared with itself as the base.

use crate::table::{Table, median, times};
use deed_context::{GoldenRunner, Hydrations};
use deed_pack::{Bundle, Gate, PackFiles, SourceFile, lint_with};
use deed_release::{CiAcceptance, CiInput, CiReport, Readiness, Release, Trial, checklist, compare, regressions};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) fn measure(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let files = support()?;
    let report = run(&files)?;
    if !report.passed {
        return Err("the support pack does not pass its checklist".into());
    }
    let took = median(5, 1, || run(&files).map(|report| report.passed).unwrap_or_default());
    // The least that any checklist does: read the files, run the validation gates and compile the golden cases once.
    let floor = median(5, 1, || Bundle::read(&files).map(|bundle| lint_with(&bundle, &Gate::ALL, &GoldenRunner)));
    let ratio = times(took, floor);
    let against = format!("its lint with golden cases, {:.1} ms", floor.as_secs_f64() * 1e3);
    let within = took <= Duration::from_secs(1);
    table.row("checklist of the support pack", took, &against, format!("{ratio:.1}x"), "at most 1 s", within);
    Ok(())
}

fn run(files: &PackFiles) -> Result<CiReport, Box<dyn Error>> {
    let failed = |report: deed_diag::Report| report.render(deed_diag::Style::Lines);
    let (bundle, base) = (Bundle::read(files).map_err(failed)?, Bundle::read(files).map_err(failed)?);
    let release = Release::of((&bundle, &[]), Some((&base, &[]))).ok_or("the support pack is not a pack")?;
    let cache = Hydrations::new();
    let began = Instant::now();
    let stopwatch = || began.elapsed();
    let mut trial = Trial::new(&release, &cache, &stopwatch);
    let golden = trial.golden().map_err(failed)?;
    let result = trial.finish(golden);
    let diff = compare(&base, &bundle).map_err(failed)?;
    let found = regressions(&release, &result, Some(&diff.0))?;
    Ok(checklist(CiInput {
        candidate: &bundle,
        release: Some(&release),
        no_base: None,
        trial: Some(Ok(result)),
        regressions: found,
        accepted: BTreeSet::new(),
        acceptance: CiAcceptance::default(),
        // The same version is no new release.
        diff: None,
        readiness: Readiness::NotChecked { why: "no registry is measured".to_owned() },
    }))
}

/// The files of the support pack.
fn support() -> Result<PackFiles, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../packs/support");
    let read = |path: &Path| -> Result<SourceFile, Box<dyn Error>> {
        Ok(SourceFile { name: path.display().to_string(), bytes: std::fs::read(path)? })
    };
    let list = |name: &str| -> Result<Vec<PathBuf>, Box<dyn Error>> {
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder.join(name))? {
            paths.push(entry?.path());
        }
        paths.sort();
        Ok(paths)
    };
    let mut overlays = BTreeMap::new();
    for path in list("overlays")? {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        overlays.insert(stem, read(&path)?);
    }
    let golden = list("golden")?.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
    Ok(PackFiles { pack: read(&folder.join("pack.yaml"))?, overlays, golden })
}
