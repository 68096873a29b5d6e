//! Golden cases: requests beside a pack, each with its expected outcome.
//!
//! Enters: a pack folder whose pack has a valid shape. Leaves: every difference of a case, with the place of the
//! expectation, the stage that decides it, and the values before and after. Must prove: a case is silent only if it was
//! compiled and all its expectations hold.

mod compare;
mod edit;
mod examine;
mod moves;
mod observe;
mod read;
mod ready;
mod refused;
mod stage_hash;
mod stems;
mod version;

use crate::hydrate::{Hydrated, PackMaterial};
use crate::inputs::Inputs;
use crate::outcome::Outcome;
use deed_diag::Diagnostic;
use deed_model::{ContextPack, GoldenExpectation, RecordedStage};
use deed_pack::{Bundle, GoldenCaseRunner};
use observe::Observation;

pub use edit::{EditFault, accepted};
pub use examine::{ExaminedCase, examine};
pub use moves::GoldenMove;

pub(crate) use edit::{is_clean, yaml_document, yaml_section};
pub(crate) use stage_hash::stage_hashes;
pub(crate) use version::settle as settle_version;

/// Compiles the golden cases of a pack and compares the results with their expectations.
#[derive(Debug, Clone, Copy, Default)]
pub struct GoldenRunner;

impl GoldenCaseRunner for GoldenRunner {
    fn run(&self, bundle: &Bundle, pack: &ContextPack) -> Vec<Diagnostic> {
        let mut found = stems::repeated(&bundle.golden);
        found.extend(examine(bundle, pack, None).into_iter().flat_map(|case| case.findings));
        found
    }
}

/// Runs golden cases as [`GoldenRunner`] does, and compares the stages of those that fail with another version of the pack.
#[derive(Debug, Clone)]
pub struct GoldenBase(pub PackMaterial);

impl GoldenCaseRunner for GoldenBase {
    fn run(&self, bundle: &Bundle, pack: &ContextPack) -> Vec<Diagnostic> {
        let mut found = stems::repeated(&bundle.golden);
        found.extend(examine(bundle, pack, Some(&self.0)).into_iter().flat_map(|case| case.findings));
        found
    }
}

/// Returns the expectations that a compile does not meet.
pub(crate) fn unmet(
    expect: &GoldenExpectation,
    compiled: (&Hydrated, Inputs<'_>),
    outcome: &Outcome<'_>,
    records: &[RecordedStage],
) -> Vec<GoldenMove> {
    moves::moves(expect, &Observation::of(compiled, outcome, records))
}
