//! Recorded compiles: recorded, replayed, and compared up to the first stage that changed.

mod diff;
mod inputs;
mod record;
mod reopen;
mod run;
mod seal;

pub use record::{Recording, record};
pub use reopen::{Reopened, reopen};
pub use run::{DifferenceScope, ReplayReport, StageDifference, determinism_rate, replay, replay_against};

pub(crate) use inputs::{counted_by, prepare};
pub(crate) use run::known_format;
pub(crate) use seal::broken;

/// The format that is written, and the only one that is read.
pub const REPLAY_FORMAT: &str = "deed/replay-bundle/v1";
