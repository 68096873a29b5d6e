//! Steps that name an adapter: their inputs and their output are those of the adapter.

use super::{Inputs, roles};
use crate::lower::cx::{Cx, Step};
use crate::lower::findings::{At, Finding, Findings};
use crate::lower::places::in_order;
use deed_diag::{codes, did_you_mean, quote};
use deed_model::{AdapterDeclaration, KindKey};

/// Checks a step that names an adapter.
pub(super) fn check(cx: Cx<'_>, inputs: Inputs<'_>, step: Step<'_>, id: &str, findings: &mut Findings<'_>) {
    let Some(adapter) = cx.catalog.adapter(id) else {
        let message = format!("no adapter is called {}", quote(id));
        let help = did_you_mean(id, cx.catalog.adapters().map(|adapter| adapter.adapter_id.as_str()));
        let help = help.unwrap_or_else(|| "`deed catalog list adapters` shows what there is".to_owned());
        findings.add(Finding::error(step.at().key("adapter"), codes::UNKNOWN_NAMED_ADAPTER, message).help(help));
        return;
    };
    roles::check(step, adapter, findings);
    let from: Vec<String> = adapter.from.iter().map(kind_name).collect();
    let help = format!("{} makes {} of {}", quote(id), kind_name(&adapter.to), from.join(" and "));
    let faults = [
        number_of_inputs(step, adapter),
        each_input(step, adapter),
        same_entity(inputs, step, adapter),
        nothing_else(step),
        joins(step, adapter),
        output(inputs, step, adapter),
    ];
    for (at, message) in faults.into_iter().flatten() {
        findings.add(Finding::error(at, codes::ADAPTER_MISFIT, message).help(help.clone()));
    }
    let keys = |input: &deed_model::AbstractInput| input.adapt.as_ref().is_some_and(|adapt| !adapt.keys.is_empty());
    if adapter.needs_keys && !step.authored.abstract_inputs.iter().any(keys) {
        let message = format!("{} needs keys", quote(id));
        let finding = Finding::error(step.at().key("abstract_inputs"), codes::ADAPTER_NEEDS_KEYS, message);
        findings.add(finding.help("name them under `adapt: { keys: [...] }` of the input"));
    }
}

/// Places with what is wrong there.
type Faults = Vec<(At, String)>;

fn kind_name(kind: &KindKey) -> String {
    quote(kind.as_str())
}

fn number_of_inputs(step: Step<'_>, adapter: &AdapterDeclaration) -> Faults {
    let (takes, has) = (adapter.from.len(), step.authored.abstract_inputs.len());
    let fault = (takes != has).then(|| {
        let message = format!("{} takes {takes} inputs, and the step has {has}", quote(&adapter.adapter_id));
        (step.at().key("abstract_inputs"), message)
    });
    fault.into_iter().collect()
}

fn each_input(step: Step<'_>, adapter: &AdapterDeclaration) -> Faults {
    let mut faults = Vec::new();
    let id = quote(&adapter.adapter_id);
    for ((position, input), kind) in in_order(step.authored, adapter).into_iter().zip(&adapter.from) {
        let at = step.at().key("abstract_inputs").item(position);
        if !input.required {
            let message = format!("{id} cannot run without this input, and it is optional");
            faults.push((at.key("required"), message));
        }
        if !input.accepted_kind_keys.is_empty() && input.accepted_kind_keys != [kind.as_str()] {
            faults.push((at.key("accepted_kind_keys"), format!("{id} takes {} here", kind_name(kind))));
        }
    }
    faults
}

fn same_entity(inputs: Inputs<'_>, step: Step<'_>, adapter: &AdapterDeclaration) -> Faults {
    let taken = inputs.snapshot.needs(step.index).first().and_then(Option::as_ref).map(|need| &need.entity);
    let made = inputs.bindings.offers.of_step(step.index).first().map(|output| &output.entity);
    let single = step.authored.abstract_inputs.len() == 1 && step.authored.abstract_outputs.len() == 1;
    match (taken, made) {
        (Some(taken), Some(made)) if single && taken != made && !adapter.needs_keys => {
            let message = "an adapter changes the form and not what it means; the two entities have to be the same";
            vec![(step.at().key("abstract_outputs").item(0).key("entity_schema_id"), message.to_owned())]
        }
        _ => Vec::new(),
    }
}

fn nothing_else(step: Step<'_>) -> Faults {
    let mut faults = Vec::new();
    if !step.authored.side_effects.is_empty() || !step.authored.tool_needs.is_empty() {
        let message = "an adapter calls no tools and does nothing beyond the workspace";
        faults.push((step.at().key("adapter"), message.to_owned()));
    }
    if step.authored.code.is_some() {
        faults.push((step.at().key("code"), "a step has code or an adapter, and not both".to_owned()));
    }
    faults
}

fn joins(step: Step<'_>, adapter: &AdapterDeclaration) -> Faults {
    let [first, second, ..] = step.authored.abstract_inputs.as_slice() else { return Vec::new() };
    let mut faults = Vec::new();
    if second.adapt.is_some() && first.adapt.is_some() && second.adapt != first.adapt {
        let at = step.at().key("abstract_inputs").item(1).key("adapt");
        faults.push((at, "both sides are joined by the same keys".to_owned()));
    }
    for input in step.inputs() {
        if input.authored.adapt.as_ref().is_some_and(|adapt| !adapt.measures.is_empty()) {
            let message = format!("{} computes no measures", quote(&adapter.adapter_id));
            faults.push((input.at().key("adapt").key("measures"), message));
        }
    }
    faults
}

fn output(inputs: Inputs<'_>, step: Step<'_>, adapter: &AdapterDeclaration) -> Faults {
    let outputs = inputs.bindings.offers.of_step(step.index);
    if step.authored.abstract_outputs.len() == 1 && outputs.iter().all(|output| output.kind == adapter.to) {
        return Vec::new();
    }
    let message = format!("{} gives {} and nothing else", quote(&adapter.adapter_id), kind_name(&adapter.to));
    vec![(step.at().key("abstract_outputs"), message)]
}
