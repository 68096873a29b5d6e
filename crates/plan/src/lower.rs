//! Pass C: a candidate becomes frozen, hashed step contracts, in nine stages.
//!
//! Each stage is a function from the outputs of earlier ones to its own, and reports what it found to one sink. The plan
//! is sealed only if nothing was refused.

mod adapt;
mod bind;
mod candidate;
mod cx;
mod findings;
mod grouped;
mod output;
mod outputs;
mod places;
mod routing;
mod seal;
mod sets;
mod snapshot;
mod validators;
mod wiring;

pub use self::routing::call_arguments;

use self::cx::Cx;
use self::findings::Findings;
use self::seal::Sealed;
use crate::endpoints;
use crate::options::{LowerOptions, insert_gates};
use crate::read::read;
use crate::sources;
use deed_catalog::{Catalog, declared_entities};
use deed_diag::{Document, Report};
use deed_model::{CompiledPlan, StepCode};
use std::collections::{BTreeMap, BTreeSet};

/// The outcome of lowering a plan.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The compiled plan; none if anything was refused.
    pub compiled: Option<CompiledPlan>,
    /// The code of the steps that have theirs, by step id. Contracts name it by its hash.
    pub code: BTreeMap<String, StepCode>,
    /// The steps whose code runs in an isolate, as far as that was decided.
    pub isolated: BTreeSet<String>,
    /// Everything that was found.
    pub report: Report,
}

/// Lowers a plan that has all its code in itself.
pub fn lower(document: &Document, catalog: &Catalog) -> Lowered {
    lower_with(document, catalog, &LowerOptions::default())
}

/// Lowers a plan with code from files, and with the gates of a pack.
pub fn lower_with(document: &Document, catalog: &Catalog, options: &LowerOptions) -> Lowered {
    let (plan, mut found) = read(document);
    let mut report = Report::default();
    report.add_source(routing::concealed_source(document));
    let Some(mut plan) = plan else {
        found.into_iter().for_each(|finding| report.push(finding));
        return Lowered { compiled: None, code: BTreeMap::new(), isolated: BTreeSet::new(), report };
    };
    found.extend(sources::resolve(document, &mut plan, &options.sources));
    found.extend(endpoints::resolve(document, &mut plan, &options.endpoints));
    insert_gates(&mut plan, catalog, &options.gates);
    let declared = declared_entities(catalog, document, "entities");
    found.extend(declared.findings.into_iter().map(|finding| finding.stage("candidate")));
    let own = (!declared.entities.is_empty()).then(|| catalog.with_declared(declared.entities));
    let catalog = own.as_ref().unwrap_or(catalog);
    let extended = grouped::extend(catalog, &plan);
    let cx = Cx { document, catalog: extended.as_ref().unwrap_or(catalog), plan: &plan };
    let mut findings = Findings::new(cx, found);
    let Sealed { compiled, isolated } = stages(cx, &mut findings).unwrap_or_default();
    findings.into_sorted().into_iter().for_each(|finding| report.push(finding));
    let compiled = compiled.filter(|_| !report.has_errors());
    let code = plan.steps.iter().filter_map(|step| Some((step.id.clone(), step.code.clone()?))).collect();
    Lowered { compiled, code, isolated, report }
}

fn stages(cx: Cx<'_>, findings: &mut Findings<'_>) -> Option<Sealed> {
    let candidate = &candidate::validate(cx, findings.stage("candidate"))?;
    let snapshot = &snapshot::resolve(cx, findings.stage("snapshot"));
    let outputs = &outputs::resolve(cx, snapshot, findings.stage("outputs"));
    let inputs = wiring::Inputs { candidate, snapshot, outputs };
    let wiring = &wiring::normalize(cx, inputs, findings.stage("wiring"));
    let inputs = bind::Inputs { candidate, snapshot, outputs, wiring };
    let bindings = &bind::bind(cx, inputs, findings.stage("bind"));
    let adapters = &adapt::insert(cx, adapt::Inputs { candidate, snapshot, bindings }, findings.stage("adapt"));
    sets::check(cx, &wiring.writers, bindings, findings.stage("sets"));
    let inputs = routing::Inputs { candidate, snapshot, wiring, bindings, adapters };
    let routes = &routing::choose(cx, inputs, findings.stage("routing"));
    let inputs = validators::Inputs { snapshot, outputs, wiring, bindings, adapters };
    let validators = &validators::compute(cx, inputs, findings.stage("validators"));
    let inputs = seal::Inputs { candidate, snapshot, outputs, wiring, bindings, adapters, routes, validators };
    Some(seal::seal(cx, inputs, findings.stage("seal")))
}
