//! Validation packs: what artifacts of a run are judged by, phase by phase.
//!
//! A pack holds rules by path; a rule holds a ladder contract, checks of the file, or both. [`lint`] checks a pack,
//! [`PackLibrary`] finds it by its reference, and a [`Validator`] made from the frozen snapshot of a profile judges
//! artifacts: bytes enter, a record with its verdict leaves, and where the ladder corrected the payload the corrected bytes
//! with the report that undoes them.
//!
//! The crate is pure: the same bytes under the same packs give the same record, so that a run can be verified again.

mod document;
mod gates;
mod judge;
mod library;
mod lint;
mod pattern;
mod scaffold;
mod shipped;
mod validator;

pub use document::PackFile;
pub use gates::{PackGate, matches_nothing};
pub use judge::{Artifact, ArtifactSchema, Correctable, Correction, Judged, Proposed};
pub use library::{FoundPack, PackLibrary, PackOrigin, pack_hash};
pub use lint::{PackGateOutcome, PackLint, lint};
pub use pattern::{covers_pattern, matches_path};
pub use scaffold::{ScaffoldError, scaffold};
pub use shipped::{shipped_pack, shipped_packs};
pub use validator::{CANDIDATE_PATH, COMPILED_PATH, Validator, corrects};
