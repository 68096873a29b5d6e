//! Gate 3, paths: every pattern can match a file of a run, and every rule can be reached.

use crate::document::PackFile;
use crate::pattern::covers_pattern;
use deed_diag::{Diagnostic, codes, quote};
use deed_model::ValidationPack;

/// The beginnings of the paths of a run. Files of the plan stand under `plan/`.
const ROOTS: [&str; 4] = ["input/", "work/", "output/", "plan/"];

pub(super) fn check(file: &PackFile, pack: &ValidationPack) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (index, rule) in pack.rules.iter().enumerate() {
        let place = || file.place(&format!("/rules/{index}/artifact_path"));
        if let Some(why) = matches_nothing(&rule.artifact_path) {
            let message = format!("{} matches no file of a run: {why}", quote(&rule.artifact_path));
            let help = "files stand under `input/`, `work/`, `output/` and `plan/`; `*` stands for any characters";
            findings.push(Diagnostic::error(codes::PATTERN_MATCHES_NOTHING, message).at(place()).help(help));
        }
        let earlier = pack.rules.iter().take(index);
        if let Some(wider) = earlier.into_iter().find(|wider| covers_pattern(&wider.artifact_path, &rule.artifact_path))
        {
            let message =
                format!("the rule {} is never reached: {} stands before it", quote(&rule.id), quote(&wider.id));
            let help = "the first rule whose path matches judges: put the narrower one first";
            findings.push(Diagnostic::error(codes::RULE_NEVER_REACHED, message).at(place()).help(help));
        }
    }
    findings
}

/// Returns the reason why a pattern can match no path of a run.
pub fn matches_nothing(pattern: &str) -> Option<&'static str> {
    let literal = pattern.split('*').next().unwrap_or_default();
    let begins = ROOTS.iter().any(|root| root.starts_with(literal) || literal.starts_with(root));
    let parts: Vec<&str> = pattern.split('/').collect();
    match pattern {
        _ if pattern.starts_with('/') => Some("paths are relative"),
        _ if pattern.contains('\\') => Some("folders are separated by `/`"),
        _ if pattern.chars().any(char::is_control) => Some("paths have no control characters"),
        _ if parts.iter().any(|part| matches!(*part, ".." | "." | "")) => {
            Some("no part of a path is empty, `.` or `..`")
        }
        _ if !begins => Some("no file of a run begins like that"),
        _ if !pattern.contains('*') && !pattern.contains('/') => Some("it names a folder and no file"),
        _ => None,
    }
}
