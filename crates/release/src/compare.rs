//! Comparison of two versions of a pack, with the objections to the newer one.

use deed_diag::{Diagnostic, Report, Severity};
use deed_pack::{Bundle, Diff, Gate, diff, lint_gates};

/// Compares two versions of a pack. The report has the objections to the newer one.
///
/// # Errors
/// If one of them cannot be read as a pack.
pub fn compare(before: &Bundle, after: &Bundle) -> Result<(Diff, Report), Report> {
    // The table rejects what these two gates find in the newer version. Overlays are compared as changes of their
    // own.
    let gates = lint_gates(after, &[Gate::References, Gate::Risk]).report;
    let in_pack = |d: &&Diagnostic| d.place.as_ref().is_some_and(|p| p.source == after.document.source().name());
    let rejections: Vec<_> = gates
        .diagnostics()
        .iter()
        .filter(|d| d.severity == Severity::Error && !d.code.as_str().starts_with("D10"))
        .filter(in_pack)
        .cloned()
        .collect();
    let diff = diff(before, after, &rejections)?;
    let mut report = before.report();
    report.merge(after.report());
    diff.diagnostics.iter().cloned().for_each(|found| report.push(found));
    Ok((diff, report))
}
