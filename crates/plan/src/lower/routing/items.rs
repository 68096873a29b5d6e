//! Loops: the list that a step works through has to be one of its inputs, and a list.

use super::Inputs;
use crate::lower::cx::{Cx, Input, Step};
use crate::lower::findings::{Finding, Findings};
use deed_diag::{codes, did_you_mean, quote};
use deed_model::{ItemLoop, KindShape};

pub(super) fn check(cx: Cx<'_>, inputs: Inputs<'_>, step: Step<'_>, findings: &mut Findings<'_>) {
    let Some(each) = &step.authored.for_each else { return };
    let slot = quote(&each.slot);
    let at = step.at().key("for_each").key("slot");
    let nothing = |message: String| Finding::error(at.clone(), codes::LOOP_OVER_NOTHING, message);
    let mut meant = step.inputs().filter(|input| is_meant(each, *input));
    let (first, second) = (meant.next(), meant.next());
    if second.is_some() {
        let finding = nothing(format!("it works through {slot}, and several of its inputs are that"));
        findings.add(finding.help("name the one that is meant by its `entity_schema_id`"));
        return;
    }
    check_calls(step, each, findings);
    let Some(input) = first else {
        let finding = nothing(format!("it works through {slot}, which is not one of its inputs"));
        let help = did_you_mean(&each.slot, step.authored.abstract_inputs.iter().map(|input| input.slot.as_str()));
        findings.add(finding.help(help.unwrap_or_else(|| "name the slot of one of its inputs".to_owned())));
        return;
    };
    let read = inputs.adapters.of_step(step.index).get(input.position);
    let Some(arrival) = read.and_then(|read| read.arrival.as_ref()) else {
        if !input.authored.required {
            let finding = nothing(format!("it works through {slot}, which nothing gives"));
            findings.add(finding.help("make the input required, so that its producer is looked for"));
        }
        return;
    };
    let shape = cx.catalog.kind(arrival.kind.as_str()).map(|kind| kind.shape);
    if !matches!(shape, Some(KindShape::Rows | KindShape::Manifest)) {
        let message = format!("it works through {}, which is not a list", quote(arrival.kind.as_str()));
        let finding = Finding::error(at, codes::INPUT_NOT_READABLE_THIS_WAY, message);
        findings.add(finding.help("take it as rows or as a manifest"));
    }
}

fn is_meant(each: &ItemLoop, input: Input<'_>) -> bool {
    let entity = &input.authored.entity_schema_id;
    input.authored.slot == each.slot && each.entity_schema_id.as_ref().is_none_or(|wanted| wanted == entity)
}

/// Items that make governed calls need a capability for them.
fn check_calls(step: Step<'_>, each: &ItemLoop, findings: &mut Findings<'_>) {
    let governed = step.authored.tool_needs.iter().any(|tool| !tool.starts_with("sandbox."));
    if each.calls_per_item > 0 && !governed {
        let message = "its items make governed calls, and it names no capability for them";
        let at = step.at().key("for_each").key("calls_per_item");
        let finding = Finding::error(at, codes::UNKNOWN_CAPABILITY, message);
        findings.add(finding.help("list it under `tool_needs`, such as `operator.artifact.evaluate`"));
    }
}
