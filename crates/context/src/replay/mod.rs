//! Recorded compiles: taken, run again, and told the first stage that moved.

mod diff;
mod material;
mod record;
mod run;
mod seal;

pub use material::{PackMaterial, hydrate};
pub use record::{Recording, record};
pub use run::{Moved, ReplayReport, Within, determinism_rate, replay, replay_against};

pub(crate) use material::{counted_by, hydrate_for, prepare};
pub(crate) use run::known_format;
pub(crate) use seal::broken;

/// The format that is written, and the only one that is read.
pub const REPLAY_FORMAT: &str = "deed/replay-bundle/v1";
