//! The report in the formats that pipelines read.

mod junit;
mod sarif;

pub use junit::junit;
pub use sarif::sarif;

use deed_diag::Invariant as _;
use serde_json::Value;

/// Returns the findings of a report as JSON. An empty list would read as a report without findings.
fn findings(shown: &Value) -> &[Value] {
    shown.as_array().invariant("a report is a list of findings")
}

/// Returns a text that every finding has.
fn text<'f>(finding: &'f Value, key: &str) -> &'f str {
    finding.get(key).and_then(Value::as_str).invariant("a finding has a code, a severity, a stage and a message")
}
