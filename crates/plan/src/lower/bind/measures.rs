//! Measures of cells that are text: a delimited table without types gives no numbers to add up.

use crate::codes::TEXT_MEASURE;
use crate::lower::state::{Lowering, Output, Source, Told};
use deed_catalog::Entity;
use deed_diag::quote;
use deed_model::{Kind, Measure, MeasureKind};

/// Checks what an input computes of the rows that a producer gives.
pub(super) fn check(lowering: &mut Lowering<'_>, index: usize, position: usize, source: Source) {
    let plan = lowering.plan;
    let input = plan.steps.get(index).and_then(|step| step.abstract_inputs.get(position));
    let Some(adapt) = input.and_then(|input| input.adapt.as_ref()) else { return };
    let Some(output) = lowering.output(source).cloned() else { return };
    if !is_text(lowering, source, 0) {
        return;
    }
    let untyped = |measure: &Measure| {
        let entity = entity_of(lowering, &output);
        entity.is_none_or(|entity| entity.is_numeric(&measure.field).is_none())
    };
    let wrong: Vec<(usize, &Measure)> =
        adapt.measures.iter().enumerate().filter(|(_, measure)| untyped(measure)).collect();
    for (number, measure) in wrong {
        let (field, file) = (quote(&measure.field), quote(&output.path));
        let at = format!("/abstract_inputs/{position}/adapt/measures/{number}/field");
        let told = match measure.how {
            MeasureKind::Count => continue,
            MeasureKind::Sum | MeasureKind::Mean => {
                let message = format!("{field} of {file} is text, since no entity gives it a type, and has no sum");
                Told::error(index, TEXT_MEASURE, at, message)
            }
            MeasureKind::Min | MeasureKind::Max => {
                let message =
                    format!("{field} of {file} is text, since no entity gives it a type: `10` comes before `9`");
                Told::warning(index, TEXT_MEASURE, at, message)
            }
        };
        let help = "name an entity that gives the column a type, or compute it in the code of a step";
        lowering.tell(told.related(output.at.clone(), "given here").help(help));
    }
}

fn entity_of<'l>(lowering: &'l Lowering<'_>, output: &'l Output) -> Option<&'l Entity> {
    output.derived.as_deref().or_else(|| lowering.catalog.entity(output.entity.as_str()))
}

/// Whether the columns that no entity describes are text: the table is delimited, or adapters made it of one that is.
fn is_text(lowering: &Lowering<'_>, source: Source, depth: usize) -> bool {
    let Some(output) = lowering.output(source) else { return false };
    if lowering.catalog.kind(output.kind.as_str()).is_some_and(Kind::is_delimited) {
        return true;
    }
    let Source::Step(step, _) = source else { return false };
    let Some(step) = lowering.steps.get(step).filter(|step| step.authored.adapter.is_some()) else { return false };
    // Bindings lead backwards, and never round in a circle; the bound only keeps the stack small.
    let bound: Vec<Source> = step.bound.iter().flatten().map(|bound| bound.source).collect();
    depth < 64 && !bound.is_empty() && bound.into_iter().all(|source| is_text(lowering, source, depth + 1))
}
