//! What inputs ask of the provenance of their rows, held against what gives them.

use crate::codes::NO_PROVENANCE;
use crate::lower::state::{Lowering, NeedSpec, Output, Source, Told};
use deed_diag::quote;
use deed_model::{KindShape, ProvenanceDemand};

/// What an input asks of provenance, its producer has to have. What the mission is given is its own source.
pub(super) fn asks_provenance(
    lowering: &mut Lowering<'_>,
    index: usize,
    at: &str,
    need: &NeedSpec,
    source: Source,
    output: &Output,
    grouped: bool,
) {
    let rows = lowering.catalog.kind(output.kind.as_str()).is_some_and(|kind| kind.shape == KindShape::Rows);
    let Source::Step(producer, _) = source else {
        asks_mission(lowering, index, at, output, rows);
        return;
    };
    let said = lowering.rules(producer).provenance == ProvenanceDemand::Required;
    let arrives = output.provenance.iter().any(|field| !grouped || need.keys.iter().any(|keys| keys.contains(field)));
    if !rows || (said && !grouped) || arrives || need.provenance == ProvenanceDemand::None {
        return;
    }
    let who = lowering.who(source);
    let message = format!(
        "{} has to say where each row came from, and what {who} gives has no field for it",
        quote(&output.slot)
    );
    let told = match need.provenance {
        ProvenanceDemand::Required => Told::error(index, NO_PROVENANCE, format!("{at}/provenance_policy"), message),
        ProvenanceDemand::Preferred | ProvenanceDemand::None => {
            Told::warning(index, NO_PROVENANCE, at.to_owned(), message)
        }
    };
    let help = "name the fields under `provenance_fields` of the output, or give an entity that has `source_ids`";
    lowering.tell(told.related(output.at.clone(), "given here").help(help));
}

/// What the mission is given is its own source, unless the input itself asks for provenance.
fn asks_mission(lowering: &mut Lowering<'_>, index: usize, at: &str, output: &Output, rows: bool) {
    let position = at.rsplit('/').next().and_then(|number| number.parse::<usize>().ok());
    let step = lowering.plan.steps.get(index);
    let input = position.and_then(|position| step.and_then(|step| step.abstract_inputs.get(position)));
    let asked = input.is_some_and(|input| input.provenance_policy == ProvenanceDemand::Required);
    let entity = lowering.catalog.entity(output.entity.as_str());
    let says = |field: &String| output.fields.is_empty() || output.fields.contains(field);
    let has = entity.is_some_and(|entity| entity.provenance_fields().iter().any(says));
    if asked && rows && !has {
        let message = format!(
            "{} has to say where each row came from, and what the mission is given has no field for it",
            quote(&output.slot)
        );
        let told = Told::error(index, NO_PROVENANCE, format!("{at}/provenance_policy"), message);
        let help = "give an entity that has `source_ids`, or do not ask for it here";
        lowering.tell(told.related(output.at.clone(), "given here").help(help));
    }
}
