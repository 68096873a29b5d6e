//! Releases of Context Packs: the checklist of a pipeline, regressions against a base, and rechecks after something that a
//! pack refers to changed.
//!
//! The crate is pure: packs, recordings and changed documents come in as values, elapsed time as a function, and every
//! result is a value with its places.

mod changes;
mod ci;
mod compare;
mod formats;
mod recheck;
mod regressions;
mod release;
mod trial;
mod unproven;

pub use changes::RecordedPacks;
pub use ci::{
    AcceptedFinding, CiAcceptance, CiChange, CiInput, CiLine, CiReport, CiStep, LineState, Readiness, SurfaceEntry,
    WORKFLOW, checklist, unreadable,
};
pub use compare::compare;
pub use formats::{junit, sarif};
pub use recheck::{AdapterDescription, Dependency, Recheck, recheck};
pub use regressions::{Regression, regressions};
pub use release::Release;
pub use trial::{EvaluatorResult, EvaluatorVerdict, FailingCorrection, Stopwatch, Trial, TrialResult};
