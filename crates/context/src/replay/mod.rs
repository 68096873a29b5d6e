//! Recorded compiles: recorded, replayed, and compared up to the first stage that changed; and the life of their packets.

mod case;
mod diff;
mod inputs;
mod life;
mod origin;
mod record;
mod reopen;
mod run;
mod seal;
mod supersede;
mod transcript;

pub use case::{MadeCase, make_case};
pub use life::{LifeFault, PACKET_LIFE_FORMAT, extended, replayed_event, superseded_event, verify_life};
pub use origin::RecordingOrigin;
pub use record::{Recording, record};
pub use reopen::{Reopened, reopen};
pub use run::{DifferenceScope, ReplayReport, StageDifference, determinism_rate, replay, replay_against};
pub use supersede::{SupersedeFault, may_take_place};

pub(crate) use inputs::{counted_by, prepare};
pub(crate) use run::{known_format, moved_between};
pub(crate) use seal::broken;

/// The format that is written.
pub const REPLAY_FORMAT: &str = "deed/replay-bundle/v2";

/// The first version of the format. The rule for readers: it is read, replayed and verified by its own seal; its words for
/// kinds, policies and results are read as those of today; it is never written. A reader of the first version refuses the
/// second one by its format (D1526).
pub(crate) const REPLAY_FORMAT_V1: &str = "deed/replay-bundle/v1";
