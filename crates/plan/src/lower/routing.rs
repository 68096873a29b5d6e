//! C7, routing: what sort of step each is, where it runs, and who has to approve before it does.

use super::state::{Lowering, Source, Told};
use crate::codes::{LOOP_OVER_NOTHING, NO_BACKEND, NO_GATE, UNKNOWN_CAPABILITY, UNREADABLE};
use crate::path::WorkPath;
use deed_diag::{did_you_mean, quote};
use deed_model::{AbstractInput, Backend, KindShape, PlanStep, Routing, is_set};
use std::collections::BTreeSet;

/// Code for the isolate has to be small.
const LARGEST_ISOLATE: usize = 64 * 1024;
const LANGUAGES: [&str; 3] = ["javascript", "python", "shell"];

pub(super) fn choose(lowering: &mut Lowering<'_>) {
    lowering.stage = "routing";
    for index in 0..lowering.steps.len() {
        let Some(step) = lowering.plan.steps.get(index) else { continue };
        let routing = route(lowering, index, step);
        if let Some(known) = lowering.steps.get_mut(index) {
            known.routing = routing;
        }
        gated(lowering, index, step);
        approved(lowering, index, step);
        items(lowering, index, step);
    }
}

/// The steps that run in an isolate.
pub(super) fn isolated(lowering: &Lowering<'_>) -> BTreeSet<String> {
    let steps = lowering.steps.iter();
    let routed = steps.filter(|step| step.routing.as_ref().is_some_and(|known| known.backend == Backend::EdgeIsolate));
    routed.map(|step| step.authored.id.clone()).collect()
}

fn route(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep) -> Option<Routing> {
    let routing =
        |backend: Backend, needs_model: bool, why: &str| Some(Routing { backend, needs_model, why: why.to_owned() });
    if step.adapter.is_some() {
        return routing(Backend::Native, false, "a registered adapter does it");
    }
    if let Some(code) = &step.code {
        let language = code.language.to_lowercase();
        if !LANGUAGES.contains(&language.as_str()) {
            let message = format!("no backend runs {}", quote(&code.language));
            let help =
                did_you_mean(&language, LANGUAGES).unwrap_or_else(|| format!("there are {}", LANGUAGES.join(", ")));
            lowering.tell(Told::error(index, NO_BACKEND, "/code/language", message).help(help));
            return None;
        }
        // An isolate returns its outputs by name, and knows no names that it was not given.
        let named = !step.expected_outputs.iter().any(|expected| is_set(&expected.path));
        let alone = named && step.tool_needs.is_empty() && step.side_effects.is_empty() && step.for_each.is_none();
        if language == "javascript" && alone && code.source.len() <= LARGEST_ISOLATE {
            return routing(Backend::EdgeIsolate, false, "small JavaScript that calls nothing");
        }
        return routing(Backend::SandboxSession, false, "code that is written already");
    }
    let tools = step.tool_needs.iter().any(|tool| !tool.starts_with("sandbox."));
    let sandbox = step.tool_needs.iter().any(|tool| tool.starts_with("sandbox."));
    if tools && !sandbox && step.for_each.is_none() {
        return routing(Backend::ToolLoop, true, "a model calls the tools it needs, and writes no code");
    }
    routing(Backend::SandboxSession, true, "a model writes the code")
}

/// An approval of an effect has to come after what the effect sends was made.
fn approved(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep) {
    let external = |tool: &String| lowering.catalog.capability(tool).is_some_and(|known| known.external);
    let acts = !step.side_effects.is_empty() || step.tool_needs.iter().any(external);
    if !acts || step.waits_for.is_empty() {
        return;
    }
    let plan = lowering.plan;
    let unknown_gate = step.waits_for.iter().any(|id| !plan.gates.iter().any(|gate| gate.id == *id));
    let awaited = plan.gates.iter().filter(|gate| step.waits_for.contains(&gate.id));
    let mut awaited = awaited.flat_map(|gate| &gate.after);
    if unknown_gate || awaited.any(|id| !lowering.by_id.contains_key(id.as_str())) {
        // A misspelt name is told where it stands; what it was meant to be is not known.
        return;
    }
    let asked: Vec<usize> = plan
        .gates
        .iter()
        .filter(|gate| step.waits_for.contains(&gate.id))
        .flat_map(|gate| gate.after.iter())
        .filter_map(|id| lowering.by_id.get(id.as_str()).copied())
        .collect();
    let bound: Vec<usize> = lowering
        .steps
        .get(index)
        .into_iter()
        .flat_map(|step| step.bound.iter().flatten())
        .filter_map(|bound| match bound.source {
            Source::Step(producer, _) => Some(producer),
            Source::Mission(_) => None,
        })
        .collect();
    let read = lowering.steps.get(index).map(|step| step.reads.clone()).unwrap_or_default();
    let by_path = read.iter().filter_map(|path| match lowering.writers.get(&WorkPath::read_any(path).ok()?.folded) {
        Some((Source::Step(writer, _), _)) => Some(*writer),
        _ => None,
    });
    let producers: BTreeSet<usize> = bound.into_iter().chain(by_path).collect();
    for producer in producers {
        let seen = asked.contains(&producer) || asked.iter().any(|after| lowering.comes_before(producer, *after));
        if !seen {
            let name = lowering.steps.get(producer).map_or("", |step| step.authored.id.as_str()).to_owned();
            let message = format!("it is approved before step {} has made what it sends", quote(&name));
            let told = Told::error(index, NO_GATE, "/waits_for", message);
            lowering.tell(told.help(format!("add `{name}` to `after` of the gate")));
        }
    }
}

