//! Pass C: a candidate becomes frozen, hashed step contracts, in nine steps. Each leaves what it found out in the
//! [`Lowering`] and everything it has to complain about in the findings; the plan is sealed only if nothing was refused.

mod adapt;
mod bind;
mod candidate;
mod cells;
mod grouped;
mod outputs;
mod reach;
mod routing;
mod seal;
mod sets;
mod snapshot;
mod state;
mod validators;
mod wiring;

use state::Lowering;

use crate::besides::{self, Besides};
use crate::read::read;
use crate::sources;
use deed_catalog::Catalog;
use deed_diag::{Document, Report};
use deed_model::{CompiledPlan, StepCode};
use std::collections::{BTreeMap, BTreeSet};

/// What came of lowering a plan.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The compiled plan; none if anything was refused.
    pub compiled: Option<CompiledPlan>,
    /// The code of the steps that have theirs, by their names: what the contracts name by its hash.
    pub code: BTreeMap<String, StepCode>,
    /// The steps whose code runs in an isolate, as far as that was decided.
    pub isolated: BTreeSet<String>,
    /// All that was found.
    pub report: Report,
}

/// Lowers a plan that has all its code in itself.
pub fn lower(document: &Document, catalog: &Catalog) -> Lowered {
    lower_with(document, catalog, &Besides::default())
}

/// Lowers a plan with what lies beside it.
pub fn lower_with(document: &Document, catalog: &Catalog, given: &Besides) -> Lowered {
    let (plan, mut findings) = read(document);
    let mut report = Report::default();
    report.add_source(reach::source(document));
    let Some(plan) = plan else {
        findings.into_iter().for_each(|finding| report.push(finding));
        return Lowered { compiled: None, code: BTreeMap::new(), isolated: BTreeSet::new(), report };
    };
    let mut plan = plan;
    findings.extend(sources::resolve(document, &mut plan, &given.sources));
    besides::insert(&mut plan, catalog, &given.gates);
    let extended = grouped::extend(catalog, &plan);
    let mut lowering = Lowering::new(document, extended.as_ref().unwrap_or(catalog), &plan, findings);
    if candidate::validate(&mut lowering) {
        snapshot::resolve(&mut lowering);
        outputs::resolve(&mut lowering);
        wiring::normalize(&mut lowering);
        bind::bind(&mut lowering);
        cells::check(&mut lowering);
        adapt::insert(&mut lowering);
        sets::check(&mut lowering);
        routing::choose(&mut lowering);
        reach::check(&mut lowering);
        validators::compute(&mut lowering);
    }
    let isolated = routing::isolated(&lowering);
    let compiled = seal::seal(&mut lowering);
    lowering.sorted_findings().into_iter().for_each(|finding| report.push(finding));
    let compiled = compiled.filter(|_| !report.has_errors());
    let code = plan.steps.iter().filter_map(|step| Some((step.id.clone(), step.code.clone()?))).collect();
    Lowered { compiled, code, isolated, report }
}
