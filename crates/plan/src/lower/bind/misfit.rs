//! Diagnoses of misfits, one file each: why the nearest producer does not fit, and the cheapest fix.

mod adapters_barred;
mod entity;
mod fields;
mod generic;
mod grain;
mod kind;
mod profile;
mod slot;

use super::View;
use crate::lower::cx::Input;
use crate::lower::findings::{Finding, Findings};
use crate::lower::output::{Output, Source};
use crate::lower::snapshot::InputNeed;
use deed_catalog::Misfit;
use deed_diag::quote;

/// An input, and the producer that comes nearest.
pub(super) struct Case<'v, 's> {
    pub(super) view: View<'v, 's>,
    pub(super) input: Input<'v>,
    pub(super) need: &'v InputNeed,
    pub(super) source: Source,
}

/// Explains why the producer does not fit.
pub(super) fn diagnose(case: &Case<'_, '_>, misfit: &Misfit<'_>, findings: &mut Findings<'_>) -> Finding {
    match misfit {
        Misfit::Slot => slot::diagnose(case),
        Misfit::Entity => entity::diagnose(case, findings),
        Misfit::Generic => generic::diagnose(case),
        Misfit::Kind => kind::diagnose(case),
        Misfit::Profile => profile::diagnose(case),
        Misfit::AdaptersBarred(route) => adapters_barred::diagnose(case, route),
        Misfit::Grain => grain::diagnose(case),
        Misfit::Fields(missing) => fields::diagnose(case, missing),
    }
}

impl Case<'_, '_> {
    pub(super) fn output(&self) -> &Output {
        self.view.offers().get(self.source)
    }

    fn producer(&self) -> String {
        self.view.cx.producer(self.source)
    }

    fn slot(&self) -> String {
        quote(&self.input.authored.slot)
    }

    fn wanted(&self) -> String {
        quote(self.need.entity.as_str())
    }

    fn given(&self) -> String {
        quote(self.output().entity.as_str())
    }

    fn accepted(&self) -> String {
        let accepted: Vec<String> = self.need.accepted.iter().map(|kind| quote(kind.as_str())).collect();
        accepted.join(", ")
    }
}
