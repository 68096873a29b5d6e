//! Contexts: reading the inputs of a compile, compiling, recording, and recorded compiles on disk.

mod archive;
mod assign;
mod call;
mod current;
mod known;
mod life;
mod load;
mod origin;
mod packets;
mod replay;
mod stats;
mod sweep;

pub use archive::{Archived, bundles, read};
pub use assign::Assignment;
pub use call::tool_call;
pub(crate) use current::current;
pub use life::{append, life_path, read_life};
pub(crate) use load::unquoted;
pub use load::{ContextSources, Documents, LoadedContext};
pub use origin::{LoadedOrigin, OriginSources};
pub use packets::{PacketWithLife, Packets, VerifiedLife, packet, packets, supersede, verify_lives};
pub use replay::{
    Evaluation, ReplayRequest, ReplayResults, ReplayedBundles, read_compiled, recording_text, replay, what_if,
    write_recording,
};
pub use stats::{ArchiveStatistics, StatsRequest, UncountedFile, stats};
pub use sweep::{MOST_POINTS, Sweep, SweepPoint, Variation};
