//! Roles of inputs: each is one of the adapter's, and no two inputs have the same.

use crate::lower::cx::{Input, Step};
use crate::lower::findings::{Finding, Findings};
use deed_diag::{codes, did_you_mean, quote};
use deed_model::AdapterDeclaration;
use std::collections::HashMap;

/// Without an adapter a role means nothing.
pub(super) fn check_none(step: Step<'_>, findings: &mut Findings<'_>) {
    for input in step.inputs() {
        if let Some(role) = &input.authored.role {
            let message = format!("an input has the role {}, and the step names no adapter", quote(role));
            let finding = Finding::error(input.at().key("role"), codes::BAD_ROLE, message);
            findings.add(finding.help("remove `role`; code finds its inputs by slot, entity and path"));
        }
    }
}

pub(super) fn check(step: Step<'_>, adapter: &AdapterDeclaration, findings: &mut Findings<'_>) {
    let all: Vec<String> = adapter.roles.iter().map(|role| quote(role)).collect();
    let all = all.join(" and ");
    let mut seen: HashMap<&String, Input<'_>> = HashMap::new();
    for input in step.inputs() {
        let Some(role) = &input.authored.role else { continue };
        let at = input.at().key("role");
        if !adapter.roles.contains(role) {
            let message = format!("{} has no role {}", quote(&adapter.adapter_id), quote(role));
            let help = did_you_mean(role, adapter.roles.iter().map(String::as_str));
            let help = help.unwrap_or_else(|| match all.is_empty() {
                true => "remove `role`: the adapter takes one input".to_owned(),
                false => format!("its roles are {all}"),
            });
            findings.add(Finding::error(at, codes::BAD_ROLE, message).help(help));
        } else if let Some(first) = seen.insert(role, input) {
            let message = format!("two inputs have the role {}", quote(role));
            let finding = Finding::error(at, codes::BAD_ROLE, message);
            let finding = finding.related(&first.at().key("role"), "here first");
            findings.add(finding.help(format!("give each input one of {all}")));
        }
    }
}
