//! Hashes of what each stage decided.

use super::finding::Findings;
use deed_model::{GoldenExpectation, Stage};
use std::collections::BTreeMap;

pub(super) fn compare(expect: &GoldenExpectation, found: &BTreeMap<Stage, String>, findings: &mut Findings<'_>) {
    for (stage, expected) in &expect.stages {
        if found.get(stage) != Some(expected) {
            let message = format!("the stage `{stage}` decided something else");
            findings.differs(&["stages", stage.as_str()], message, None);
        }
    }
}
