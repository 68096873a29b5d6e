//! Egress rules of steps.

use crate::lower::cx::{Cx, Step};
use crate::lower::findings::{At, Finding, Findings};
use deed_diag::{Document, Source, codes, did_you_mean, quote};
use deed_model::EgressRule;
use deed_reach::{Rules, is_token, secret_name, special};
use serde_json::Value;
use std::net::IpAddr;

/// Capabilities that need egress.
const OUTWARD: [&str; 2] = ["http.fetch", "http.submit"];

/// Methods as HTTP has them; those that change something need the capability for it.
const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"];

/// Methods that change nothing.
const READING: [&str; 4] = ["GET", "HEAD", "OPTIONS", "QUERY"];

pub(super) fn check(cx: Cx<'_>, step: Step<'_>, findings: &mut Findings<'_>) {
    let at = step.at().key("egress");
    // The runtime refuses the same rules at submit, by the same reader.
    if let Err(faults) = Rules::read(step.authored.egress.clone()) {
        for fault in faults {
            let finding =
                Finding::error(field_of(&at, fault.index, &fault.field.to_string()), codes::BAD_EGRESS, fault.message);
            findings.add(finding.help("`deed explain D1974` shows how a rule is written"));
        }
    }
    for (position, rule) in step.authored.egress.iter().enumerate() {
        if Rules::read(vec![rule.clone()]).is_ok() {
            check_address(&at.item(position), rule, findings);
            check_methods(step, &at.item(position), rule, findings);
            check_empty(cx, step, position, findings);
        }
    }
    check_capability(step, findings);
}

/// The place of a field of a rule, which may lie deeper: `credential/secret`.
fn field_of(at: &At, index: usize, field: &str) -> At {
    field.split('/').fold(at.item(index), |at, key| at.key(key))
}

/// Egress and the capabilities that use it belong together.
fn check_capability(step: Step<'_>, findings: &mut Findings<'_>) {
    let outward = step.authored.tool_needs.iter().any(|tool| OUTWARD.contains(&tool.as_str()));
    match (outward, step.authored.egress.is_empty()) {
        (true, true) => {
            let message = "it may fetch, and no host is allowed";
            let finding = Finding::warning(step.at().key("tool_needs"), codes::UNUSABLE_EGRESS, message);
            findings.add(finding.help("list hosts under `egress`; `deed run --learn-egress` says which are needed"));
        }
        (false, false) => {
            let message = "it may reach hosts, and names no capability for it";
            let finding = Finding::error(step.at().key("egress"), codes::BAD_EGRESS, message);
            findings
                .add(finding.help("list `http.fetch` under `tool_needs`; `http.submit` for what changes something"));
        }
        (true, false) => check_submits(step, findings),
        (false, true) => {}
    }
}

/// A step that may change something needs a rule that lets such a request out.
fn check_submits(step: Step<'_>, findings: &mut Findings<'_>) {
    let needs = &step.authored.tool_needs;
    let Some(position) = needs.iter().position(|tool| tool == "http.submit") else { return };
    let mut methods = step.authored.egress.iter().flat_map(|rule| &rule.methods);
    if !methods.any(|method| !READING.contains(&method.as_str())) {
        let message = "it may change something at a host, and no rule allows a method that does";
        let finding = Finding::warning(step.at().key("tool_needs").item(position), codes::UNUSABLE_EGRESS, message);
        findings.add(finding.help("list the method, such as `methods: [POST]`, or take `http.submit` out"));
    }
}

/// A list that is written and empty means the default, and looks as if it meant nothing at all.
fn check_empty(cx: Cx<'_>, step: Step<'_>, rule: usize, findings: &mut Findings<'_>) {
    for (field, meaning) in [("methods", "`GET` and `HEAD` are allowed"), ("paths", "all paths are allowed")] {
        let pointer = format!("/steps/{}/egress/{rule}/{field}", step.index.position());
        let written = cx.document.value().pointer(&pointer).and_then(Value::as_array);
        if written.is_some_and(Vec::is_empty) {
            let at = step.at().key("egress").item(rule).key(field);
            let message = format!("the list is empty, which is as if it were left out: {meaning}");
            let finding = Finding::warning(at, codes::UNUSABLE_EGRESS, message);
            findings.add(finding.help(format!("list what is allowed, or remove `{field}`")));
        }
    }
}

/// An address that no rule reaches, or only one that says so.
fn check_address(at: &At, rule: &EgressRule, findings: &mut Findings<'_>) {
    let host = rule.host.trim_start_matches('[').trim_end_matches(']');
    let Some(kind) = host.parse::<IpAddr>().ok().and_then(special) else { return };
    let (message, help) = match (kind.may_be_listed(), rule.private_addresses) {
        (true, true) => return,
        (true, false) => (
            format!("{} is a private or special address, which the rule does not open", quote(&rule.host)),
            "write `private_addresses: true`, or name a public host",
        ),
        (false, _) => {
            (format!("{} is an address that no rule opens", quote(&rule.host)), "name a host that can be reached")
        }
    };
    findings.add(Finding::warning(at.key("host"), codes::UNUSABLE_EGRESS, message).help(help));
}

fn check_methods(step: Step<'_>, at: &At, rule: &EgressRule, findings: &mut Findings<'_>) {
    let submits = step.authored.tool_needs.iter().any(|tool| tool == "http.submit");
    for (number, method) in rule.methods.iter().enumerate() {
        let at = at.key("methods").item(number);
        if let Some(help) = did_you_mean(method, METHODS).filter(|_| !METHODS.contains(&method.as_str())) {
            let message = format!("{} is not a method of HTTP", quote(method));
            findings.add(Finding::warning(at, codes::UNUSABLE_EGRESS, message).help(help));
            continue;
        }
        if !READING.contains(&method.as_str()) && !submits {
            let message =
                format!("{} is allowed, and the step does not name `http.submit`; it would be refused", quote(method));
            let finding = Finding::warning(at, codes::UNUSABLE_EGRESS, message);
            findings.add(finding.help("list `http.submit` under `tool_needs`, or remove the method"));
        }
    }
}

/// The source of a plan, with credentials concealed that are not names: an author may have written the secret itself, and
/// no message and no excerpt of any check may show it.
pub(in crate::lower) fn concealed_source(document: &Document) -> Source {
    let mut source = document.source().clone();
    for (step, value) in items(document.value(), "steps") {
        for (rule, value) in items(value, "egress") {
            for field in ["secret", "header", "format"] {
                let text = value.pointer(&format!("/credential/{field}")).and_then(Value::as_str);
                if let Some(text) = text.filter(|text| !belongs(field, text)) {
                    let (node, _) = document.tree().nearest(&format!("/steps/{step}/egress/{rule}/credential/{field}"));
                    source.conceal(node.span);
                    source.conceal_text(text.to_owned());
                }
            }
        }
    }
    source
}

/// Returns whether a text can be the value of a field of a credential.
fn belongs(field: &str, text: &str) -> bool {
    match field {
        "secret" => secret_name(text).is_some(),
        "header" => is_token(text.as_bytes()),
        _ => text.contains("{}"),
    }
}

fn items<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = (usize, &'v Value)> {
    value.get(key).and_then(Value::as_array).into_iter().flatten().enumerate()
}
