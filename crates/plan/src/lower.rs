//! Pass C: a candidate becomes frozen, hashed step contracts, in nine steps. Each leaves what it found out in the
//! [`Lowering`] and everything it has to complain about in the findings; the plan is sealed only if nothing was refused.

mod adapt;
mod bind;
mod candidate;
mod outputs;
mod routing;
mod seal;
mod snapshot;
mod state;
mod validators;
mod wiring;

use state::Lowering;

use crate::read::read;
use deed_catalog::Catalog;
use deed_diag::{Document, Report};
use deed_model::CompiledPlan;

/// What came of lowering a plan.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The compiled plan; none if anything was refused.
    pub compiled: Option<CompiledPlan>,
    /// All that was found.
    pub report: Report,
}

/// Lowers a plan.
pub fn lower(document: &Document, catalog: &Catalog) -> Lowered {
    let (plan, findings) = read(document);
    let mut report = Report::default();
    report.add_source(document.source().clone());
    let Some(plan) = plan else {
        findings.into_iter().for_each(|finding| report.push(finding));
        return Lowered { compiled: None, report };
    };
    let mut lowering = Lowering::new(document, catalog, &plan, findings);
    if candidate::validate(&mut lowering) {
        snapshot::resolve(&mut lowering);
        outputs::resolve(&mut lowering);
        wiring::normalize(&mut lowering);
        bind::bind(&mut lowering);
        adapt::insert(&mut lowering);
        routing::choose(&mut lowering);
        validators::compute(&mut lowering);
    }
    let compiled = seal::seal(&mut lowering);
    lowering.sorted_findings().into_iter().for_each(|finding| report.push(finding));
    let compiled = compiled.filter(|_| !report.has_errors());
    Lowered { compiled, report }
}
