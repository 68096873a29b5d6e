//! Columns of named adapters: what an adapter gives has the columns and the grain of what it takes, or those that it
//! groups by.

use super::{View, columns, measures};
use crate::lower::cx::Step;
use crate::lower::findings::{Finding, Findings};
use crate::lower::grouped::is_grouping;
use crate::lower::output::{Output, Source};
use crate::lower::places::in_order;
use deed_diag::{codes, quote};
use deed_model::AdapterDeclaration;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The columns and the grain that an adapter gives; empty where they are not known.
pub(super) struct InheritedColumns {
    fields: Arc<BTreeSet<String>>,
    grain: Arc<BTreeSet<String>>,
}

/// Checks the columns of a step that names an adapter, and returns those that its outputs inherit.
pub(super) fn columns(view: View<'_, '_>, step: Step<'_>, findings: &mut Findings<'_>) -> Option<InheritedColumns> {
    let adapter = view.cx.catalog.adapter(step.authored.adapter.as_deref()?)?;
    let bound = view.bindings.of_step(step.index);
    let inputs = in_order(step.authored, adapter).into_iter().filter_map(|(position, _)| bound.get(position));
    let inputs: Vec<_> = inputs.filter_map(|input| Some((input.input, input.bound.as_ref()?.source))).collect();
    let sources: Vec<Source> = inputs.iter().map(|(_, source)| *source).collect();
    columns::check(view, step, adapter, &sources, findings);
    if let (true, [(input, source)]) = (is_grouping(adapter), inputs.as_slice()) {
        measures::check(view, *input, *source, findings);
    }
    let taken: Vec<&Output> = sources.iter().map(|source| view.offers().get(*source)).collect();
    let inherited = of_taken(step, adapter, &taken)?;
    for output in view.offers().of_step(step.index) {
        inherited.check(step, output, findings);
    }
    Some(inherited)
}

fn of_taken(step: Step<'_>, adapter: &AdapterDeclaration, taken: &[&Output]) -> Option<InheritedColumns> {
    let adapt = step.authored.abstract_inputs.iter().find_map(|input| input.adapt.as_ref());
    match (taken, adapter.needs_keys, adapt) {
        ([only], false, _) => {
            Some(InheritedColumns { fields: Arc::clone(&only.fields), grain: Arc::clone(&only.grain) })
        }
        ([_], true, Some(adapt)) => {
            let grain: BTreeSet<String> = adapt.keys.iter().cloned().collect();
            let measures = adapt.measures.iter().map(|measure| measure.name.clone());
            let fields = grain.iter().cloned().chain(measures).collect();
            Some(InheritedColumns { fields: Arc::new(fields), grain: Arc::new(grain) })
        }
        ([first, second], true, _) if !first.fields.is_empty() && !second.fields.is_empty() => Some(InheritedColumns {
            fields: Arc::new(first.fields.union(&second.fields).cloned().collect()),
            grain: Arc::clone(&first.grain),
        }),
        _ => None,
    }
}

impl InheritedColumns {
    /// The plan must not declare columns or a grain that the adapter does not give.
    fn check(&self, step: Step<'_>, output: &Output, findings: &mut Findings<'_>) {
        let authored = step.authored.abstract_outputs.get(output.position);
        let invented = output.fields.iter().any(|field| !self.fields.contains(field));
        let declares_grain = authored.is_some_and(|authored| !authored.grain.is_empty());
        let part = if !self.fields.is_empty() && invented {
            "fields"
        } else if !self.grain.is_empty() && output.grain != self.grain && declares_grain {
            "grain"
        } else {
            return;
        };
        let given: Vec<String> = self.fields.iter().map(|field| quote(field)).collect();
        let message = format!("an adapter makes up no {part}; it gives {}", given.join(", "));
        let finding = Finding::error(output.at.key(part), codes::ADAPTER_MISFIT, message);
        findings.add(finding.help("take out what it does not give"));
    }

    /// Gives the outputs of the adapter the columns and the grain that they inherit.
    pub(super) fn pass_on(&self, outputs: &mut [Output]) {
        for output in outputs {
            if output.fields.is_empty() {
                output.fields = Arc::clone(&self.fields);
            }
            if !self.grain.is_empty() {
                output.grain = Arc::clone(&self.grain);
            }
        }
    }
}
