//! The egress rules that a run in learning mode would have needed, and requests that no rule covers.

use deed_model::{CompiledPlan, EgressDecision, EgressRule, EgressVerdict, RunEvent};
use deed_ports::JournalEntry;
use std::collections::{BTreeMap, BTreeSet};

/// The code of a call to a tool that the contract does not have. Such a call is never decided about.
const TOOL_NOT_ALLOWED: &str = "D2050";

/// The egress rules that a run in learning mode would have needed.
#[derive(Debug)]
pub struct LearnedEgress {
    /// The rules.
    pub rules: Vec<EgressRule>,
    /// Requests that no rule covers.
    pub missing: BTreeSet<MissingRule>,
    /// True where no step has a capability to reach a host, so that none can have asked for one.
    pub unequipped: bool,
}

/// A request that no rule covers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingRule {
    /// The step.
    pub step: String,
    /// The request.
    pub request: String,
    /// The reason why no rule covers it.
    pub why: String,
}

/// The capabilities of a step, by its name.
type Needs<'p> = dyn Fn(&str) -> Option<&'p [String]> + 'p;

impl LearnedEgress {
    /// Collects the rules from the events of a run.
    pub fn of(entries: &[JournalEntry], plan: &CompiledPlan) -> Self {
        let needs = |step: &str| {
            let contract = plan.steps.iter().find(|contract| contract.step_id == step)?;
            Some(contract.allowed_tool_ids.as_slice())
        };
        let reaches = |need: &String| need == deed_reach::capability("GET") || need == deed_reach::capability("POST");
        let unequipped = !plan.steps.iter().flat_map(|step| &step.allowed_tool_ids).any(reaches);
        Self { unequipped, ..Self::gathered(entries.iter().map(|entry| &entry.record.event), &needs) }
    }

    fn gathered<'e>(events: impl Iterator<Item = &'e RunEvent>, needs: &Needs<'_>) -> Self {
        let mut decisions: BTreeMap<&str, Vec<EgressDecision>> = BTreeMap::new();
        let mut missing = BTreeSet::new();
        for event in events {
            match event {
                RunEvent::Egress { step, decision } => decisions.entry(step).or_default().push(decision.clone()),
                RunEvent::CallRefused { step, failure } if failure.code == TOOL_NOT_ALLOWED => {
                    // A failure without a subject names no tool, and no list of tools would fix it.
                    let Some(subject) = &failure.subject else { continue };
                    let why = failure.help.as_ref().unwrap_or(&failure.message);
                    missing.insert(MissingRule { step: step.clone(), request: subject.clone(), why: why.clone() });
                }
                _ => {}
            }
        }
        for (step, decisions) in &decisions {
            let left_out = deed_reach::left_out(decisions).into_iter().map(|left| (left.request, left.why.to_owned()));
            let lacking = decisions.iter().filter_map(|decision| lacking(needs(step)?, decision));
            missing.extend(left_out.chain(lacking).map(|(request, why)| MissingRule {
                step: (*step).to_owned(),
                request,
                why,
            }));
        }
        let all: Vec<EgressDecision> = decisions.into_values().flatten().collect();
        Self { rules: deed_reach::suggest(&all), missing, unequipped: false }
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
    fn a_rule_for_a_method_that_the_step_may_not_use_is_reported() {
        let events = [learned("GET"), learned("POST")];
        let (one, both) = (["http.fetch".to_owned()], ["http.fetch".to_owned(), "http.submit".to_owned()]);
        let needs = |step: &str| (step == "ask").then_some(one.as_slice());
        let learned = LearnedEgress::gathered(events.iter(), &needs);
        assert_eq!(learned.rules.len(), 1);
        let missing: Vec<(&str, &str)> = learned.missing.iter().map(|m| (m.request.as_str(), m.why.as_str())).collect();
        let why = "a rule is not enough: list `http.submit` under `tool_needs` too";
        assert_eq!(missing, [("POST https://api.test/pay", why)]);
        let whole = LearnedEgress::gathered(events.iter(), &|_| Some(both.as_slice()));
        assert!(whole.missing.is_empty() && whole.rules.len() == 1);
    }
}