/// What reaches beyond the workspace waits for a person, where the policy asks for it.
fn gated(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep) {
    if !lowering.rules(index).effects_need_gate || !step.waits_for.is_empty() {
        return;
    }
    let reaching =
        step.tool_needs.iter().find(|tool| lowering.catalog.capability(tool).is_some_and(|known| known.external));
    let (at, what) = match (step.side_effects.first(), reaching) {
        (Some(effect), _) => ("/side_effects", format!("{} of {}", quote(&effect.action), quote(&effect.target))),
        (None, Some(tool)) => ("/tool_needs", quote(tool)),
        (None, None) => return,
    };
    let message = format!("{what} reaches beyond the workspace, and the policy asks for an approval first");
    let help = "declare a gate under `gates` of the plan, and name it under `waits_for` of the step";
    lowering.tell(Told::error(index, NO_GATE, at, message).help(help));
}

/// A list that is worked through has to be an input that is a list.
fn items(lowering: &mut Lowering<'_>, index: usize, step: &PlanStep) {
    let Some(each) = &step.for_each else { return };
    let meant = |input: &AbstractInput| {
        input.slot == each.slot && each.entity_schema_id.as_ref().is_none_or(|entity| *entity == input.entity_schema_id)
    };
    if step.abstract_inputs.iter().filter(|input| meant(input)).count() > 1 {
        let message = format!("it works through {}, and several of its inputs are that", quote(&each.slot));
        let told = Told::error(index, LOOP_OVER_NOTHING, "/for_each/slot", message);
        lowering.tell(told.help("name the one that is meant by its `entity_schema_id`"));
        return;
    }
    let governed = step.tool_needs.iter().any(|tool| !tool.starts_with("sandbox."));
    if each.calls_per_item > 0 && !governed {
        let message = "its items make governed calls, and it names no capability for them";
        let told = Told::error(index, UNKNOWN_CAPABILITY, "/for_each/calls_per_item", message);
        lowering.tell(told.help("list it under `tool_needs`, such as `operator.artifact.evaluate`"));
    }
    let Some(position) = step.abstract_inputs.iter().position(meant) else {
        let message = format!("it works through {}, which is no input of it", quote(&each.slot));
        let help = did_you_mean(&each.slot, step.abstract_inputs.iter().map(|input| input.slot.as_str()));
        let told = Told::error(index, LOOP_OVER_NOTHING, "/for_each/slot", message);
        lowering.tell(told.help(help.unwrap_or_else(|| "name the slot of one of its inputs".to_owned())));
        return;
    };
    let read = lowering.steps.get(index).and_then(|step| step.read_from.get(position)).cloned().flatten();
    let Some((_, kind)) = read else {
        let input = step.abstract_inputs.get(position);
        if input.is_some_and(|input| !input.required) {
            let message = format!("it works through {}, which nothing gives", quote(&each.slot));
            let told = Told::error(index, LOOP_OVER_NOTHING, "/for_each/slot", message);
            lowering.tell(told.help("make the input required, so that its producer is looked for"));
        }
        return;
    };
    let shape = lowering.catalog.kind(kind.as_str()).map(|kind| kind.shape);
    if !matches!(shape, Some(KindShape::Rows | KindShape::Manifest)) {
        let message = format!("it works through {}, which is no list", quote(kind.as_str()));
        lowering
            .tell(Told::error(index, UNREADABLE, "/for_each/slot", message).help("take it as rows or as a manifest"));
    }
}
