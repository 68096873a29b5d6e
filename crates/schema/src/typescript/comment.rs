//! Descriptions as comments.

use super::expression::indented;
use std::fmt::Write as _;

/// Returns a description as a comment on lines of its own, or nothing.
pub(super) fn comment(description: Option<&str>, depth: usize) -> String {
    let Some(description) = description.map(str::trim).filter(|text| !text.is_empty()) else { return String::new() };
    // The end of a comment inside one would end it.
    let text = description.replace("*/", "*\\/");
    let lines: Vec<&str> = text.lines().collect();
    let indent = indented(depth);
    let mut out = String::new();
    match lines.as_slice() {
        [line] => {
            let _ = writeln!(out, "{indent}/** {line} */");
        }
        lines => {
            let _ = writeln!(out, "{indent}/**");
            for line in lines {
                let _ = writeln!(out, "{}", format!("{indent} * {line}").trim_end());
            }
            let _ = writeln!(out, "{indent} */");
        }
    }
    out
}
