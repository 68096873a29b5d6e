//! Measures of cells that are text: a delimited table without types gives no numbers to add up.

use super::View;
use crate::lower::cx::Input;
use crate::lower::findings::{Finding, Findings};
use crate::lower::output::Source;
use deed_diag::{codes, quote};
use deed_model::{Kind, Measure, MeasureKind};

/// Bindings lead backwards and never round in a cycle; the bound only keeps the stack small.
const MAX_DEPTH: usize = 64;

/// Checks what an input computes of the rows that a producer gives.
pub(super) fn check(view: View<'_, '_>, input: Input<'_>, source: Source, findings: &mut Findings<'_>) {
    let Some(adapt) = &input.authored.adapt else { return };
    if !is_text(view, source, 0) {
        return;
    }
    let output = view.offers().get(source);
    let entity = view.cx.entity_of(output);
    let untyped = |measure: &Measure| entity.is_none_or(|entity| entity.is_numeric(&measure.field).is_none());
    for (number, measure) in adapt.measures.iter().enumerate().filter(|(_, measure)| untyped(measure)) {
        let (field, file) = (quote(&measure.field), quote(&output.path));
        let at = input.at().key("adapt").key("measures").item(number).key("field");
        let finding = match measure.how {
            MeasureKind::Count => continue,
            MeasureKind::Sum | MeasureKind::Mean => {
                let message = format!("{field} of {file} is text, since no entity gives it a type, and has no sum");
                Finding::error(at, codes::TEXT_MEASURE, message)
            }
            MeasureKind::Min | MeasureKind::Max => {
                let message =
                    format!("{field} of {file} is text, since no entity gives it a type: `10` comes before `9`");
                Finding::warning(at, codes::TEXT_MEASURE, message)
            }
        };
        let help = "name an entity that gives the column a type, or compute it in the code of a step";
        findings.add(finding.related(&output.at, "given here").help(help));
    }
}

/// Returns whether the columns that no entity describes are text: the table is delimited, or adapters made it of one that is.
fn is_text(view: View<'_, '_>, source: Source, depth: usize) -> bool {
    let output = view.offers().get(source);
    if view.cx.catalog.kind(output.kind.as_str()).is_some_and(Kind::is_delimited) {
        return true;
    }
    let Source::Step(step, _) = source else { return false };
    if view.cx.step(step).authored.adapter.is_none() || depth >= MAX_DEPTH {
        return false;
    }
    let mut sources = view.bindings.sources_of(step).peekable();
    sources.peek().is_some() && sources.all(|source| is_text(view, source, depth + 1))
}
