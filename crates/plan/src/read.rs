//! A plan's document becomes a plan, and all that its schema does not allow becomes findings.

use crate::codes::NOT_READ;
use deed_diag::{Diagnostic, Document};
use deed_model::{Plan, schema_for};
use deed_schema::Shape;
use serde::Deserialize as _;
use std::sync::OnceLock;

/// Reads a plan. Findings do not keep it from being read if it can be: an unknown key is no reason to say nothing else.
pub fn read(document: &Document) -> (Option<Plan>, Vec<Diagnostic>) {
    static SHAPE: OnceLock<Shape> = OnceLock::new();
    let shape = SHAPE.get_or_init(|| Shape::new(schema_for::<Plan>()));
    let mut findings: Vec<Diagnostic> =
        shape.findings(document).into_iter().map(|finding| finding.stage("candidate")).collect();
    match Plan::deserialize(document.value()) {
        Ok(plan) => (Some(plan), findings),
        Err(error) => {
            if findings.is_empty() {
                let finding = Diagnostic::error(NOT_READ, format!("it cannot be read as a plan: {error}"));
                findings.push(finding.stage("candidate").at(document.place("")));
            }
            (None, findings)
        }
    }
}
