//! What a run that only learned would have needed: rules to paste, and what no rule could be made of.

use super::shown::plain;
use deed_model::{CompiledPlan, EgressDecision, EgressRule, EgressVerdict, RunEvent};
use deed_ports::JournalEntry;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The code of a call to a tool that the contract does not have. Such a call is never decided about.
const TOOL_NOT_ALLOWED: &str = "D2050";

/// What would have been needed.
pub(crate) struct Learned {
    rules: Vec<EgressRule>,
    left_out: BTreeSet<Left>,
}

/// A step, what it asked for, and why that is in no rule.
type Left = (String, String, String);

/// What a step may call, by its name.
type Needs<'p> = dyn Fn(&str) -> Option<&'p [String]> + 'p;

impl Learned {
    /// All that the events of a run tell about it.
    pub(crate) fn of(entries: &[JournalEntry], plan: &CompiledPlan) -> Self {
        let needs = |step: &str| {
            let contract = plan.steps.iter().find(|contract| contract.step_id == step)?;
            Some(contract.allowed_tool_ids.as_slice())
        };
        Self::gathered(entries.iter().map(|entry| &entry.record.event), &needs)
    }

    fn gathered<'e>(events: impl Iterator<Item = &'e RunEvent>, needs: &Needs<'_>) -> Self {
        let mut decisions: BTreeMap<&str, Vec<EgressDecision>> = BTreeMap::new();
        let mut left_out = BTreeSet::new();
        for event in events {
            match event {
                RunEvent::Egress { step, decision } => decisions.entry(step).or_default().push(decision.clone()),
                RunEvent::CallRefused { step, failure } if failure.code == TOOL_NOT_ALLOWED => {
                    // What names a tool that there is not can be helped by no list.
                    let Some(subject) = &failure.subject else { continue };
                    let why = failure.help.as_ref().unwrap_or(&failure.message);
                    left_out.insert((step.clone(), subject.clone(), why.clone()));
                }
                _ => {}
            }
        }
        for (step, decisions) in &decisions {
            let told = deed_reach::left_out(decisions).into_iter().map(|left| (left.request, left.why.to_owned()));
            let lacking = decisions.iter().filter_map(|decision| lacking(needs(step)?, decision));
            left_out.extend(told.chain(lacking).map(|(request, why)| ((*step).to_owned(), request, why)));
        }
        let all: Vec<EgressDecision> = decisions.into_values().flatten().collect();
        Self { rules: deed_reach::suggest(&all), left_out }
    }

    /// The rules in YAML, with a comment for each need that is not among them.
    pub(crate) fn text(&self) -> String {
        let mut text = "\n# rules that would have been needed\n".to_owned();
        match self.rules.as_slice() {
            [] => text.push_str("egress: []\n"),
            rules => text.extend(["egress:\n", &deed_reach::yaml(rules)]),
        }
        if !self.left_out.is_empty() {
            text.push_str("# needed beyond these rules:\n");
        }
        for (step, request, why) in &self.left_out {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "# {}", plain(&format!("{step}: {request}: {why}")));
        }
        text
    }

    /// The rules, and what is not among them.
    pub(crate) fn json(&self) -> [(&'static str, Value); 2] {
        let left =
            self.left_out.iter().map(|(step, request, why)| json!({ "step": step, "request": request, "why": why }));
        [("egress", json!(self.rules)), ("egress_left_out", left.collect())]
    }
}

/// A request that a rule can allow, and that the step lacks a capability for all the same.
fn lacking(needs: &[String], decision: &EgressDecision) -> Option<(String, String)> {
    let capability = deed_reach::capability(&decision.method);
    let asked = decision.verdict == EgressVerdict::Learned && decision.path.is_some();
    if !asked || needs.iter().any(|need| need == capability) {
        return None;
    }
    Some((deed_reach::spelled(decision), format!("a rule is not enough: list `{capability}` under `tool_needs` too")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deed_model::{EgressChannel, EgressScheme};

    fn learned(method: &str) -> RunEvent {
        let decision = EgressDecision {
            channel: EgressChannel::Proxy,
            method: method.to_owned(),
            scheme: EgressScheme::Https,
            host: "api.test".to_owned(),
            port: 443,
            path: Some("/pay".to_owned()),
            verdict: EgressVerdict::Learned,
            rule: None,
            address: None,
        };
        RunEvent::Egress { step: "ask".to_owned(), decision }
    }

    /// The proxy decides first and asks for the capability then, so that the rule alone would not do.
    #[test]
    fn a_rule_for_a_method_that_the_step_may_not_use_is_told_of() {
        let events = [learned("GET"), learned("POST")];
        let (one, both) = (["http.fetch".to_owned()], ["http.fetch".to_owned(), "http.submit".to_owned()]);
        let needs = |step: &str| (step == "ask").then_some(one.as_slice());
        let text = Learned::gathered(events.iter(), &needs).text();
        let expected = "\n# rules that would have been needed\negress:\n- host: \"api.test\"\n  paths: [\"/pay\"]\n  \
            methods: [\"GET\", \"POST\"]\n# needed beyond these rules:\n# ask: POST https://api.test/pay: a rule is not \
            enough: list `http.submit` under `tool_needs` too\n";
        assert_eq!(text, expected);
        let whole = Learned::gathered(events.iter(), &|_| Some(both.as_slice()));
        assert!(whole.left_out.is_empty() && whole.rules.len() == 1);
    }
}
