//! Calls of tools, each decided with its arguments.

use super::super::observe::Observation;
use super::finding::Findings;
use deed_diag::quote;
use deed_model::GoldenExpectation;

pub(super) fn compare(expect: &GoldenExpectation, seen: &Observation<'_, '_>, findings: &mut Findings<'_>) {
    for (at, call) in expect.calls.iter().enumerate() {
        let path = ["calls", &at.to_string(), "expect"];
        let (tool, expected) = (quote(&call.tool), call.expect.as_str());
        match seen.verdict(call) {
            Some(found) if found == call.expect => {}
            Some(found) => {
                let message = format!("expected the call of {tool} to get `{expected}` and found `{}`", found.as_str());
                findings.differs(&path, message, None);
            }
            None => findings.differs(&path, format!("the call of {tool} cannot be decided"), None),
        }
    }
}
