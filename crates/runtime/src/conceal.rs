//! Secrets in what code printed are taken out before anything is kept.

use deed_detect::SecretScanner;

/// The text without the secrets in it.
pub(crate) fn secrets(text: &str) -> String {
    let scanner = SecretScanner::standard();
    let mut found = scanner.scan(text);
    found.sort_by_key(|finding| finding.range.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for finding in found {
        if finding.range.start < at {
            continue;
        }
        out.push_str(text.get(at..finding.range.start).unwrap_or_default());
        out.push_str("[secret]");
        at = finding.range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}
