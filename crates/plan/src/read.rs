//! A plan's document becomes a plan, and all that its schema does not allow becomes findings.

use deed_diag::{Diagnostic, Document, codes};
use deed_model::{Plan, schema_for};
use deed_schema::Shape;
use serde::Deserialize as _;
use std::sync::OnceLock;

/// Reads a plan. It is read despite findings if it can be, so that an unknown key does not hide everything else.
pub fn read(document: &Document) -> (Option<Plan>, Vec<Diagnostic>) {
    static SHAPE: OnceLock<Shape> = OnceLock::new();
    let shape = SHAPE.get_or_init(|| Shape::new(schema_for::<Plan>()));
    let mut findings: Vec<Diagnostic> =
        shape.findings(document).into_iter().map(|finding| finding.stage("candidate")).collect();
    match Plan::deserialize(document.value()) {
        Ok(plan) => (Some(plan), findings),
        Err(error) => {
            if findings.is_empty() {
                let finding =
                    Diagnostic::error(codes::PLAN_UNREADABLE, format!("it cannot be read as a plan: {error}"));
                findings.push(finding.stage("candidate").at(document.place("")));
            }
            (None, findings)
        }
    }
}
