//! The capabilities that a step names.

use crate::lower::cx::{Cx, Step};
use crate::lower::findings::{Finding, Findings};
use deed_diag::{codes, did_you_mean, quote};

/// Capabilities have to be registered; those that this runtime lacks are warned about.
pub(super) fn check(cx: Cx<'_>, step: Step<'_>, findings: &mut Findings<'_>) {
    for (position, tool) in step.authored.tool_needs.iter().enumerate() {
        let at = || step.at().key("tool_needs").item(position);
        match cx.catalog.capability(tool) {
            Some(known) if known.implemented => {}
            Some(_) => {
                let message =
                    format!("nothing in this runtime implements {}; a run of the plan is refused", quote(tool));
                let finding = Finding::warning(at(), codes::CAPABILITY_NOT_IMPLEMENTED, message);
                findings.add(finding.help("`deed catalog list capabilities` marks what is implemented"));
            }
            None => {
                let message = format!("no registry has a capability {}", quote(tool));
                let help = did_you_mean(tool, cx.catalog.capabilities().map(|known| known.capability.as_str()));
                let help = help.unwrap_or_else(|| "`deed catalog list capabilities` shows what there is".to_owned());
                findings.add(Finding::error(at(), codes::UNKNOWN_CAPABILITY, message).help(help));
            }
        }
    }
}
