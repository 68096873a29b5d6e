//! Secret and personal-data detectors: rule data, keyword prefilter, entropy, checksums.
//!
//! Text goes in, [`Finding`]s come out: the rule that fired and the byte range of the secret or
//! personal value. A finding never holds the text it points at, so it can be logged.
//!
//! The crate is pure: no files, no clock, no randomness. Every search is linear in the text.

mod bytes;
mod class;
mod custom;
mod entropy;
mod finding;
mod guard;
mod keyed;
mod matcher;
mod outline;
mod personal;
mod reading;
mod sample;
mod secrets;
mod sensitive;
mod shape;
mod unfold;
mod words;

pub use class::CharClass;
pub use custom::{CustomPattern, CustomPatternError};
pub use finding::{Finding, Kind};
pub use guard::{Guard, Secrets};
pub use matcher::Matcher;
pub use outline::Outline;
pub use personal::{PersonalKind, UnknownPersonalKind, personal, scan_personal, scan_personal_value};
pub use sample::{Sample, sample};
pub use secrets::{Rule, SecretScanner, rules};
pub use sensitive::sensitive_ranges;
pub use words::Words;
